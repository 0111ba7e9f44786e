# RocksDB's builds look for this file here if a checkout of this repository is plugin/oneline of RocksDB's source tree.
# RocksDB's CMake build finds the next line by a pattern, so it cannot be in the included file.
oneline_FUNC = oneline_register
oneline_root := $(dir $(lastword $(MAKEFILE_LIST)))
include $(oneline_root)filter_policy/plugin/oneline.mk
