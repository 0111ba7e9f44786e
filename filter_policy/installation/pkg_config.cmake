# Installs oneline.pc, oneline_static.pc and, with the library for LevelDB,
# oneline_leveldb.pc, oneline_leveldb_static.pc.

# The prefix as seen from the file, so that the tree can be moved.
file(RELATIVE_PATH oneline_pc_prefix
  "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" oneline_pc_prefix "${oneline_pc_prefix}")

function(oneline_pc_file pc_name pc_description pc_requires pc_libs
    pc_libs_private)
  configure_file("${installation}/oneline.pc.in" ${pc_name}.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${pc_name}.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

# RocksDB installs a file for pkg-config, by make as by CMake. The flags keep the
# registration of names, of the static library (-u) and of the shared one.
oneline_pc_file(oneline "Filter policy for RocksDB" rocksdb
  "-Wl,-u,oneline_keep_registration -Wl,--push-state,--no-as-needed -loneline -Wl,--pop-state"
  "-l${CMAKE_DL_LIBS}")
oneline_pc_file(oneline_static "Filter policy for RocksDB, static library"
  rocksdb
  "-Wl,-u,oneline_keep_registration -l:liboneline.a -l${CMAKE_DL_LIBS}" "")
if(ONELINE_LEVELDB)
  # LevelDB has no file for pkg-config.
  oneline_pc_file(oneline_leveldb "Filter policy for LevelDB" ""
    "-loneline_leveldb -lleveldb" "")
  oneline_pc_file(oneline_leveldb_static
    "Filter policy for LevelDB, static library" ""
    "-l:liboneline_leveldb.a -lleveldb" "")
endif()
