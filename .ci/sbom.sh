#!/usr/bin/env bash
# Whether the SBOM of a release has the jars of its archive: each jar of it, by its hash, and no other. Needs jq.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "sbom: $*" >&2
  exit 1
}

version=$(awk 'match($0, /<version>[^<]+/) { print substr($0, RSTART + 9, RLENGTH - 9); exit }' pom.xml)
release=$PWD/sro-runtime/release/target/release
sbom=$release/sro-$version.cdx.json
[ -f "$sbom" ] || fail "there is no $sbom: run ./mvnw -Prelease -DskipTests package first"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xzf "$release/sro-$version.tar.gz" -C "$work"
(cd "$work/sro-$version" && find lib plugins artifacts -name '*.jar' -exec sha256sum {} +) \
  | sed 's|  .*/| |' | LC_ALL=C sort > "$work/jars"
jq -r '.components[] | (.hashes[] | select(.alg == "SHA-256") | .content) + " " + .name + "-" + .version + ".jar"' "$sbom" \
  | LC_ALL=C sort > "$work/components"
diff "$work/jars" "$work/components" > "$work/differences" \
  || fail "the archive (<) and its SBOM (>) differ: $(cat "$work/differences")"
jq -e '[.components[] | select((.licenses // []) | length == 0)] | length == 0' "$sbom" > "$work/licensed" \
  || fail "no licence is told of $(jq -r '[.components[] | select((.licenses // []) | length == 0) | .name] | join(", ")' "$sbom")"
echo "sbom: $(wc -l < "$work/jars") jars, each with its hash and licence, and none besides"
