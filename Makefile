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
	@bench/demo/demo.sh

test: packages
	@third_party/install.sh clang
	@tests/run.sh

bench: packages
	@bench/report/compare.sh full

bench-quick: packages
	@bench/report/compare.sh quick

report: packages
	@bench/report/report.sh full

bench-leveldb: packages
	@bench/filters/leveldb_filter_bench.sh

urls: packages
	@bazel run //bench/urls:url_sets_bench

sieve: packages
	@bench/urls/sieve_bench.sh

lines: packages
	@bench/filters/lines_touched.sh

levels: packages
	@bench/levels/level_bench.sh
