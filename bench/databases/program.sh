# For scripts that have sourced bench/report/begin.sh and begun their results: makes
# bench/databases/database_bench, with the RocksDB source tree $ROCKSDB, which is built for this processor with the
# plugin, or the distribution's RocksDB. Its name is $database_bench then.
# With small pages, chance in where a filter lies changes what its lookups take.
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1
printf 'GLIBC_TUNABLES of databases\t%s\n' "$GLIBC_TUNABLES" >>"$work/results"
if [ -n "${ROCKSDB:-}" ]; then
  third_party/install.sh cmake ninja-build >&2
  built=$(third_party/build_rocksdb.sh native "$ROCKSDB" rocksdb)
  # The policy for RocksDB comes from RocksDB's library, which CMake builds without RTTI.
  make -f tests/cross/programs.mk --no-print-directory -j "$(nproc)" ROCKSDB="$built" OUT="$built/bench" \
    LIBRARY="$(ls bench/{databases,keys,measure}/*.cc bench/filters/filter_candidates.cc tools/text/*.cc |
      grep -v '_bench\.cc$' | xargs)" \
    PROGRAMS=bench/databases/database_bench.cc CPPFLAGS='-DNDEBUG -U_GLIBCXX_ASSERTIONS -fno-rtti' >&2
  database_bench=$built/bench/bench/databases/database_bench
  version=$(sed -n 's/^#define ROCKSDB_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\).*/\2/p' "$ROCKSDB/include/rocksdb/version.h" | paste -sd.)
  printf 'RocksDB in databases\t%s\n' "$version, built for this processor, without assertions, with our plugin" >>"$work/results"
else
  need_programs //bench/databases:database_bench
  database_bench=$ONELINE_PROGRAMS/bench/databases/database_bench
fi
