# For scripts that have sourced bench/report/begin.sh and begun their results: makes
# bench/databases/database_bench, with the RocksDB source tree $ROCKSDB, which is built for this processor with the
# plugin, or the distribution's RocksDB. Its name is $database_bench then.

# With small pages, chance in where a filter lies changes what its lookups take.
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1
printf 'GLIBC_TUNABLES of databases\t%s\n' "$GLIBC_TUNABLES" >>"$work/results"
if [ -n "${ROCKSDB:-}" ]; then
  database_bench=$(bench/databases/build_with_rocksdb.sh "$ROCKSDB")/database_bench
  version=$(sed -n 's/^#define ROCKSDB_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\).*/\2/p' "$ROCKSDB/include/rocksdb/version.h" | paste -sd.)
  printf 'RocksDB in databases\t%s\n' "$version, built for this processor, without assertions, with our plugin" >>"$work/results"
else
  need_programs //bench/databases:database_bench
  database_bench=$ONELINE_PROGRAMS/bench/databases/database_bench
fi
