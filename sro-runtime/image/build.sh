#!/usr/bin/env bash
# Builds the operator's image, or the agent's, on the base that base.sh makes, with the classes that it loads in the form in which that
# very Java has them in memory: it starts in half of the time. Runs it in the image, and says how long that took.
#
# usage: build.sh [--built] [--agent] [OUT.tar]
#   --built  the image without that archive is there, built on the base of base.sh: sro-runtime/target/sro-operator-image.tar,
#            sro-runtime/agent/target/sro-agent-image.tar
#   --agent  the image of the node agent
#   OUT.tar  for docker load, skopeo and crane; special-resource-operator.tar or sro-agent.tar in sro-runtime/target/image if none is named
#
# Needs what base.sh and enter.sh need: Debian, a JDK with its jmods, jq, and to be root. SRO_IMAGE_RUNS says how often it is started to
# measure it; 3 times if it does not.
set -euo pipefail
export LC_ALL=C TZ=UTC
umask 022
cd "$(dirname "$0")/../.."
here=sro-runtime/image
target=$PWD/sro-runtime/target
base=$target/image/base.tar

fail() {
  echo "image: $*" >&2
  exit 1
}

built=
what=operator
while [ $# -gt 0 ]; do
  case $1 in
    --built) built=yes ;;
    --agent) what=agent ;;
    *) break ;;
  esac
  shift
done
[ $# -le 1 ] || fail "usage: build.sh [--built] [--agent] [OUT.tar]"
if [ "$what" = agent ]; then
  name=sro-agent
  modules=sro-runtime/demo,sro-runtime/agent
  plain=$PWD/sro-runtime/agent/target/sro-agent-image.tar
  bom=$PWD/sro-runtime/agent/target/image/class-path.cdx.json
  program=FirstRegistration.java
  # Kubelet's directories are root's.
  user=0:0
else
  name=special-resource-operator
  modules=sro-runtime/demo
  plain=$target/sro-operator-image.tar
  bom=$target/image/class-path.cdx.json
  program=FirstReconcile.java
  user=65532:65532
fi
out=$(realpath -m "${1:-$target/image/$name.tar}")
[ "$(id -u)" = 0 ] || fail "needs to be root, to run the $what in the image"
if [ -z "$built" ]; then
  "$here/base.sh" "$base"
  ./mvnw -B -ntp -q -Pimage -DskipTests -pl "$modules" -am package "-Dsro.image.base=tar://$base" -Dsro.image.base.name=sro-base \
    "-Dsro.agent.image.base=tar://$base" -Dsro.agent.image.base.name=sro-base
fi
[ -f "$plain" ] || fail "there is no $plain"
timestamp=$(sed -n 's|.*<project.build.outputTimestamp>\(.*\)</project.build.outputTimestamp>.*|\1|p' pom.xml)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/parts" "$work/root" "$work/layer"
mkdir -m 777 "$work/share"
tar -xf "$plain" -C "$work/parts"
config=$(jq -r '.[0].Config' "$work/parts/manifest.json")
while read -r layer; do
  tar --warning=no-unknown-keyword -xf "$work/parts/$layer" -C "$work/root"
done < <(jq -r '.[0].Layers[]' "$work/parts/manifest.json")
[ -x "$work/root/opt/java/bin/java" ] || fail "$plain is not on the base of base.sh"

inside=("$PWD/$here/enter.sh" --user "$user" --bind "$work/share")
while read -r variable; do
  inside+=(--env "$variable")
done < <(jq -r '.config.Env[]' "$work/parts/$config")
inside+=("$work/root")
mapfile -t entrypoint < <(jq -r '.config.Entrypoint[]' "$work/parts/$config")
# What runs it is this machine's Java, with the class path of the command line, and what the image has besides.
start() {
  local times=$1
  shift
  "${JAVA_HOME:+$JAVA_HOME/bin/}java" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "$PWD/sro-runtime/demo/target/app/lib/*:$work/root/opt/sro/libs/*" "$here/$program" \
    "$work/share" "$times" "${inside[@]}" "${entrypoint[0]}" "$@" "${entrypoint[@]:1}"
}

# What it loads from its start to Ready and its end; and what only TLS leads to, as the server of this run speaks HTTP. Names alone: the
# numbers of a list are those of its run, and classes of plugins have loaders of their own. picocli's classes are of an old format, which
# must not be linked here. Providers of security and what waits for a lock are there in some runs only.
not_archived='^#| source: |^@lambda-proxy.*picocli|^org/jcp/xml/|^(com/)?sun/security/(jgss|pkcs11|sasl|smartcardio)/'
not_archived+='|^java/security/(AuthProvider|PrivilegedActionException)|^javax/security/(auth|sasl)/|^java/util/concurrent/locks/'
echo "image: the $what runs to see what it loads ..."
start 1 -Xshare:off "-XX:DumpLoadedClassList=$work/share/loaded"
{
  # What Java's own list has besides costs the agent 5 MiB, which an operator does not notice.
  [ "$what" = agent ] || cat "$work/root/opt/java/lib/classlist"
  grep -Ev "$not_archived" "$work/share/loaded" | sed 's/ id: .*//'
  "$(dirname "$(readlink -f "$(command -v "${JAVA_HOME:+$JAVA_HOME/bin/}java")")")/jimage" list \
    --include 'regex:.*/(jdk/internal/net/http|sun/security/(ssl|x509|util|validator|ec|provider/certpath))/.*' \
    "$work/root/opt/java/lib/modules" > "$work/share/jimage"
  awk '/^Module: /{ next } /^ +[^ ]+\.class$/ { sub(/^ +/, ""); sub(/\.class$/, ""); print }' "$work/share/jimage" | grep -v 'module-info'
} | sort -u > "$work/share/classes"

# The file has addresses in it: without random ones, most are equal, and not all. It is a layer of its own, and the others are equal.
echo "image: the archive of $(wc -l < "$work/share/classes") classes is made ..."
mkdir -p "$work/layer/opt/sro"
setarch -R "${inside[@]}" java -XX:+UseSerialGC -Xmx128m -Xshare:dump -Xlog:disable -Xlog:all=error:stderr \
  "-XX:SharedClassListFile=$work/share/classes" "-XX:SharedArchiveFile=$work/share/$what.jsa" -cp @/opt/sro/jib-classpath-file
install -m 644 "$work/share/$what.jsa" "$work/layer/opt/sro/$what.jsa"

# One layer more, and the option that names it.
archive() {
  # Jib takes no "./".
  (cd "$1" && tar --sort=name --mtime=@1 --owner=0 --group=0 --numeric-owner --format=gnu -cf "$2" -- *)
}
archive "$work/layer" "$work/layer.tar"
diff=$(sha256sum "$work/layer.tar" | cut -d' ' -f1)
gzip -n -6 "$work/layer.tar"
layer=$(sha256sum "$work/layer.tar.gz" | cut -d' ' -f1).tar.gz
mv "$work/layer.tar.gz" "$work/parts/$layer"
# An archive that Java would make by itself when it ends is none that is there.
jq -cS --arg diff "sha256:$diff" --arg time "$timestamp" --arg archive "/opt/sro/$what.jsa" '
  .config.Entrypoint |= (map(select(test("SharedArchive") | not)) | .[0:1] + ["-XX:SharedArchiveFile=\($archive)"] + .[1:])
  | .rootfs.diff_ids += [$diff]
  | .history += [{created: $time, created_by: "sro-runtime/image/build.sh", comment: "classes"}]' "$work/parts/$config" > "$work/config"
rm "$work/parts/$config"
config=$(sha256sum "$work/config" | cut -d' ' -f1)
mv "$work/config" "$work/parts/$config.json"
jq -cS --arg config "$config.json" --arg layer "$layer" '.[0].Config = $config | .[0].Layers += [$layer]' "$work/parts/manifest.json" \
  > "$work/manifest"
mv "$work/manifest" "$work/parts/manifest.json"
mkdir -p "$(dirname "$out")"
archive "$work/parts" "$out"

# What is in it: each jar by its hash, as the SBOM of the class path knows it, our own jars, and the packages that the base is made of.
(cd "$work/root/opt/sro" && find . -name '*.jar' -exec sha256sum {} +) > "$work/jars"
for package in "$work"/root/var/lib/dpkg/status.d/*; do
  awk '/^Package: /{ name = $2 } /^Version: /{ version = $2 } /^Architecture: /{ arch = $2 } END { print name, version, arch }' "$package"
done > "$work/packages"
jq -nS --slurpfile known "$bom" --rawfile jars "$work/jars" --rawfile packages "$work/packages" --arg config "$config" --arg name "$name" '
  def lines: split("\n") | map(select(. != ""));
  ($known[0].components | map({key: (.hashes[] | select(.alg == "SHA-256") | .content), value: .}) | from_entries) as $by
  | ($jars | lines | map([.[0:64], .[66:]]) | sort) as $jars
  | $known[0]
  | .metadata.component = {type: "container", $name, version: .metadata.component.version,
      "bom-ref": "image", hashes: [{alg: "SHA-256", content: $config}]}
  | .components = ($jars | map(. as [$hash, $file] | $by[$hash]
      // ($file | sub(".*/"; "") | capture("^(?<name>sro-[a-z-]+)-(?<version>[0-9].*)[.]jar$")
        | {type: "library", group: "dev.sro", name, version, purl: "pkg:maven/dev.sro/\(.name)@\(.version)?type=jar",
          "bom-ref": "pkg:maven/dev.sro/\(.name)@\(.version)?type=jar", hashes: [{alg: "SHA-256", content: $hash}],
          licenses: [{license: {id: "Apache-2.0"}}]})))
    + ($packages | lines | map(split(" ") as [$name, $version, $arch]
      | "pkg:deb/debian/\($name)@\($version | @uri)?arch=\($arch)" as $purl
      | {type: "library", name: $name, version: $version, purl: $purl, "bom-ref": $purl}))
  | (.components | map(."bom-ref")) as $here
  | .dependencies = ([{ref: "image", dependsOn: $here}]
    + [.dependencies[]? | select(.ref as $ref | $here | index($ref)) | .dependsOn |= map(select(. as $on | $here | index($on)))])' \
  > "${out%.tar}.cdx.json"
[ "$(jq '.components | length' "${out%.tar}.cdx.json")" = "$(cat "$work/jars" "$work/packages" | wc -l)" ] \
  || fail "the SBOM does not have all jars and packages"

# As a container starts it. Of the operator the first one brings the special resource to Ready, the others find it so.
cp -r --preserve=mode,timestamps "$work/layer/opt/sro/$what.jsa" "$work/root/opt/sro/$what.jsa"
mapfile -t entrypoint < <(jq -r '.config.Entrypoint[]' "$work/parts/$config.json")
echo "image: the $what runs in it ..."
start "${SRO_IMAGE_RUNS:-3}"
echo "image: $(jq -r '.[0].RepoTags[0]' "$work/parts/manifest.json"), $(($(stat -c %s "$out") >> 20)) MiB, configuration sha256:$config, classes sha256:$diff: $out"
