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

line() { printf '%s\t%s\n' "$1" "$2"; }

# COMMAND: begins the results with lines `name <tab> text` about this machine, and prints them.
begin_results() {
  {
    line date "$(date -u '+%Y-%m-%d %H:%M') UTC"
    line command "$1"
    line processor "$(nproc) of $(lscpu | awk -F': *' '/^Model name/ { n = $2 } /^CPU family/ { f = $2 } /^Model:/ { m = $2 }
      END { print n ", family " f ", model " m }')"
    line caches "$(lscpu | sed -n 's/^ *\(L[123]d*\) cache: */\1 /p' | paste -s -d, | sed 's/,/, /g')"
    line memory "$(awk '/^MemTotal/ { printf "%.0f GB", $2 / 1048576 }' /proc/meminfo)"
    line disk "$(df --output=source,fstype "${TMPDIR:-/tmp}" | awk 'NR == 2 { print $1 ", " $2 }')"
    line system "$(. /etc/os-release && echo "$PRETTY_NAME"), Linux $(uname -r | cut -d- -f1)"
    line load "$(cut -d ' ' -f 1-3 /proc/loadavg) when it began"
    line compiler "$("${CXX:-g++}" --version | head -n 1), -O2, without assertions"
    line oneline "$(git describe --always --dirty 2>/dev/null || echo unknown)"
    line RocksDB "$(dpkg-query -W -f='${Version}' librocksdb-dev) as packaged: Debian 12's has assertions on and AVX2 off, which makes ours look better"
  } >"$work/results"
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
