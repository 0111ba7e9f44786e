#!/bin/sh
# Makes a release of the last commit: the source archive and, from that archive
# in an empty folder, the Debian packages, which are tested there as by
# `make check-packages`. Prints where they are: in
# ${XDG_CACHE_HOME:-~/.cache}/oneline/release.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define ONELINE_VERSION "\(.*\)"/\1/p' \
  filter_policy/include/oneline/version.h)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/oneline
out=$cache/release
rm -rf "$out"
mkdir -p "$out/empty"

if [ -n "$(git status --porcelain)" ]; then
  echo "note: what is not committed is not in the archive" >&2
fi
if ! grep -q "^## $version, [0-9]" CHANGELOG.md; then
  echo "note: CHANGELOG.md has no date for $version" >&2
fi
archive=$out/oneline-$version.tar.gz
# The same bytes from the same commit.
git archive --prefix="oneline-$version/" HEAD | gzip -9n >"$archive"

tar -xf "$archive" -C "$out/empty"
"$out/empty/oneline-$version/tests/packages/run.sh"
cp "$out/empty/oneline-$version"/deb/*.deb "$out"
rm -rf "$out/empty"
cd "$out"
sha256sum *.tar.gz *.deb >SHA256SUMS
cat SHA256SUMS
echo "release: $out"
