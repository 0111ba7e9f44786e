# What a database's headers and library ask of the compiler.

# Sets VARIABLE to -fno-rtti if the library of DATABASE was built with it, as
# release builds of RocksDB and LevelDB are by default: there is no type
# information then for the classes that ours derive from.
function(oneline_rtti_flags database header class variable)
  set(CMAKE_REQUIRED_LIBRARIES ${database})
  set(program "
    #include <${header}>
    struct Derived : ${class} { ~Derived() override; };
    Derived::~Derived() {}
    int main() {}")
  string(MAKE_C_IDENTIFIER "ONELINE_LINKS_TO_${database}" links)
  check_cxx_source_compiles("${program}" ${links})
  set(${variable} "" PARENT_SCOPE)
  if(NOT ${links})
    set(CMAKE_REQUIRED_FLAGS -fno-rtti)
    check_cxx_source_compiles("${program}" ${links}_NO_RTTI)
    if(NOT ${links}_NO_RTTI)
      message(FATAL_ERROR "no program can be linked to ${database}: "
        "CMakeFiles/CMakeError.log or CMakeFiles/CMakeConfigureLog.yaml says "
        "why")
    endif()
    set(${variable} -fno-rtti PARENT_SCOPE)
  endif()
endfunction()

# Sets VARIABLE to the C++ standard that RocksDB's headers need: 20 from 10.7 on.
function(oneline_cxx_standard variable)
  set(CMAKE_REQUIRED_LIBRARIES oneline_database::rocksdb)
  set(CMAKE_CXX_STANDARD 17)
  check_cxx_source_compiles("#include <rocksdb/db.h>
    int main() {}" ONELINE_ROCKSDB_HEADERS_ARE_CXX17)
  if(ONELINE_ROCKSDB_HEADERS_ARE_CXX17)
    set(${variable} 17 PARENT_SCOPE)
  else()
    set(${variable} 20 PARENT_SCOPE)
  endif()
endfunction()
