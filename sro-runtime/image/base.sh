#!/usr/bin/env bash
# Makes the base of the images from packages of Debian: a Java of the modules that SRO needs (jlink), and of the system what that Java
# loads. No shell, no package manager, nothing that is writable but /tmp; user 65532.
#
# usage: base.sh [--fetch amd64|arm64] OUT.tar
#   --fetch  the newest packages for this architecture are fetched, and nothing is installed; otherwise those of this machine are taken
#   OUT.tar  for -Dsro.image.base=tar://PATH of -Pimage, for docker load, and for skopeo
#
# Needs Debian with JDK 17 and its jmods (JAVA_HOME, or java on the PATH), dpkg and jq; apt and a network for --fetch. Equal packages make
# an equal file, byte for byte. Certificates that Java trusts are those in the JDK's own modules; those of the machine, among which may be
# some of your company or of a proxy, are left out.
set -euo pipefail
export LC_ALL=C TZ=UTC
umask 022

fail() {
  echo "base: $*" >&2
  exit 1
}

architecture=
if [ "${1:-}" = --fetch ]; then
  architecture=${2:-}
  shift 2 || fail "--fetch for which architecture?"
fi
[ $# -eq 1 ] || fail "usage: base.sh [--fetch amd64|arm64] OUT.tar"
out=$(realpath -m "$1")
for command in dpkg-query jq java sha256sum; do
  command -v "$command" > /dev/null || fail "there is no $command"
done
jdk=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}
timestamp=$(sed -n 's|.*<project.build.outputTimestamp>\(.*\)</project.build.outputTimestamp>.*|\1|p' "$(dirname "$0")/../../pom.xml")

# What jdeps finds in the class path of the operator, less what nothing of it reaches; and what only names lead to: elliptic curves for TLS,
# names by DNS, plugins that are zips, options of sockets. ImageJavaTest holds the list to the class path.
modules=java.base,java.logging,java.management,java.naming,java.net.http,java.xml,jdk.crypto.ec,jdk.httpserver,jdk.management,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

# The packages, where their files are, and what dpkg knows of one.
packages=(base-files libc-bin libc6 libgcc-s1 libstdc++6 openjdk-17-jre-headless zlib1g)
if [ -z "$architecture" ]; then
  architecture=$(dpkg --print-architecture)
  system=
  jmods=$jdk/jmods
  packages[5]=$(dpkg-query -S "$(readlink -f "$jdk/bin/java")" | sed 's/:.*//')
  for package in "${packages[@]}"; do
    changed=$(dpkg --verify "$package" | grep -v ' c /' || true)
    [ -z "$changed" ] || fail "files of $package are not those of Debian: $changed"
  done
  control() {
    dpkg-query -s "$1"
  }
else
  system=$work/system
  jmods=$system/usr/lib/jvm/java-17-openjdk-$architecture/jmods
  mkdir -p "$system" "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$work/debs"
  apt=(apt-get -qq -o "APT::Architecture=$architecture" -o "APT::Architectures::=$architecture" -o APT::Sandbox::User=root
    -o "Dir::State::lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache")
  "${apt[@]}" update > "$work/apt/log" 2>&1 || fail "no lists of packages: $(cat "$work/apt/log")"
  # Documents of libgcc and libstdc++ are in gcc-12-base.
  (cd "$work/debs" && "${apt[@]}" download "${packages[@]}" gcc-12-base openjdk-17-jdk-headless) > "$work/apt/log" 2>&1 || fail "no packages: $(cat "$work/apt/log")"
  for file in "$work"/debs/*.deb; do
    dpkg-deb -x "$file" "$system"
  done
  control() {
    dpkg-deb -f "$work/debs/$1"_*.deb
  }
fi
[ -f "$jmods/java.base.jmod" ] || fail "there is no $jmods: install openjdk-17-jdk-headless"

# What Java's own libraries load, and they.
libraries=(libc.so.6 libdl.so.2 libgcc_s.so.1 libm.so.6 libpthread.so.0 libresolv.so.2 librt.so.1 libstdc++.so.6 libz.so.1)
case $architecture in
  amd64) triplet=x86_64-linux-gnu loader=/lib64/ld-linux-x86-64.so.2 ;;
  arm64) triplet=aarch64-linux-gnu loader=/lib/ld-linux-aarch64.so.1 ;;
  *) fail "no image is made for $architecture" ;;
esac
lib=$root/usr/lib/$triplet
mkdir -p "$lib" "$root/dev" "$root/etc" "$root/home/nonroot" "$root/opt" "$root/proc" "$root/tmp" "$root/usr/bin" "$root/usr/lib64" \
  "$root/usr/lib/locale" "$root/usr/share/doc" "$root/var/lib/dpkg/status.d"
ln -s usr/bin "$root/bin"
ln -s usr/lib "$root/lib"
ln -s usr/lib64 "$root/lib64"
for library in "${loader##*/}" "${libraries[@]}"; do
  file=$(find "$system/lib/$triplet" "$system/usr/lib/$triplet" -maxdepth 1 -name "$library" 2> /dev/null | sed -n 1p)
  [ -n "$file" ] || fail "there is no $library"
  cp -L "$file" "$lib/$library"
  chmod 755 "$lib/$library"
done
ln -s --relative "$lib/${loader##*/}" "$root$loader"
# Names of files and messages are UTF-8.
cp -r "$system/usr/lib/locale/C.utf8" "$root/usr/lib/locale"

"$jdk/bin/jlink" --module-path "$jmods" --add-modules "$modules" --no-header-files --no-man-pages --output "$root/opt/java"
rm -f "$root/opt/java/lib/jexec" "$root/opt/java/bin/rmiregistry"
[ -z "$(find "$root/opt/java" -xtype l)" ] || fail "links of Java's lead nowhere: $(find "$root/opt/java" -xtype l)"
java=$(sed -n 's/^JAVA_VERSION="\(.*\)"$/\1/p' "$root/opt/java/release")

cp "$system/usr/lib/os-release" "$root/usr/lib/os-release"
ln -s ../usr/lib/os-release "$root/etc/os-release"
printf '%s\n' 'root:x:0:0:root:/:/sbin/nologin' 'nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin' > "$root/etc/passwd"
printf '%s\n' 'root:x:0:' 'nonroot:x:65532:' > "$root/etc/group"
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"

# What is from which package, for scanners, and their licences.
for package in "${packages[@]}"; do
  control "$package" | grep -v '^Conffiles:\|^ /etc/' > "$root/var/lib/dpkg/status.d/$package"
  mkdir -p "$root/usr/share/doc/$package"
  cp -L "$system/usr/share/doc/$package/copyright" "$root/usr/share/doc/$package/copyright"
done
find "$root" -type d -exec chmod 755 {} +
find "$root" -type f ! -perm -u+x -exec chmod 644 {} +
find "$root" -type f -perm -u+x -exec chmod 755 {} +
chmod 1777 "$root/tmp"

# One layer, then what docker load reads.
archive() {
  # Jib takes no "./".
  (cd "$1" && tar --sort=name --mtime=@1 --owner=0 --group=0 --numeric-owner --format=gnu -cf "$2" -- *)
}
mkdir "$work/image"
archive "$root" "$work/image/layer.tar"
layer=$(sha256sum "$work/image/layer.tar" | cut -d' ' -f1)
jq -cnS --arg layer "sha256:$layer" --arg time "$timestamp" --arg architecture "$architecture" --arg java "$java" '{
  architecture: $architecture, os: "linux", created: $time,
  config: {User: "65532:65532", WorkingDir: "/", Env: ["PATH=/opt/java/bin", "JAVA_HOME=/opt/java", "LANG=C.UTF-8"],
    Labels: {"dev.sro.base.java": $java}},
  rootfs: {type: "layers", diff_ids: [$layer]}, history: [{created: $time, created_by: "sro-runtime/image/base.sh"}]}' > "$work/config"
config=$(sha256sum "$work/config" | cut -d' ' -f1)
mv "$work/config" "$work/image/$config.json"
mkdir "$work/image/$layer"
mv "$work/image/layer.tar" "$work/image/$layer/layer.tar"
jq -cn --arg config "$config.json" --arg layer "$layer/layer.tar" --arg tag "sro-base:$java" \
  '[{Config: $config, RepoTags: [$tag], Layers: [$layer]}]' > "$work/image/manifest.json"
mkdir -p "$(dirname "$out")"
archive "$work/image" "$out"
echo "base: Java $java with $(tr ',' '\n' <<< "$modules" | wc -l) modules for $architecture, of ${#packages[@]} packages, $(($(stat -c %s "$out") >> 20)) MiB: $out"
