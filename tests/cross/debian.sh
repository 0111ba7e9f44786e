#!/bin/sh
# Builds everything and runs every test, with assertions, in another release of
# Debian: with its compiler, its RocksDB and its other libraries. Ends with the
# line `N passed, N failed`.
# Usage: debian.sh RELEASE [RUN...] [//TARGET...]
#
# RUN and TARGET are those of tests/run.sh, so that less can be asked for. On a
# machine with Debian's packages, from whose mirror the base system comes. It and
# what is built in it are kept in ${XDG_CACHE_HOME:-~/.cache}/oneline.
set -eu
cd "$(dirname "$0")/../.."
release=$1
shift
[ $# != 0 ] || set -- checked
root=${XDG_CACHE_HOME:-$HOME/.cache}/oneline/debian-$release
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo

# What a mirror is for is known once its lists have been fetched.
mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
    'Origin: Debian' 'Label: Debian' | head -n 1
}

make_root() {
  third_party/install.sh debootstrap
  [ -n "$(mirror)" ] || $as_root apt-get update >/dev/null
  if [ -z "$(mirror)" ]; then
    echo "error: this machine's sources of packages name no mirror of Debian" >&2
    exit 1
  fi
  mkdir -p "$(dirname "$root")"
  work=$(mktemp -d "$root.XXXXXX")
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
    mkdir "$1/oneline" && mv "$1" "$2"' sh "$work/root" "$root"
  $as_root rm -rf "$work"
}

# COMMAND...: runs it in the root. The repository is its working directory and can
# only be read. Processes and mounts end with it.
in_root() {
  $as_root unshare --mount --pid --fork --kill-child sh -c '
    set -eu
    repository=$1
    root=$2
    shift 2
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -o bind,ro "$repository" "$root/oneline"
    cat /etc/resolv.conf >"$root/etc/resolv.conf"
    exec chroot "$root" env -u TMPDIR -u XDG_CACHE_HOME HOME=/root LC_ALL=C.UTF-8 \
      sh -c "cd /oneline && exec \"\$@\"" sh "$@"
  ' sh "$PWD" "$root" "$@"
}

[ -d "$root" ] || make_root
in_root third_party/install.sh
in_root dpkg-query -W -f '${Package} ${Version}\n' g++ librocksdb-dev libabsl-dev
in_root tests/run.sh "$@"
