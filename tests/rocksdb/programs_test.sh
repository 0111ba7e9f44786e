#!/bin/sh
# Tests that the programs of a RocksDB built with our plugin know our policy by
# its name, and that the environment replaces the built-in filters by ours. The
# tables that they write tell which policy they had. They are not compressed:
# this RocksDB may lack the libraries.
# Usage: programs_test.sh BUILD
set -eu
PATH=$1:$1/tools:$1/db_stress_tool:$PATH
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

# policies DATABASE: the names of the policies in its tables.
policies() {
  sst_dump --file="$1" --show_properties --command=none |
    sed -n 's/.*filter policy name: *//p' | sort -u | paste -sd,
}

# expect NAME WANTED FOUND
expect() {
  if [ "$3" = "$2" ]; then
    echo "$1: 1 passed, 0 failed"
  else
    [ ! -e log ] || tail -n 20 log
    echo "$1: \"$3\" instead of \"$2\": 0 passed, 1 failed"
  fi
}

bench() {
  database=$1
  shift
  db_bench --db="$database" --num=20000 --compression_type=none \
    --benchmarks=fillrandom,flush,overwrite,flush,readmissing \
    --statistics "$@" >log 2>&1 || true
}

bench named --options_file=OPTIONS.ini
expect "db_bench --options_file" oneline "$(policies named)"
useful=$(sed -n 's/^rocksdb.bloom.filter.useful COUNT : //p' log)
expect "db_bench filters" yes "$([ "${useful:-0}" -gt 10000 ] && echo yes)"
rm log

expect "sst_dump checks tables" 0 "$(
  sst_dump --file=named --command=check >log 2>&1; echo $?)"
ldb --db=named --try_load_options compact >log 2>&1 || true
expect "ldb --try_load_options compact" oneline "$(policies named)"

# Since RocksDB 10 db_stress compacts remotely by default, which excludes reopening,
# uses libraries for compression that may lack, and crashes without expected values.
mkdir expected
db_stress --undefok=remote_compaction_worker_threads,compression_manager \
  --remote_compaction_worker_threads=0 --compression_manager=none \
  --db=stress --expected_values_dir=expected --clear_column_family_one_in=0 \
  --options_file=OPTIONS.ini \
  --destroy_db_initially=1 --ops_per_thread=5000 --threads=2 --max_key=5000 \
  --reopen=1 --column_families=1 --write_buffer_size=65536 \
  --compression_type=none >log 2>&1 || true
expect "db_stress --options_file" oneline "$(policies stress)"

for ribbon in 0 1; do
  bench builtin$ribbon --bloom_bits=10 --use_ribbon_filter=$ribbon
  name=bloomfilter
  [ $ribbon = 0 ] || name=ribbonfilter
  expect "db_bench --bloom_bits --use_ribbon_filter=$ribbon" $name \
    "$(policies builtin$ribbon)"
  ONELINE_REPLACE_BUILTIN=1 \
    bench replaced$ribbon --bloom_bits=10 --use_ribbon_filter=$ribbon
  expect "the same with ONELINE_REPLACE_BUILTIN=1" oneline \
    "$(policies replaced$ribbon)"
done
