#!/bin/sh
# Installs those packages of third_party/packages.txt (and of the command line) that are missing.
# Usage: install.sh [PACKAGE...]
set -eu
wanted="$(sed 's/#.*//' "$(dirname "$0")/packages.txt") $*"
missing=
for package in $wanted; do
  dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
    missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || {
    echo "error: these packages are missing and there is no sudo to install them with:$missing" >&2
    echo "       as root, run: apt-get install$missing" >&2
    exit 1
  }
  as_root=sudo
fi
echo "installing:$missing" >&2
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ $as_root apt-get update && $as_root apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1 || {
  tail -n 20 "$log" >&2
  echo "error: apt-get could not install:$missing" >&2
  exit 1
}
