# Makes the target oneline_database::rocksdb, which is RocksDB: the one that
# ONELINE_ROCKSDB names (a CMake target), by default the one that is found. Makes
# none if there is none. Used by the build and, installed, by those who link to
# the libraries, where the choice may be another one than at the build.

if(NOT TARGET "${ONELINE_ROCKSDB}")
  find_package(RocksDB CONFIG QUIET)
endif()
if(NOT ONELINE_ROCKSDB)
  if(TARGET RocksDB::rocksdb-shared)
    set(ONELINE_ROCKSDB RocksDB::rocksdb-shared)
  elseif(TARGET RocksDB::rocksdb)
    set(ONELINE_ROCKSDB RocksDB::rocksdb)
  else()
    # `make install` of RocksDB installs no files for CMake.
    find_path(ROCKSDB_INCLUDE_DIR rocksdb/filter_policy.h)
    find_library(ROCKSDB_LIBRARY rocksdb)
    if(ROCKSDB_INCLUDE_DIR AND ROCKSDB_LIBRARY)
      add_library(RocksDB::rocksdb-shared UNKNOWN IMPORTED)
      set_target_properties(RocksDB::rocksdb-shared PROPERTIES
        IMPORTED_LOCATION "${ROCKSDB_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${ROCKSDB_INCLUDE_DIR}")
      set(ONELINE_ROCKSDB RocksDB::rocksdb-shared)
    endif()
  endif()
endif()

if(ONELINE_ROCKSDB AND NOT TARGET oneline_database::rocksdb)
  if(NOT TARGET "${ONELINE_ROCKSDB}")
    message(FATAL_ERROR "ONELINE_ROCKSDB is \"${ONELINE_ROCKSDB}\", which is no "
      "target: it must name RocksDB's, such as RocksDB::rocksdb")
  endif()
  add_library(oneline_database::rocksdb INTERFACE IMPORTED)
  target_link_libraries(oneline_database::rocksdb INTERFACE ${ONELINE_ROCKSDB})
endif()
