# What scripts that measure begin with, in bash and in the root of the repository:
#   . bench/report/begin.sh
# It makes the folder $work, also for the programs' databases, which is removed when the script ends.

fail() {
  echo "error: $*" >&2
  exit 1
}

# NUMBER...: fails unless these are whole numbers.
must_be_numbers() {
  local number
  for number; do
    case $number in
      '' | *[!0-9]*)
        echo "error: '$number' is not a number; usage: see $0" >&2
        exit 2
        ;;
    esac
  done
}

# TARGET...: builds them, unless ONELINE_PROGRAMS names a folder that has the programs.
need_programs() {
  [ -z "${ONELINE_PROGRAMS:-}" ] || return 0
  bazel build --noshow_progress --ui_event_filters=-info --show_result=0 "$@"
  export ONELINE_PROGRAMS=$PWD/bazel-bin
}

# COMMAND: begins the results with the machine, and prints it.
begin_results() {
  bench/report/machine.sh "$1" >"$work/results"
  expand -t 22 "$work/results"
}

# [-v NAME=VALUE]... INPUT...: prints tables, and adds what is in them to the results (figures.awk).
add_results() { awk -v published="$work/results" -f bench/report/figures.awk "$@"; }

# Gives the results to the file $FIGURES, if there is one.
publish() { [ -z "${FIGURES:-}" ] || cp "$work/results" "$FIGURES"; }

export LC_ALL=C
work=$(mktemp -d "${TMPDIR:-/tmp}/oneline-bench-XXXXXX")
export TMPDIR=$work
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
