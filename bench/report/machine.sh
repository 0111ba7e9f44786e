#!/bin/sh
# What a file of results begins with: lines `name <tab> text` about this machine.
# Usage: machine.sh COMMAND
#   COMMAND   what measured the results
set -eu
cd "$(dirname "$0")/../.."
line() { printf '%s\t%s\n' "$1" "$2"; }
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
