#!/bin/bash
# Builds the Debian packages of third_party/debian/, checks them with lintian, and
# copies them into deb/. Prints how to install them.
set -euo pipefail
cd "$(dirname "$0")/.."
third_party/install.sh cmake debhelper dpkg-dev help2man lintian pkg-config

version=$(dpkg-parsechangelog -l third_party/debian/changelog -SVersion)
header=filter_policy/include/oneline/version.h
released=$(sed -n 's/^#define ONELINE_VERSION "\(.*\)"/\1/p' $header)
if [ "${version%%[~+]*}" != "$released" ]; then
  echo "error: third_party/debian/changelog is for version $version," \
    "$header for $released: make them the same" >&2
  exit 1
fi
# So that apt takes packages for another RocksDB for other ones.
for_rocksdb=$version+rocksdb$(pkg-config --modversion rocksdb)

# dpkg wants debian/ at the top of the sources, so it gets a copy of them.
out=${XDG_CACHE_HOME:-$HOME/.cache}/oneline/deb
rm -rf "$out"
mkdir -p "$out/oneline-$for_rocksdb"
{
  # Also in a tree that is not a checkout.
  git ls-files --cached --others --exclude-standard 2>/dev/null ||
    find . -type f ! -path './bazel-*' ! -path './bench/out/*' ! -path './deb/*'
} | while read -r file; do
  if [ -e "$file" ]; then echo "$file"; fi
done | tar -cf - -T - | tar -xf - -C "$out/oneline-$for_rocksdb"
cd "$out/oneline-$for_rocksdb"
mv third_party/debian debian
sed -i "1s/($version)/($for_rocksdb)/" debian/changelog

# Its log has hundreds of kilobytes; the lines shown are what the build is at.
dpkg-buildpackage --unsigned-source --unsigned-changes 2>&1 | tee "$out/build.log" |
  awk '/^\[ *[0-9]+%\]/ && $0 != last { print; fflush(); last = $0 }' || {
  tail -n 30 "$out/build.log" >&2
  echo "error: the packages were not built; the whole log: $out/build.log" >&2
  exit 1
}
# root may run it as well, as in a container. The authors have no mail address:
# debian/copyright says where to report.
lintian --allow-root --fail-on error,warning \
  --suppress-tags malformed-contact,bogus-mail-host-in-debian-changelog \
  "$out"/*.changes
cd "$OLDPWD"
rm -rf deb
mkdir deb
for package in "$out"/*.deb; do
  case $package in
    *-dbgsym_*) ;;
    *) cp "$package" deb/ ;;
  esac
done
sudo=$([ "$(id -u)" = 0 ] || echo 'sudo ')
echo "To install: ${sudo}apt install$(printf ' ./%s' deb/*.deb)"
