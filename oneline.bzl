"""A folder is a library, and the folder of the same name below tests/ is the program of its tests."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")

# Status and strings, what most folders outside of the core need.
ABSL = [
    "@system//:absl_status",
    "@system//:absl_strings",
]

def _files(patterns, exclude = []):
    """The folder's files of these patterns, of which there may be none."""
    return native.glob(patterns, exclude = exclude, allow_empty = True)

def _all_in_one(name, sources, **kwargs):
    """Makes a source that includes all of these, which is compiled in their place.

    Most of a compiler's time goes into headers that all of them include. What they define in their nameless namespaces
    must have different names, but a local name of one file may stand there in another: -Wno-shadow.
    """
    native.genrule(
        name = name + "_all",
        srcs = sources,
        outs = [name + "_all.cc"],
        cmd = "printf '#include \"%s\"\\n' $(SRCS) >$@",
        **kwargs
    )
    cc_library(
        name = name + "_parts",
        textual_hdrs = sources,
        **kwargs
    )
    return struct(srcs = [name + "_all.cc"], deps = [":" + name + "_parts"], copts = ["-Wno-shadow"])

def _where_whole(value, otherwise):
    """The value in configurations that compile a folder as a whole (.bazelrc), or the other."""
    return select({"//:whole_folders": value, "//conditions:default": otherwise})

def folder_library(
        deps,
        programs = [],
        program_deps = [],
        exclude = [],
        visibility = ["//:__subpackages__"],
        **kwargs):
    """The library of all sources and headers of a folder, with the folder's name; and the files, as "sources".

    Args:
      deps: what it includes.
      programs: sources with a main function, without .cc: each is a program that uses the library.
      program_deps: what they include besides.
      exclude: patterns of files that belong to other targets.
      visibility: of the library.
      **kwargs: as of cc_library.
    """
    name = native.package_name().split("/")[-1]
    exclude = exclude + [program + ".cc" for program in programs]

    apart = struct(srcs = _files(["*.cc"], exclude), deps = [], copts = [])
    whole = apart

    # Kernels define the same macros, plans of measurements the same names.
    if apart.srcs and native.package_name().split("/")[0] not in ["table", "bench"]:
        whole = _all_in_one(name, apart.srcs)
    cc_library(
        name = name,
        srcs = _where_whole(whole.srcs, apart.srcs),
        hdrs = _files(["*.h"], exclude),
        copts = _where_whole(whole.copts, []),
        visibility = visibility,
        deps = deps + _where_whole(whole.deps, []),
        **kwargs
    )
    native.filegroup(
        name = "sources",
        srcs = _files(["*.cc", "*.h", "*.inc"]),
        visibility = ["//:__subpackages__"],
    )
    for program in programs:
        cc_binary(
            name = program,
            srcs = [program + ".cc"],
            visibility = ["//:__subpackages__"],
            deps = [":" + name] + program_deps,
        )

# The minor version, as in filter_policy/include/oneline/version.h.
ABI_VERSION = "0.2"

def shared_library(name, exports, deps):
    """A shared library for programs outside of this tree, NAME.MAJOR.MINOR, and a copy of that name.

    Args:
      name: what the linker looks for. Programs that are linked to the library store its other name.
      exports: a version script.
      deps: what is in it.
    """
    versioned = name + "." + ABI_VERSION
    cc_binary(
        name = versioned,
        additional_linker_inputs = [exports],
        linkopts = [
            "-Wl,--version-script=$(location " + exports + ")",
            "-Wl,-soname," + versioned,
            # A missing symbol is found here and not in somebody's database.
            "-Wl,--no-undefined",
        ],
        linkshared = True,
        visibility = ["//:__subpackages__"],
        deps = deps,
    )
    native.genrule(
        name = name + "_copy",
        srcs = [versioned],
        outs = [name],
        cmd = "cp $< $@",
        visibility = ["//:__subpackages__"],
    )

def test_library(deps, **kwargs):
    """What the tests of a folder share, maybe with those of others, as "shared": all but tests and programs."""
    cc_library(
        name = "shared",
        testonly = True,
        srcs = _files(["*.cc"], ["*_test.cc", "*_gen.cc", "*_fuzz.cc"]),
        hdrs = _files(["*.h"]),
        visibility = ["//tests:__subpackages__"],
        deps = deps + ["//tests:testing"],
        **kwargs
    )

# For no_asan or slow: all tests of the folder, whose program keeps the folder's name.
ALL_TESTS = ["*"]

def folder_tests(
        deps,
        data = [],
        no_asan = [],
        threads = [],
        slow = [],
        no_sandbox = [],
        alone = [],
        shards = 1,
        linkopts = []):
    """The tests of a folder, all files *_test.cc, as one program with the folder's name.

    Args:
      deps: what the tests of the folder include, besides //tests:testing.
      data: files and programs that they use.
      no_asan: tests that AddressSanitizer can't run. What they need is compiled once more.
      threads: tests with more than one thread, the only ones that ThreadSanitizer runs.
        RocksDB is not instrumented: tests to which its own synchronisation matters stay out.
      slow: tests that only `make check` runs: they take long, and guard no data.
      no_sandbox: tests of other users, whom Bazel's sandbox does not have.
        These four lists become programs of their own: NAME_no_asan, NAME_threads, NAME_slow, NAME_no_sandbox.
      alone: tests that change the process for others, or need a process that no other test changed.
        Each is a program with the name of its file.
      shards: into how many runs the program's cases are divided, for more than one core.
      linkopts: as of cc_test.
    """
    folder = native.package_name().split("/")[-1]
    names = [f[:-len(".cc")] for f in _files(["*_test.cc"])]
    all_tags = []
    if no_asan == ALL_TESTS:
        all_tags = ["no_asan"]
        no_asan = []
    if slow == ALL_TESTS:
        all_tags = ["slow"]
        slow = []
    for name in no_asan + threads + slow + no_sandbox + alone:
        if name not in names:
            fail("there is no " + name + ".cc")
    programs = {}
    for name in names:
        tags = (
            (["no_asan"] if name in no_asan else []) +
            (["threads"] if name in threads else []) +
            (["slow"] if name in slow else []) +
            (["no-sandbox"] if name in no_sandbox else [])
        )
        program = name if name in alone else "_".join([folder] + tags).replace("-", "_")
        programs.setdefault(program, struct(srcs = [], tags = tags)).srcs.append(name + ".cc")
    for program, parts in programs.items():
        whole = _all_in_one(program, parts.srcs, testonly = True)
        cc_test(
            name = program,
            srcs = whole.srcs + _files(["*.h"]),
            copts = whole.copts,
            data = data,
            linkopts = linkopts,
            timeout = "long",
            shard_count = min(shards, len(parts.srcs)),
            tags = all_tags + parts.tags,
            deps = deps + whole.deps + ["//tests:testing"],
        )
