# Each target installs what is missing (with apt, and sudo if needed), builds and
# runs.
#
#   make build   what a user needs, in bazel-bin (the default): liboneline.so to
#                link to, liboneline_preload.so to preload, the same two for
#                LevelDB, and the program tools/oneline
#   make demo    RocksDB with real keys: no filter, its own, and ours
#   make test    all tests, plain with GCC and under the sanitizers with Clang
#   make bench [ROCKSDB=dir]   our filters compared with those of RocksDB and
#                LevelDB, alone and in databases, and on one thread and on two:
#                half an hour. In databases with the installed RocksDB, or with
#                this source tree, which is built with AVX2 and without
#                assertions: half an hour more, once
#   make figures [ROCKSDB=dir]   make bench, whose results become those of the
#                documents: docs/internals/figures/, and the tables of the pages;
#                those of make urls, sieve, refilter-bench, memory and levels do, too
#   make tables  the tables of the pages, from docs/internals/figures/
#   make bench-quick    the same with rough numbers: 5 minutes
#   make report  make bench as a page with plots: bench/out/report.html
#   make bench-leveldb  filters for LevelDB alone, with 1 to 200 keys
#   make urls    ways to remember URLs compared: memory, time, false positives
#   make sieve   `oneline sieve` compared with awk and sort: 12 minutes
#   make refilter-bench [MEGABYTES=2000] [ROUNDS=3] [VALUE_BYTES=400]   `oneline
#                refilter` compared with CompactRange, and lookups beside
#                oneline::Refilter: less than ten minutes
#   make memory  resident memory of filters with glibc's malloc and with jemalloc
#   make speedb SOURCE=dir   our filters compared with Speedb's, in a source tree
#                of it, which is built first: half an hour, once
#   make lines   cache lines that a lookup reads, in our filters and RocksDB's
#   make instructions   those that a build and a lookup execute per key, in our
#                filters and RocksDB's, on an emulated arm64 processor: half an hour
#   make test-arm64, test-s390x  tests of the library and of `oneline size` on
#                emulated processors: NEON kernels, big-endian
#   make test-x86-features  the same on x86-64 without AVX2, BMI, POPCNT,
#                PCLMULQDQ
#   make fuzz [SECONDS=60] [TARGET=name [INPUT=file]]   each fuzz target of
#                tests/fuzz/ for SECONDS; with INPUT, this file once
#   make mutants [PART=name] [ALL=1]   plants faults, those of tests/mutants/*.txt,
#                and says which no test catches: 40 minutes or more. With ALL=1 also
#                which a single test catches, and which tests are never that one
#   make test-rocksdb SOURCE=dir [SECONDS=60]   builds a RocksDB source tree with
#                the plugin and tests it, db_crashtest.py for SECONDS: half an hour
#   make test-java SOURCE=dir   builds RocksJava from a RocksDB source tree with
#                the plugin, all of RocksDB the first time, and tests it
#   make stress [MINUTES=30] [SOURCE=dir]   RocksDB's db_stress with our policy
#                among others, killed again and again; of the installed version or
#                of this source tree, which is built first: half an hour, once
#   make deb     Debian packages, in deb/, and the `apt install` command for them:
#                libraries, headers, the program `oneline`, the pages
#   make release  the source archive and the Debian packages of the last commit,
#                tested as by make test-packages
#   make format, make tidy [FILES="a.cc b.cc"]   clang-format; clang-tidy
#   make picture docs/images/rates.svg, a plot of make report
#   make test-packages  installs with CMake and as Debian packages, and uses both
#                from programs outside of this tree
#   make test-debian13  all tests, with assertions, in a root with Debian 13:
#                RocksDB 9.10, GCC 14
#   make levels  false positives with bits by level, and with the same bits for
#                all levels, in databases with all sorts of histories: half an hour

.PHONY: build demo test fuzz mutants test-arm64 test-s390x test-x86-features test-debian13 test-rocksdb test-java test-packages stress deb release format tidy picture bench bench-quick figures tables report bench-leveldb urls sieve speedb lines instructions levels memory packages refilter-bench
.DEFAULT_GOAL := build

packages:
	@third_party/install.sh

build: packages
	bazel build //:liboneline.so //:liboneline_preload.so \
	  //:liboneline_leveldb.so //:liboneline_leveldb_preload.so \
	  //tools:oneline

demo: packages
	@bench/demo/demo.sh

test: packages
	@third_party/install.sh clang
	@tests/run.sh

# On emulated processors: arm64 with NEON, big-endian s390x, and x86-64 without
# features that kernels use.
test-arm64 test-s390x test-x86-features: packages
	@tests/cross/run.sh $(@:test-%=%)

fuzz: packages
	@tests/fuzz/fuzz.sh "$(SECONDS)" "$(TARGET)" "$(INPUT)"

mutants: packages
	@tests/mutants/run.sh $(if $(ALL),--all) $(PART)

# The plugin, in any version of RocksDB.
test-rocksdb: packages
	@tests/rocksdb/run.sh "$(SOURCE)" $(SECONDS)

test-java: packages
	@tests/java/run.sh "$(SOURCE)"

stress: packages
	@tests/rocksdb/stress.sh "$(MINUTES)" $(SOURCE)

deb: packages
	@third_party/make_debs.sh

test-packages: packages
	@tests/packages/run.sh

release: packages
	@third_party/make_release.sh

format:
	@third_party/install.sh clang-format
	@git ls-files '*.h' '*.cc' | xargs clang-format -i

tidy: packages
	@third_party/install.sh clang-tidy
	@clang-tidy --quiet $(or $(FILES),$(shell git ls-files '*.cc')) -- \
	  -std=c++17 -I. -Ifilter_policy/include -xc++

picture: packages
	@bench/report/picture.sh

# packages.txt is what the root needs, not this machine.
test-debian13:
	@tests/cross/debian.sh trixie

bench bench-quick figures report: export ROCKSDB := $(ROCKSDB)
refilter-bench: export VALUE_BYTES := $(VALUE_BYTES)
urls sieve refilter-bench memory levels speedb instructions: export FIGURES = docs/internals/figures/$(@:-bench=).tsv
bench: packages
	@bench/report/compare.sh full

figures: bench
	@bench/report/write_tables.sh bench/out/figures.tsv

tables:
	@bench/report/write_tables.sh

bench-quick: packages
	@bench/report/compare.sh quick

report: packages
	@bench/report/report.sh full

bench-leveldb: packages
	@bench/report/run_benchmarks.sh bench/filters/leveldb_filter_bench

urls: packages
	@bench/urls/urls.sh
	@bench/report/write_tables.sh

sieve: packages
	@bench/urls/sieve_bench.sh
	@bench/report/write_tables.sh

refilter-bench: packages
	@bench/refilter/refilter_bench.sh "$(or $(MEGABYTES),2000)" "$(or $(ROUNDS),3)"
	@bench/report/write_tables.sh

memory: packages
	@bench/memory/resident_memory.sh
	@bench/report/write_tables.sh

speedb: packages
	@bench/filters/speedb.sh "$(SOURCE)"
	@bench/report/write_tables.sh

lines: packages
	@bench/filters/lines_touched.sh

instructions: packages
	@bench/filters/instructions.sh
	@bench/report/write_tables.sh

levels: packages
	@bench/levels/levels.sh
	@bench/report/write_tables.sh
