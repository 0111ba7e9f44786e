#!/bin/sh
# Tests that the programs of a RocksDB built with our plugin know our policy by
# its name, and that the environment replaces the built-in filters by ours. The
# tables that they write tell which policy they had.
# Usage: programs_test.sh BUILD
set -eu
PATH=$1:$1/tools:$PATH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
cd "$scratch"
cat >OPTIONS.ini <<END
[Version]
  rocksdb_version=7.8.3
  options_file_version=1.1
[DBOptions]
  create_if_missing=true
[CFOptions "default"]
[TableOptions/BlockBasedTable "default"]
  filter_policy=oneline:10
END

# expect POLICY DATABASE FLAG...: db_bench writes tables with this policy. They are
# not compressed: this RocksDB may lack the libraries.
expect() {
  db_bench --db="$2" --num=20000 --compression_type=none \
    --benchmarks=fillrandom,flush,readmissing "$3" ${4:+"$4"} >log 2>&1 || true
  found=$(sst_dump --file="$2" --show_properties --command=none |
    sed -n 's/.*filter policy name: *//p' | sort -u | paste -sd,)
  if [ "$found" = "$1" ]; then
    echo "db_bench $3, $2: 1 passed, 0 failed"
  else
    tail -n 20 log
    echo "db_bench $3, $2: \"$found\" instead of \"$1\": 0 passed, 1 failed"
  fi
}
expect oneline named --options_file=OPTIONS.ini
# RocksDB's own filters, by a policy of ours: tables name it, OPTIONS files do not.
sed -i 's/oneline:10/{id=oneline;kind=rocksdb_bloom;bits_per_key=12}/' OPTIONS.ini
expect oneline builtin --options_file=OPTIONS.ini
if grep -q 'filter_policy=bloomfilter:12:' builtin/OPTIONS-*; then
  echo "OPTIONS file of builtin: 1 passed, 0 failed"
else
  echo "OPTIONS file of builtin: 0 passed, 1 failed"
fi
expect bloomfilter bloom --bloom_bits=10
expect ribbonfilter ribbon --bloom_bits=10 --use_ribbon_filter=1
export ONELINE_REPLACE_BUILTIN=1
expect oneline replaced_bloom --bloom_bits=10
expect oneline replaced_ribbon --bloom_bits=10 --use_ribbon_filter=1
