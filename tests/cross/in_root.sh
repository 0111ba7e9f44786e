#!/bin/sh
# Runs a command in a root that debian_root.sh made. The repository is its
# working directory and can only be read. Processes and mounts end with it.
# Usage: in_root.sh FOLDER COMMAND...
set -eu
repository=$(cd "$(dirname "$0")/../.." && pwd)
as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
exec $as_root unshare --mount --pid --fork --kill-child sh -c '
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
' sh "$repository" "$@"
