# Compiles programs with plain compiler commands, for run.sh, which runs it in
# the root of the repository. Objects and programs have their sources' names.
#
#   CXX, AR   of the target, the compiler with its --sysroot
#   OUT       the folder for objects and programs
#   PROGRAMS  the sources with a main function

# Assertions are on. Tests take fewer samples, as under the sanitizers.
CXXFLAGS = -std=c++17 -O2 -D_GLIBCXX_ASSERTIONS -DONELINE_EMULATED -Wall -Wextra \
  -Wshadow -Werror -I. -Ifilter_policy/include -MMD -MP

# The policies register themselves, so they are linked whole. Of the rest each
# program takes what it needs. builtin_*.cc are for liboneline.so and for
# static programs.
policies := $(filter-out filter_policy/rocksdb/builtin_%.cc, \
  $(wildcard filter_policy/rocksdb/*.cc filter_policy/leveldb/*.cc))
library := $(filter-out %_gen.cc %_test.cc, \
  $(wildcard table/*/*.cc filter_policy/options/*.cc \
    filter_policy/allocation/*.cc membership/filters/*.cc \
    membership/hashes/*.cc membership/storage/*.cc membership/urls/*.cc \
    tools/*/*.cc tests/golden/*.cc tests/table/*.cc tests/filter_policy/*.cc))

# Those of the packages that only benchmarks use are left out.
libraries := $(filter-out -lbenchmark -lZydis, \
  $(shell sed -n 's/.*"\(-l[a-zA-Z_]*\)".*/\1/p' third_party/system.BUILD))

objects = $(1:%.cc=$(OUT)/%.o)
binaries := $(PROGRAMS:%.cc=$(OUT)/%)

.PHONY: all
all: $(binaries)

$(binaries): %: %.o $(call objects,$(policies)) $(OUT)/library.a
	@$(CXX) -o $@ $^ -Wl,--as-needed $(libraries)

$(OUT)/library.a: $(call objects,$(library))
	@rm -f $@
	@$(AR) rcs $@ $^

sources := $(PROGRAMS) $(policies) $(library)
$(call objects,$(sources)): $(OUT)/%.o: %.cc tests/cross/programs.mk
	@mkdir -p $(@D)
	@echo "  $<"
	@$(CXX) $(CXXFLAGS) -c -o $@ $<

-include $(sources:%.cc=$(OUT)/%.d)
