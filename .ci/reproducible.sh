#!/usr/bin/env bash
# Builds once more in another folder, and compares what the two builds made: the jars of all modules, the files of a release, and both images
# (on the base that there is; its own file is compared too). Fails, and says which, if one is not the same byte for byte.
#
# usage: reproducible.sh [--quick] [BASE]
#   --quick  the first build is in target/quick: it was made with -Pquick, as the second one is
#   BASE     of the images, as -Dsro.image.base has it; scratch if none is named. The one that the first build was made on
#
# Needs the files of a first build of the same sources, as .ci/run makes them: ./mvnw verify with -Pimage, then package with -Prelease.
# The second one is made without what judges the code, which changes no class, and without sources and Javadoc.
set -euo pipefail
cd "$(dirname "$0")/.."
built=target
if [ "${1:-}" = --quick ]; then
  built=target/quick
  shift
fi
base=${1:-scratch}

fail() {
  echo "reproducible: $*" >&2
  exit 1
}

version=$(awk 'match($0, /<version>[^<]+/) { print substr($0, RSTART + 9, RLENGTH - 9); exit }' pom.xml)
[ -f "sro-runtime/release/$built/release/SHA256SUMS" ] || fail "there is no release: run ./mvnw -Prelease -DskipTests package first"
[ -f "sro-runtime/$built/sro-operator-image.tar" ] || fail "there is no image: run ./mvnw -Pimage -DskipTests package first"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
second=$work/a/folder/whose/path/has/another/length
mkdir -p "$second"
git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -xf - -C "$second"
(
  cd "$second"
  ./mvnw -B -ntp -q -T1C -Pquick,release,image -Dmaven.test.skip=true -Dmaven.source.skip=true -Dmaven.javadoc.skip=true \
    "-Dsro.image.base=$base" -Dsro.image.base.name=sro-base "-Dsro.agent.image.base=$base" -Dsro.agent.image.base.name=sro-base \
    -pl sro-runtime/release,sro-runtime/agent -am package
)

# A digest and a name for each file; of an image, what its manifest names, which are digests.
digests() {
  local target=$1
  find . -path "*/$target/*-$version.jar" -not -path './benchmarks/*' | grep "/$target/[^/]*$" | LC_ALL=C sort | while read -r file; do
    echo "$(sha256sum < "$file" | cut -d' ' -f1)  ${file##*/}"
  done
  (cd "sro-runtime/release/$target/release" && sha256sum -- *)
  for image in "sro-runtime/$target/sro-operator-image.tar" "sro-runtime/agent/$target/sro-agent-image.tar"; do
    echo "$(tar -xOf "$image" manifest.json)  $(basename "$image")"
  done
}
digests "$built" > "$work/first"
(cd "$second" && digests target/quick) > "$work/second"
diff "$work/first" "$work/second" > "$work/differences" || fail "two builds differ: $(cat "$work/differences")"
echo "reproducible: $(wc -l < "$work/first") files are the same in two builds: jars, the files of a release, the operator's and the agent's image"
