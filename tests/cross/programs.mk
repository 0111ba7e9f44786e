# Compiles programs with plain compiler commands, for run.sh here and in
# tests/rocksdb/ and for bench/, which run it in the root of the repository.
# Objects and programs have their sources' names.
#
#   CXX, AR   of the target
#   SYSROOT   the folder with its libraries, if they are not the machine's
#   OUT       the folder for objects and programs
#   PROGRAMS  the sources with a main function
#   CPPFLAGS  further flags
#   ROCKSDB   the folder of a build by third_party/build_rocksdb.sh, which then
#             has the policies, too; else the machine's RocksDB is used

comma := ,
ifdef ROCKSDB
# As RocksDB was compiled and is linked.
in_build = $(shell grep -oh -e '$(1)' $(ROCKSDB)/build/build.ninja | sort -u)
STANDARD := $(patsubst -std=%,%,$(firstword $(call in_build,-std=[a-z0-9+]*)))
rocksdb := $(ROCKSDB)/build/librocksdb.a \
  $(call in_build,-Wl$(comma)--wrap=[A-Za-z0-9_]*) -ldl
include_rocksdb := -I$(ROCKSDB)/tree/include
POLICIES =
else
STANDARD = c++17
rocksdb := -lrocksdb
endif

# Assertions are on.
CXXFLAGS = -std=$(STANDARD) -O2 -D_GLIBCXX_ASSERTIONS -Wall -Wextra -Wshadow \
  -Werror $(CPPFLAGS) $(include_rocksdb) -I. -Ifilter_policy/include -MMD -MP

# The policies register themselves, so they are linked whole. Of the rest each
# program takes what it needs.
POLICIES ?= $(wildcard filter_policy/rocksdb/*.cc filter_policy/leveldb/*.cc \
  filter_policy/replacement/rocksdb_*.cc)
LIBRARY = $(filter-out %_gen.cc %_test.cc %_fuzz.cc, \
  $(wildcard table/*/*.cc filter_policy/options/*.cc \
    filter_policy/refilter/*.cc membership/filters/*.cc \
    membership/urls/*.cc tools/*/*.cc \
    tests/golden/*.cc tests/tools/*.cc \
    tests/filter_policy/*.cc))

# Those of the packages that only benchmarks and membership/hashes/ use are left
# out.
libraries := $(rocksdb) $(filter-out -lrocksdb -lbenchmark \
  -lmurmurhash, \
  $(shell sed -n 's/.*"\(-l[a-zA-Z_]\{1,\}\)".*/\1/p' \
    third_party/system.BUILD)) \
  $(patsubst lib%.so,-l%,$(notdir \
    $(wildcard $(SYSROOT)/usr/lib/*-linux-gnu*/libabsl_*.so)))

compiler := $(CXX) $(SYSROOT:%=--sysroot=%)

objects = $(1:%.cc=$(OUT)/%.o)
binaries := $(PROGRAMS:%.cc=$(OUT)/%)

.PHONY: all
all: $(binaries)

$(binaries): %: %.o $(call objects,$(POLICIES)) $(OUT)/library.a \
    $(filter %.a,$(rocksdb))
	@$(compiler) -o $@ $(filter-out $(rocksdb),$^) -Wl,--as-needed $(libraries)

$(OUT)/library.a: $(call objects,$(LIBRARY))
	@rm -f $@
	@$(AR) rcs $@ $^

sources := $(PROGRAMS) $(POLICIES) $(LIBRARY)
$(call objects,$(sources)): $(OUT)/%.o: %.cc tests/cross/programs.mk
	@mkdir -p $(@D)
	@echo "  $<"
	@$(compiler) $(CXXFLAGS) -c -o $@ $<

-include $(sources:%.cc=$(OUT)/%.d)
