# What scripts that measure begin with, in bash and in the root of the repository:
#   . bench/report/begin.sh
# It makes the folder $work, which is removed when the script ends.

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

# NAME ARGUMENT...: makes and prints the folder of the results that NAME keeps and measured with these arguments: in $OUT,
# or in ~/.cache/oneline/NAME.
kept_folder() {
  local folder=${OUT:-${XDG_CACHE_HOME:-$HOME/.cache}/oneline/$1}/$(printf '%s' "${*:2}" | tr -c 'A-Za-z0-9.=_-' _)
  mkdir -p "$folder"
  echo "$folder"
}

# FILE: results in the form of docs/internals/figures/, which the file $FIGURES gets, too.
publish() { [ -z "${FIGURES:-}" ] || cp "$1" "$FIGURES"; }

work=$(mktemp -d "${TMPDIR:-/tmp}/oneline-bench-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
