#!/bin/sh
# Makes a release of the last commit: the source archive and, from that archive
# in an empty folder with an empty cache, the policy as two files and the Debian
# packages, which are tested there as by `make check-packages`. Prints where they
# are: in ${XDG_CACHE_HOME:-~/.cache}/oneline/release.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define ONELINE_VERSION "\(.*\)"/\1/p' \
  filter_policy/include/oneline/version.h)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/oneline
out=$cache/release

refuse() {
  echo "error: $1" >&2
  exit 1
}
[ -z "$(git status --porcelain)" ] ||
  refuse "there are changes that are not committed: commit or stash them"
grep -q "^## $version, [0-9]" CHANGELOG.md ||
  refuse "CHANGELOG.md has no date for $version"
grep -q "^oneline ($version) " third_party/debian/changelog ||
  refuse "third_party/debian/changelog is not for $version"
rm -rf "$out"
mkdir -p "$out/empty"
archive=$out/oneline-$version.tar.gz
# The same bytes from the same commit.
git archive --prefix="oneline-$version/" HEAD | gzip -9n >"$archive"

tar -xf "$archive" -C "$out/empty"
XDG_CACHE_HOME="$out/empty/cache" "$out/empty/oneline-$version/tests/packages/run.sh"
cp "$out/empty/oneline-$version"/deb/*.deb "$out"
"$out/empty/oneline-$version/third_party/amalgamate.sh" "$out"
rm -rf "$out/empty"
cd "$out"
sha256sum *.tar.gz *.deb oneline.* >SHA256SUMS
cat SHA256SUMS
echo "release: $out"
