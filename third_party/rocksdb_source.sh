#!/bin/sh
# Prints the folder with the source of the installed RocksDB, from the
# distribution's source package. It is kept in the cache folder, outside the
# repository.
set -eu
cd "$(dirname "$0")"
version=$(dpkg-query -W -f='${Version}' librocksdb-dev)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/oneline/rocksdb-$version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ ! -d "$cache/source" ]; then
  ./install.sh dpkg-dev >&2
  # Separate package lists, made from the machine's sources with deb turned into
  # deb-src, so that nothing changes in /etc/apt.
  mkdir -p "$work/sources" "$work/lists/partial" "$cache"
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    case $list in
      *.list) sed -n 's/^deb /deb-src /p' "$list" ;;
      *.sources) sed 's/^Types:.*/Types: deb-src/' "$list" ;;
      *) continue ;;
    esac >"$work/sources/$(basename "$list")" 2>/dev/null || true
  done
  (
    cd "$work"
    set -- -o Dir::Etc::SourceList=/dev/null \
      -o Dir::Etc::SourceParts="$work/sources" \
      -o Dir::State::Lists="$work/lists" -o APT::Sandbox::User=root
    apt-get "$@" update && apt-get "$@" --download-only source "rocksdb=$version"
  ) >"$work/log" 2>&1 && dpkg-source --no-check -x "$work"/rocksdb_*.dsc \
    "$work/source" >>"$work/log" 2>&1 || {
    tail -n 5 "$work/log" >&2
    echo "error: cannot fetch the source package rocksdb=$version" >&2
    exit 1
  }
  mv "$work/source" "$cache/source"
fi
echo "$cache/source"
