#!/bin/sh
# Builds everything and runs every test, with assertions, in another release of
# Debian: with its compiler, its RocksDB and its other libraries. Ends with the
# line `N passed, N failed`.
# Usage: debian.sh RELEASE [RUN...] [//TARGET...]
#
# RUN and TARGET are those of tests/run.sh, so that less can be asked for.
# On a machine with Debian's packages. The release and what is built in it are
# kept in ${XDG_CACHE_HOME:-~/.cache}/oneline.
set -eu
cd "$(dirname "$0")/../.."
release=$1
shift
[ $# != 0 ] || set -- checked
root=${XDG_CACHE_HOME:-$HOME/.cache}/oneline/debian-$release
tests/cross/debian_root.sh "$release" "$root"
tests/cross/in_root.sh "$root" third_party/install.sh
tests/cross/in_root.sh "$root" \
  dpkg-query -W -f '${Package} ${Version}\n' g++ librocksdb-dev libabsl-dev
exec tests/cross/in_root.sh "$root" tests/run.sh "$@"
