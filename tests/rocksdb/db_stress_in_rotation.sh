#!/bin/sh
# Becomes RocksDB's db_stress, with the next filter policy of the list below. The
# runs of db_crashtest.py go on with one database, so tables with filters of all
# these policies lie side by side. Called by db_crashtest.py, for
# stress.sh, which sets
#
#   STRESS_DB_STRESS  the program
#   STRESS_RUNS       a folder that gets one folder for each run
set -eu
run=1
while ! mkdir "$STRESS_RUNS/$run" 2>/dev/null; do run=$((run + 1)); done

unset ONELINE_STRESS_POLICY ONELINE_REPLACE_BUILTIN
policy() { export ONELINE_STRESS_POLICY="{id=oneline;$1}"; }
replace() { export ONELINE_REPLACE_BUILTIN="$1"; }
case $((run % 10)) in
  1) policy 'bits_per_key=10' ;;
  2) ;; # RocksDB's own
  3) policy 'kind=bloom;bits_per_key=14;bits_by_level=false' ;;
  4) replace 1 ;;
  5) policy 'fp_rate=0.01;hash_seed=7' ;;
  6) policy 'level_bits_per_key=16:8:4;bloom_before_level=1' ;;
  7) replace '{id=oneline;kind=bloom;bits_per_key=5.5}' ;;
  8) ;;
  9) policy 'bits_per_key=3' ;;
  0) set -- "$@" --bloom_bits=-1 ;; # none
esac
# db_crashtest.py itself chooses partitions for a sixth of all runs.
[ $((run / 2 % 2)) = 0 ] || set -- "$@" --index_type=2 --partition_filters=1
# In every third run some reads fail, and, while a database is opened, some
# writes. (db_stress ends itself when a later write fails.)
[ $((run % 3)) != 0 ] || set -- "$@" --read_fault_one_in=32 \
  --open_read_fault_one_in=32 --open_write_fault_one_in=16 \
  --open_metadata_write_fault_one_in=8

export ONELINE_STRESS_LOGS="$STRESS_RUNS/$run"
{
  env | grep '^ONELINE_' || true
  echo "$*"
} >"$STRESS_RUNS/$run/command"
# Of two flags of the same name db_stress takes the later.
exec "$STRESS_DB_STRESS" "$@" --statistics=1 --stats_dump_period_sec=1 \
  --set_options_one_in=1000
