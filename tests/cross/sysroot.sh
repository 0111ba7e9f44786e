#!/bin/sh
# Makes a folder with the libraries that our programs need, for another
# architecture: the packages of the distribution, from the machine's own sources.
#
# apt gets lists and a state of its own. The alternative, `dpkg
# --add-architecture`, would change the machine, and would add the files of that
# architecture to the keys of `make demo`.
# Usage: sysroot.sh ARCHITECTURE FOLDER
set -eu
architecture=$1
folder=$2
[ ! -d "$folder" ] || exit 0

mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/root"
: >"$work/status" # nothing is installed: what packages depend on comes, too

apt() {
  apt-get -o APT::Architecture="$architecture" \
    -o APT::Architectures="$architecture" -o Dir::State="$work" \
    -o Dir::State::status="$work/status" -o Dir::State::Lists="$work/lists" \
    -o Dir::Cache="$work" -o Dir::Cache::Archives="$work/archives" \
    -o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false \
    -o APT::Sandbox::User=root "$@"
}

echo "fetching the libraries for $architecture (25 MB) ..." >&2
{
  apt update && apt install -y --no-install-recommends --download-only \
    libabsl-dev libcli11-dev libgtest-dev libleveldb-dev librocksdb-dev libssl-dev \
    libxxhash-dev nlohmann-json3-dev
} >"$work/log" 2>&1 || {
  tail -n 5 "$work/log" >&2
  echo "error: cannot fetch the libraries for $architecture" >&2
  exit 1
}
for package in "$work"/archives/*.deb; do
  dpkg-deb -x "$package" "$work/root"
done
# Links that begin with / would lead to the machine's own files.
find "$work/root" -type l -lname '/*' | while read -r link; do
  ln -sfn "$folder$(readlink "$link")" "$link"
done
mv "$work/root" "$folder"
