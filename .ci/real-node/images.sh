#!/usr/bin/env bash
# images.sh DIRECTORY BASE GUEST BUILDKIT: the images that recipes name, small and made of the distribution's packages, in the files of a
# registry. What they stand in for, in place of the public image of that name:
#   library/debian:13, library/ubuntu:24.04   Debian 13 with a compiler, make, kmod and the headers of both kernels of the guest
#   library/alpine:3.22                       busybox, kmod, and an apk that only says whether what is asked for is there
#   moby/buildkit:v0.23.2-rootless            BuildKit's own programs with runc, git and newuidmap
#   library/pause:1                           what holds a pod's namespaces
set -euo pipefail
out=$1 base=$2 guest=$3 buildkit=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$out/work
mkdir -p "$work"
trap 'tail -n 40 "$out/log"' ERR
shop=$work/shop
cp -a "$base/root" "$shop"
run() {
  DEBIAN_FRONTEND=noninteractive chroot "$shop" "$@" >> "$out/log" 2>&1
}

# Headers depend on the kernel's image, which no compiler reads: packages without files in its place.
for kernel in $(cat "$guest/kernels"); do
  version=$(chroot "$shop" apt-cache show "linux-headers-$kernel" | awk '$1 == "Version:" { print $2; exit }')
  mkdir -p "$work/empty/DEBIAN"
  printf 'Package: linux-image-%s\nVersion: %s\nArchitecture: amd64\nMaintainer: nobody\nDescription: none\n' \
    "$kernel" "$version" > "$work/empty/DEBIAN/control"
  dpkg-deb -b "$work/empty" "$shop/tmp/image-$kernel.deb" >> "$out/log"
  run dpkg -i "/tmp/image-$kernel.deb"
  rm "$shop/tmp/image-$kernel.deb"
done
# shellcheck disable=SC2046 # one word per kernel
run apt-get install -y build-essential kmod $(sed 's/^/linux-headers-/' "$guest/kernels")
cp -a "$shop" "$work/builder"
run apt-get install -y git uidmap runc busybox-static ca-certificates dash

# copy TARGET PROGRAM...: programs of the workshop with the libraries that they need
copy() {
  local target=$1 program file
  shift
  for program in "$@"; do
    for file in "$program" $(chroot "$shop" ldd "$program" 2> /dev/null | grep -o '/[^ ]*'); do
      mkdir -p "$target$(dirname "$file")"
      cp -L "$shop$file" "$target$file"
    done
  done
}

# small TARGET: a file system with a shell and busybox's commands, but not its modprobe
small() {
  local applet
  mkdir -p "$1"/{etc,tmp,proc,sys,dev,run,root,var/tmp,lib/modules,usr/bin,usr/sbin,usr/lib,usr/lib64}
  rm -rf "$1/lib"
  for applet in bin sbin lib lib64; do ln -s "usr/$applet" "$1/$applet"; done
  chmod 1777 "$1/tmp" "$1/var/tmp"
  copy "$1" /usr/bin/dash /usr/bin/busybox
  ln -s dash "$1/usr/bin/sh"
  for applet in $(chroot "$shop" busybox --list); do
    case $applet in
      sh | ash | busybox | modprobe | insmod | rmmod | lsmod | modinfo | depmod) ;;
      *) ln -s busybox "$1/usr/bin/$applet" ;;
    esac
  done
  printf 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n' > "$1/etc/passwd"
  printf 'root:x:0:\nnogroup:x:65534:\n' > "$1/etc/group"
}

alpine=$work/alpine
small "$alpine"
copy "$alpine" /usr/bin/kmod
mkdir -p "$alpine/usr/lib/modules"
for applet in modprobe insmod rmmod lsmod modinfo depmod; do ln -s ../bin/kmod "$alpine/usr/sbin/$applet"; done
install -m 755 "$here/images/apk" "$alpine/usr/bin/apk"

pause=$work/pause
mkdir -p "$pause"
# Under another name busybox would not know what to do.
cp "$shop/usr/bin/busybox" "$pause/busybox"

rootless=$work/rootless
small "$rootless"
copy "$rootless" /usr/bin/git /usr/lib/git-core/{git-remote-http,git-submodule,git-sh-setup,git-sh-i18n,git-sh-i18n--envsubst} \
  /usr/bin/newuidmap /usr/bin/newgidmap /usr/sbin/runc
ln -s git-remote-http "$rootless/usr/lib/git-core/git-remote-https"
ln -s ../../bin/git "$rootless/usr/lib/git-core/git"
ln -s ../sbin/runc "$rootless/usr/bin/buildkit-runc"
cp -a "$shop/etc/ssl" "$rootless/etc/ssl"
# Set-uid programs do not work everywhere in a container; capabilities of files do, as in the public image.
chmod 755 "$rootless"/usr/bin/new?idmap
setcap cap_setuid=ep "$rootless/usr/bin/newuidmap"
setcap cap_setgid=ep "$rootless/usr/bin/newgidmap"
install -m 755 "$buildkit"/{buildctl,buildkitd,rootlesskit,buildctl-daemonless.sh} "$rootless/usr/bin/"
echo 'user:x:1000:1000::/home/user:/bin/sh' >> "$rootless/etc/passwd"
echo 'user:x:1000:' >> "$rootless/etc/group"
echo user:100000:65536 | tee "$rootless/etc/subuid" > "$rootless/etc/subgid"
mkdir -p "$rootless"/run/user/1000 "$rootless"/home/user/.local/tmp "$rootless"/home/user/.local/share/buildkit
chown -R 1000:1000 "$rootless/run/user/1000" "$rootless/home/user"

# What no module of a kernel is made with.
builder=$work/builder
gcc=$builder/usr/lib/gcc/x86_64-linux-gnu
rm -rf "$builder"/var/cache/* "$builder"/var/lib/apt/lists/* "$builder"/usr/share/{perl,perl5,bash-completion,zoneinfo,locale,doc,gcc,dpkg/*.mk} "$builder"/usr/include/c++ \
  "$builder"/usr/lib/x86_64-linux-gnu/{perl,perl-base/unicore,gconv,lib{asan,tsan,lsan,ubsan,hwasan,itm,quadmath,gomp,atomic}*} "$builder"/usr/lib/x86_64-linux-gnu/*.a \
  "$gcc"/*/{cc1plus,lto*,lib*.a,lib*.so,include/*intrin*.keep,plugin} "$builder"/usr/libexec/gcc/x86_64-linux-gnu/*/{cc1plus,lto1,lto-wrapper,g++*} \
  "$builder"/usr/bin/{*g++*,*-lto-dump*,lto-dump*,gp-*,perl*,x86_64-linux-gnu-gprofng*,gprofng*,x86_64-linux-gnu-dwp} "$builder"/usr/share/{man,info,i18n} \
  "$builder"/usr/src/linux-headers-*-common/{rust,include/dt-bindings,include/drm,include/media,include/sound,tools/testing,arch/x86/{kvm,xen,boot/dts}} "$builder/tmp"/*
: > "$builder/etc/apt/sources.list"

registry=$out/registry
mkdir -p "$registry"
"$here/push.sh" "$registry" << LIST
$builder library/debian:13,library/ubuntu:24.04 {"Cmd":["/bin/bash"]}
$alpine library/alpine:3.22 {"Cmd":["/bin/sh"]}
$pause library/pause:1 {"Entrypoint":["/busybox","sleep","2147483647"]}
$rootless moby/buildkit:v0.23.2-rootless {"User":"1000:1000","Entrypoint":["rootlesskit","buildkitd"],"Env":["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin","HOME=/home/user","USER=user","XDG_RUNTIME_DIR=/run/user/1000","TMPDIR=/home/user/.local/tmp","BUILDKIT_HOST=unix:///run/user/1000/buildkit/buildkitd.sock"]}
LIST
rm -rf --one-file-system "$work"
