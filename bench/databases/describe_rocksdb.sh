#!/bin/sh
# What a file of results says of the RocksDB that build_with_rocksdb.sh builds.
# Usage: describe_rocksdb.sh SOURCE
set -eu
version=$(sed -n 's/^#define ROCKSDB_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\).*/\2/p' "$1/include/rocksdb/version.h" | paste -sd.)
echo "$version, built for this processor, without assertions, with our plugin"
