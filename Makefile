# The front door. Each target installs what is missing (with apt, and sudo where
# that is needed), builds and runs.
#
#   make build   everything, bazel-bin/liboneline.so among it
#   make demo    RocksDB on real keys without a filter, with its own and with ours
#   make test    every test, plain and under the sanitizers; builds with Clang too
#   make bench   ours beside RocksDB's and LevelDB's filters, alone and in
#                databases: a quarter of an hour
#   make bench-quick    the same with rough numbers: two minutes
#   make report  the same as a page with plots: bench/out/report.html
#   make bench-leveldb  LevelDB's filters alone: filters of 1 to 200 keys
#   make urls    ways to remember URLs, side by side: memory, time, errors
#   make sieve   `oneline sieve` beside awk and sort: 12 minutes
#   make lines   cache lines that a lookup reads, in ours and RocksDB's
#   make levels  false positives with bits allocated over levels, and without

.PHONY: build demo test bench bench-quick report bench-leveldb urls sieve lines levels packages
.DEFAULT_GOAL := build

packages:
	@third_party/install.sh

build: packages
	bazel build //...

demo: packages
	@bench/demo.sh

test: packages
	@third_party/install.sh clang
	@tests/run.sh

bench: packages
	@bench/compare.sh full

bench-quick: packages
	@bench/compare.sh quick

report: packages
	@bench/report.sh full

bench-leveldb: packages
	@bench/leveldb_filter_bench.sh

urls: packages
	@bazel run //bench:url_sets_bench

sieve: packages
	@bench/sieve_bench.sh

lines: packages
	@bench/lines_touched.sh

levels: packages
	@bench/level_bench.sh
