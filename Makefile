# Each target installs what is missing (with apt, and sudo if needed), builds and runs.
#
#   make help    this text
#   make build   what a user needs, in bazel-bin (the default): liboneline.so to link to,
#                liboneline_preload.so to preload, the same two for LevelDB, and tools/oneline
#   make demo    RocksDB with real keys: no filter, its own, and ours
#   make test    all tests but the slowest, with AddressSanitizer where that can run them: ten
#                minutes on two cores
#   make check   all tests with GCC, those of threads with ThreadSanitizer, and those that meet
#                RocksDB with Debian 13's: half an hour
#   make format  clang-format over all sources
#   make bench [ROCKSDB=dir]   our filters compared with those of RocksDB and LevelDB alone, and with
#                RocksDB's in databases, on one thread and on two: half an hour. In databases with
#                the installed RocksDB, or with this source tree, which is built with AVX2 and
#                without assertions: half an hour more, once
#   make bench-quick   the same with rough numbers: 5 minutes
#   make report  make bench as a page: bench/out/report.html
#   make deb     Debian packages, in deb/, and the `apt install` command for them: libraries,
#                headers, the program `oneline`, the pages
#   make release  the source archive, the two files of make amalgamation and the Debian packages of
#                the last commit, tested as by make check-packages
#   make amalgamation   the policy for RocksDB as two files: amalgamation/oneline.h, oneline.cc
#   make packages   only installs what the build needs
#
# Tests that take longer, or need more than this tree:
#
#   make check-tidy [FILES="a.cc b.cc"]   clang-tidy over all sources, or these
#   make check-fuzz [SECONDS=60] [TARGET=name [INPUT=file]]   each fuzz target of tests/fuzz/ for
#                SECONDS; with INPUT, this file once
#   make check-mutants [PART=name]   plants faults, those of tests/mutants/*.txt, and says which no
#                test catches: 40 minutes or more
#   make check-stress [MINUTES=30] [SOURCE=dir]   RocksDB's db_stress with our policy among others,
#                killed again and again; of the installed version or of this source tree, which is
#                built first: half an hour, once
#   make check-packages   installs with CMake and as Debian packages, and uses both from programs
#                outside of this tree
#   make check-rocksdb SOURCE=dir   builds a RocksDB source tree with the plugin and tests it: half
#                an hour
#   make try-rocksdb SOURCE=dir   what this RocksDB, a source tree or a folder such as /usr, breaks,
#                in a table: do header and policy compile and link, which tests pass?
#   make check-java SOURCE=dir   builds RocksJava from a RocksDB source tree with the plugin, all of
#                RocksDB the first time, and tests it
#   make check-debian13   all tests with GCC, in a root with Debian 13: RocksDB 9.10, GCC 14
#   make check-arm64, check-s390x   tests of the library and of `oneline size` on emulated
#                processors: NEON kernels, big-endian
#   make check-x86-features   the same on x86-64 without AVX2, BMI, POPCNT, PCLMULQDQ
#
# Measurements for the documents. Where NAME has a table in a page, its results are written to
# docs/internals/figures/NAME.tsv and into the page:
#
#   make measure-figures [ROCKSDB=dir]   make bench, for the documents
#   make measure-tables   the tables of the pages, from docs/internals/figures/; measures nothing
#   make measure-picture   docs/images/by_level.svg, from what make measure-kinds measured
#   make measure-dbbench   RocksDB's own db_bench with our library preloaded: ten minutes
#   make measure-databases [ROCKSDB=dir]   a million records by the share of absent keys, from disk and in
#                the cache: five minutes
#   make measure-writes [ROCKSDB=dir]   loads and compactions with each kind of filter: ten minutes
#   make measure-budget   what lookups read into a block cache that filters, indexes and data share,
#                of 1/10 to 1/100 of the data: five minutes
#   make measure-kinds   false positives in one tree with each kind, uniform, by level, for hits
#   make measure-levels   false positives of bits by level in growing trees: ten minutes
#   make measure-large KEEP=dir ROCKSDB=dir   a database of 25 GB, each filter in turn with RocksDB's
#                Bloom: 45 minutes; goes on where it was stopped
#   make measure-commits OLD=rev [NEW=rev] [ROUNDS=1000] [ONLY=regex]   lookups and builds of two commits,
#                or of one and this tree, with each instruction set: ratios of times taken in turn

.PHONY: help build demo clang test check format bench bench-quick report deb release packages \
  amalgamation try-rocksdb \
  check-tidy check-fuzz check-mutants check-stress check-packages check-rocksdb check-java \
  check-debian13 check-arm64 check-s390x check-x86-features \
  measure-figures measure-tables measure-picture measure-budget \
  measure-kinds measure-levels measure-large \
  measure-dbbench measure-databases measure-writes measure-commits
.DEFAULT_GOAL := build

# The text above.
help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

packages:
	@third_party/install.sh

build: packages
	bazel build //:liboneline.so //:liboneline_preload.so \
	  //:liboneline_leveldb.so //:liboneline_leveldb_preload.so \
	  //tools:oneline

demo: packages
	@bench/demo/demo.sh

clang: packages
	@third_party/install.sh clang libclang-rt-dev lld

test: clang
	@tests/run.sh faults asan plain

check: clang
	@tests/run.sh checked tsan amalgamation debian13

# On emulated processors: arm64 with NEON, big-endian s390x, and x86-64 without
# features that kernels use.
check-arm64 check-s390x check-x86-features: packages
	@tests/cross/run.sh $(@:check-%=%)

check-fuzz: packages
	@tests/fuzz/fuzz.sh "$(SECONDS)" "$(TARGET)" "$(INPUT)"

check-mutants: packages
	@tests/mutants/run.sh $(PART)

# The plugin, in any version of RocksDB.
check-rocksdb: packages
	@tests/rocksdb/run.sh "$(SOURCE)"

try-rocksdb: packages
	@tests/rocksdb/try.sh "$(SOURCE)"

check-java: packages
	@tests/java/run.sh "$(SOURCE)"

check-stress: packages
	@tests/rocksdb/stress.sh "$(MINUTES)" $(SOURCE)

deb: packages
	@third_party/make_debs.sh

check-packages: packages
	@tests/packages/run.sh

amalgamation:
	@third_party/amalgamate.sh

release: packages
	@third_party/make_release.sh

format:
	@third_party/install.sh clang-format
	@git ls-files '*.h' '*.cc' | xargs clang-format -i

check-tidy: packages
	@third_party/install.sh clang-tidy
	@clang-tidy --quiet $(or $(FILES),$(shell git ls-files '*.cc')) -- \
	  -std=c++17 -I. -Ifilter_policy/include -xc++

measure-picture: packages
	@bench/report/picture.sh

# packages.txt is what the root needs, not this machine.
check-debian13:
	@tests/cross/debian.sh trixie

bench bench-quick measure-figures report measure-databases measure-writes measure-large: export ROCKSDB := $(ROCKSDB)
measure-budget measure-kinds measure-levels measure-large measure-dbbench measure-databases measure-writes: export FIGURES = docs/internals/figures/$(@:measure-%=%).tsv
bench: packages
	@bench/report/bench.sh full

measure-figures: bench
	@bench/report/write_tables.sh bench/out/figures.tsv

measure-tables:
	@bench/report/write_tables.sh

bench-quick: packages
	@bench/report/bench.sh quick

report: packages
	@bench/report/report.sh full

measure-commits: packages
	@ROUNDS="$(ROUNDS)" ONLY="$(ONLY)" bench/filters/commits.sh "$(OLD)" $(NEW)

measure-large: export KEEP := $(KEEP)
measure-databases measure-writes measure-budget measure-kinds measure-levels measure-large: packages
	@bench/databases/databases.sh $(@:measure-%=%)
	@bench/report/write_tables.sh

measure-dbbench: packages
	@bench/databases/db_bench.sh
	@bench/report/write_tables.sh
