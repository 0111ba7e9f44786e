# Installs oneline.pc and, with the library for LevelDB, oneline_leveldb.pc.

# The prefix as seen from the file, so that the tree can be moved.
file(RELATIVE_PATH oneline_pc_prefix
  "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" oneline_pc_prefix "${oneline_pc_prefix}")

function(oneline_pc_file pc_name pc_description pc_requires pc_libs)
  configure_file("${installation}/oneline.pc.in" ${pc_name}.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${pc_name}.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

# RocksDB installs a file for pkg-config, by make as by CMake.
set(oneline_pc_libs -loneline)
get_target_property(roots oneline_static INTERFACE_LINK_OPTIONS)
foreach(root IN LISTS roots)
  string(REPLACE "LINKER:" "-Wl," root "${root}")
  string(PREPEND oneline_pc_libs "${root} ")
endforeach()
oneline_pc_file(oneline "Filter policy for RocksDB" rocksdb
  "${oneline_pc_libs}")
if(ONELINE_LEVELDB)
  # LevelDB has no file for pkg-config.
  oneline_pc_file(oneline_leveldb "Filter policy for LevelDB" ""
    "-loneline_leveldb -lleveldb")
endif()
