#!/bin/sh
# Runs RocksDB's db_crashtest.py with the programs of a build by
# third_party/build_rocksdb.sh, which may lack the libraries for compression. Its
# databases are below TEST_TMPDIR.
# Usage: crash_test.sh OUT blackbox|whitebox SECONDS [OPTION...]
set -eu
out=$1
type=$2
seconds=$3
shift 3
# RocksDB 10 has managers that choose among the libraries for compression, and
# crash if there are none.
! grep -q '"compression_manager"' "$out/tree/tools/db_crashtest.py" ||
  set -- --compression_manager=none "$@"
# Of two options of the same name db_crashtest.py takes the later.
exec python3 "$out/tree/tools/db_crashtest.py" "$type" \
  --stress_cmd="$out/build/db_stress_tool/db_stress" --duration="$seconds" \
  --compression_type=none --bottommost_compression_type=none \
  --blob_compression_type=none "$@"
