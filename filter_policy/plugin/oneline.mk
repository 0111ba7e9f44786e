# The plugin in RocksDB's make build, which includes this file through oneline.mk
# at the top of our tree, $(oneline_root):
#
#   ROCKSDB_PLUGINS=oneline make static_lib
#   ROCKSDB_PLUGINS=oneline ONELINE_REPLACE_BUILTIN=1 make static_lib
#
# CMakeLists.txt has the same lists for RocksDB's CMake build.

oneline_left_out := %_gen.cc %/register_before_main.cc \
  $(oneline_root)table/short_block/%
oneline_replacement :=
ifneq ($(filter-out 0,$(ONELINE_REPLACE_BUILTIN)),)
oneline_LDFLAGS := -Wl,--wrap=_ZN7rocksdb20NewBloomFilterPolicyEdb \
  -Wl,--wrap=_ZN7rocksdb21NewRibbonFilterPolicyEdi
oneline_replacement := filter_policy/replacement/*.cc
endif

oneline_SOURCES := $(patsubst $(oneline_root)%, %, \
  $(filter-out $(oneline_left_out), $(wildcard $(addprefix $(oneline_root), \
    table/*/*.cc filter_policy/options/*.cc filter_policy/plugin/*.cc \
    filter_policy/refilter/*.cc filter_policy/rocksdb/*.cc \
    $(oneline_replacement)))))

oneline_HEADERS := $(addprefix filter_policy/include/oneline/, \
  cache_line_allocator.h filter_options.h level_filters.h refilter.h \
  rocksdb_filter_policy.h version.h)

# RocksDB's make gives these flags to all of its sources, too. -idirafter keeps
# our folders behind RocksDB's own, some of which have the same names.
oneline_CXXFLAGS := -DONELINE_IN_ROCKSDB -idirafter $(oneline_root) \
  -idirafter $(oneline_root)filter_policy/include

# For RocksJava: make rocksdbjavastatic.
oneline_JNI_NATIVE_SOURCES := filter_policy/java/oneline_filter_jni.cc
