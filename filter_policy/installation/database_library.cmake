# The library of a database, static and shared.

# Sets VARIABLE to whether the library of TARGET is a static one.
function(oneline_is_static target variable)
  get_target_property(type ${target} TYPE)
  get_target_property(file ${target} IMPORTED_LOCATION)
  if(type STREQUAL "STATIC_LIBRARY" OR file MATCHES "\\.a$")
    set(${variable} ON PARENT_SCOPE)
  else()
    set(${variable} OFF PARENT_SCOPE)
  endif()
endfunction()

# Links TARGET to DATABASE, and everybody who links to TARGET. ROOTS are linked
# into every program, called or not, and with them what registers names with the
# database: a linker leaves out of a static library what nothing refers to, and
# with --as-needed the whole shared one.
function(oneline_interface target database roots)
  target_link_libraries(${target} PUBLIC ${database})
  target_compile_features(${target} PUBLIC cxx_std_${CMAKE_CXX_STANDARD})
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/filter_policy/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  foreach(root IN LISTS roots)
    target_link_options(${target} INTERFACE "LINKER:-u,${root}")
  endforeach()
endfunction()

# FILE and FILE_static: libFILE.so and libFILE.a, exported as oneline::NAME and
# oneline::NAME_static. Without a shared library oneline::NAME is the static one.
#   DATABASE          target to link to; DATABASE_LIBRARY: that of the library
#   FLAGS             of the compiler
#   EXPORTS           what the shared library exports: a version script
#   ROOTS             functions that are linked into every program
#   SOURCES           of both libraries; SHARED_SOURCES: of the shared one besides
function(oneline_library file name)
  cmake_parse_arguments(PARSE_ARGV 2 A ""
    "DATABASE;DATABASE_LIBRARY;FLAGS;EXPORTS"
    "ROOTS;SOURCES;SHARED_SOURCES")
  add_library(${file}_objects OBJECT ${A_SOURCES})
  set_target_properties(${file}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${file}_objects PRIVATE ${A_FLAGS})
  target_link_libraries(${file}_objects PRIVATE oneline_build ${A_DATABASE})
  set(objects
    $<TARGET_OBJECTS:oneline_core> $<TARGET_OBJECTS:${file}_objects>)

  add_library(${file}_static STATIC ${objects})
  set_target_properties(${file}_static PROPERTIES
    OUTPUT_NAME ${file} EXPORT_NAME ${name}_static)
  oneline_interface(${file}_static ${A_DATABASE} "${A_ROOTS}")
  add_library(oneline::${name}_static ALIAS ${file}_static)
  set(targets ${file}_static)

  # A shared library with a database in it would give a program two of them.
  oneline_is_static(${A_DATABASE_LIBRARY} is_static)
  if(is_static)
    message(STATUS "${A_DATABASE_LIBRARY} is a static library, so there will be "
      "no lib${file}.so")
  endif()
  if(ONELINE_SHARED AND NOT is_static)
    add_library(${file} SHARED ${objects} ${A_SHARED_SOURCES})
    set_target_properties(${file} PROPERTIES EXPORT_NAME ${name}
      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
      LINK_DEPENDS "${A_EXPORTS}")
    oneline_interface(${file} ${A_DATABASE} "${A_ROOTS}")
    target_compile_options(${file} PRIVATE ${A_FLAGS})
    target_link_libraries(${file} PRIVATE $<BUILD_INTERFACE:oneline_build>
      ${CMAKE_DL_LIBS})
    # A missing symbol is found here and not in somebody's database.
    target_link_options(${file} PRIVATE "LINKER:--no-undefined"
      "LINKER:--version-script=${A_EXPORTS}")
    add_library(oneline::${name} ALIAS ${file})
    list(APPEND targets ${file})
  else()
    add_library(oneline::${name} ALIAS ${file}_static)
  endif()
  install(TARGETS ${targets} EXPORT ${file}-targets)
  install(EXPORT ${file}-targets NAMESPACE oneline::
    DESTINATION "${oneline_package_dir}")
endfunction()
