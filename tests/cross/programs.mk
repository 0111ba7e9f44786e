# Compiles programs with plain compiler commands, for run.sh here and in
# tests/rocksdb/, which run it in the root of the repository. Objects and
# programs have their sources' names.
#
#   CXX, AR   of the target
#   SYSROOT   the folder with its libraries, if they are not the machine's
#   OUT       the folder for objects and programs
#   PROGRAMS  the sources with a main function
#   CPPFLAGS  further flags
#   ROCKSDB   RocksDB as the linker takes it

STANDARD = c++17
ROCKSDB = -lrocksdb

# Assertions are on.
CXXFLAGS = -std=$(STANDARD) -O2 -D_GLIBCXX_ASSERTIONS -Wall -Wextra -Wshadow \
  -Werror $(CPPFLAGS) -I. -Ifilter_policy/include -MMD -MP

# The policies register themselves, so they are linked whole. Of the rest each
# program takes what it needs. builtin_*.cc are for liboneline.so and for
# static programs.
POLICIES = $(filter-out filter_policy/rocksdb/builtin_%.cc, \
  $(wildcard filter_policy/rocksdb/*.cc filter_policy/leveldb/*.cc))
LIBRARY = $(filter-out %_gen.cc %_test.cc %_fuzz.cc, \
  $(wildcard table/*/*.cc filter_policy/options/*.cc \
    filter_policy/allocation/*.cc membership/filters/*.cc \
    membership/hashes/*.cc membership/storage/*.cc membership/urls/*.cc \
    tools/*/*.cc tests/fuzz/*.cc tests/golden/*.cc tests/table/*.cc \
    tests/filter_policy/*.cc))

# Those of the packages that only benchmarks use are left out.
libraries := $(ROCKSDB) $(filter-out -lrocksdb -lbenchmark -lZydis, \
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
    $(filter %.a,$(ROCKSDB))
	@$(compiler) -o $@ $(filter-out $(ROCKSDB),$^) -Wl,--as-needed $(libraries)

$(OUT)/library.a: $(call objects,$(LIBRARY))
	@rm -f $@
	@$(AR) rcs $@ $^

sources := $(PROGRAMS) $(POLICIES) $(LIBRARY)
$(call objects,$(sources)): $(OUT)/%.o: %.cc tests/cross/programs.mk
	@mkdir -p $(@D)
	@echo "  $<"
	@$(compiler) $(CXXFLAGS) -c -o $@ $<

-include $(sources:%.cc=$(OUT)/%.d)
