# Makes the target leveldb::leveldb, unless there is one, if LevelDB is found.
# Used by the build and, installed, by those who link to the libraries.

find_package(leveldb CONFIG QUIET)
if(NOT TARGET leveldb::leveldb)
  find_path(LEVELDB_INCLUDE_DIR leveldb/filter_policy.h)
  find_library(LEVELDB_LIBRARY leveldb)
  if(LEVELDB_INCLUDE_DIR AND LEVELDB_LIBRARY)
    add_library(leveldb::leveldb UNKNOWN IMPORTED)
    set_target_properties(leveldb::leveldb PROPERTIES
      IMPORTED_LOCATION "${LEVELDB_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${LEVELDB_INCLUDE_DIR}")
  endif()
endif()
