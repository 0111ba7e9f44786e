#!/bin/bash
# Gets the keys of the demo, about 7 million file paths of the Debian archive, and prints the name of the
# file that holds them: lines `path <tab> packages`, sorted by path byte by byte, each path once.
#
# The paths come from the archive's Contents index, which apt fetches when apt-file is installed. The result,
# 600 MB, is kept in ${XDG_CACHE_HOME:-~/.cache}/oneline; delete it there to get a new one. If the index
# cannot be fetched, the list has the files of this machine's packages instead, about 50 times fewer.
set -euo pipefail
export LC_ALL=C # sort and match bytes, not letters: the order we need, and faster

cache=${XDG_CACHE_HOME:-$HOME/.cache}/oneline
kept=$cache/debian_paths.tsv
if [ -s "$kept" ]; then
  echo "$kept"
  exit
fi
mkdir -p "$cache"
work=$(mktemp -d "$cache/making.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# The names of the Contents files that apt has fetched, one per line.
contents() {
  apt-get indextargets --format '$(FILENAME)' 'Identifier: Contents-deb'
}

# Makes apt fetch them. The caller must look whether they are there: apt-get succeeds even if only some of
# its sources answer, and fails if one fails that we do not need.
fetch_contents() {
  local as_root=
  [ "$(id -u)" = 0 ] || as_root=sudo
  "$(dirname "$0")/../../third_party/install.sh" apt-file &&
    $as_root apt-get update -o Acquire::Retries=1 -o Acquire::http::Timeout=30
}

# Lines of Contents files are `path  section/package,section/package`; the last blanks separate the two.
split_contents() {
  awk '{
    packages = $NF
    path = substr($0, 1, length($0) - length(packages))
    sub(/[ \t]+$/, "", path)
    gsub(/[^,]*\//, "", packages)
    print path "\t" packages
  }'
}

# dpkg has a file of absolute paths for each installed package.
list_installed() {
  awk 'FNR == 1 {
    package = FILENAME
    sub(/.*\//, "", package)
    sub(/(:[^:]*)?\.list$/, "", package)
  }
  length($0) > 2 { print substr($0, 2) "\t" package }' /var/lib/dpkg/info/*.list
}

sorted() {
  sort -t $'\t' -k 1,1 -u -S 400M -T "$work" -o "$work/sorted"
}

# Gives the sorted list its name. It is complete only now, so a list with that name can be used.
keep_as() {
  mv "$work/sorted" "$1"
  echo "$1"
}

if [ -z "$(contents)" ]; then
  echo "fetching the list of the Debian archive's files (80 MB) ..." >&2
  fetch_contents >"$work/log" 2>&1 || true
fi
if [ -n "$(contents)" ]; then
  echo "sorting the list of the Debian archive's files, to be kept in $cache ..." >&2
  contents | while read -r file; do /usr/lib/apt/apt-helper cat-file "$file" || exit; done | split_contents | sorted
  keep_as "$kept"
else
  echo "apt could not fetch the list of the Debian archive's files: using the files of this machine's packages, which are far fewer" >&2
  list_installed | sorted
  keep_as "$cache/installed_paths.tsv"
fi
