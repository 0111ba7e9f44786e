#!/bin/sh
# Makes a folder with the base system of a release of Debian, from the mirror
# that the machine's own packages come from.
# Usage: debian_root.sh RELEASE FOLDER
set -eu
release=$1
folder=$2
[ ! -d "$folder" ] || exit 0
cd "$(dirname "$0")/../.."
third_party/install.sh debootstrap

as_root=
[ "$(id -u)" = 0 ] || as_root=sudo

# What a mirror is for is known once its lists have been fetched.
mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
    'Origin: Debian' 'Label: Debian' | head -n 1
}
[ -n "$(mirror)" ] || $as_root apt-get update >/dev/null
if [ -z "$(mirror)" ]; then
  echo "error: this machine's sources of packages name no mirror of Debian" >&2
  exit 1
fi

mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.XXXXXX")
trap '$as_root rm -rf --one-file-system "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
chmod 755 "$work"

echo "fetching Debian $release (60 MB) ..." >&2
# Its mounts vanish with the namespace, also if it is interrupted.
$as_root unshare --mount --pid --fork --kill-child \
  debootstrap --variant=minbase "$release" "$work/root" "$(mirror)" \
  >"$work/log" 2>&1 || {
  tail -n 5 "$work/log" >&2
  echo "error: cannot fetch Debian $release" >&2
  exit 1
}
# A root that a power failure damages is made again: dpkg need not wait for the
# disk after each file.
$as_root sh -c 'echo force-unsafe-io >"$1/etc/dpkg/dpkg.cfg.d/unsafe-io" &&
  mkdir "$1/oneline" && mv "$1" "$2"' sh "$work/root" "$folder"
