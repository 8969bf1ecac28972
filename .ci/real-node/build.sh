#!/usr/bin/env bash
# Makes what tests on a real node run on: a kubelet, a node's disk with two kernels, images, and what QEMU, a registry and git serve.
# Prints the directory that has it all. Everything is kept under ${XDG_CACHE_HOME:-~/.cache}/sro/real-node by what it is made from, and made
# once. No step is done by hand, and nothing keeps running.
#
# usage: build.sh            makes what is missing
#        build.sh --cached   makes nothing; fails if anything is missing
#
# Needs root and the packages below on Debian 12 or newer (amd64), Go for the kubelet and BuildKit, and a mirror of Debian:
# SRO_DEBIAN_MIRROR, by default http://deb.debian.org.
set -euo pipefail
cd "$(dirname "$0")"
. ./lib.sh

programs=(qemu-system-x86_64:qemu-system-x86 docker-registry:docker-registry git:git openssl:openssl)
[[ ${1:-} == --cached ]] || programs+=(debootstrap:debootstrap dpkg-deb:dpkg mke2fs:e2fsprogs cpio:cpio setcap:libcap2-bin xz:xz-utils go:golang)
missing=()
for program in "${programs[@]}"; do
  PATH=$PATH:/usr/sbin:/sbin command -v "${program%%:*}" > /dev/null || missing+=("${program##*:}")
done
((${#missing[@]} == 0)) || fail "not installed: ${missing[*]} (names of Debian's packages)"
[[ $(uname -s)-$(uname -m) == Linux-x86_64 ]] || fail "made for Linux on amd64, not for $(uname -s) on $(uname -m)"
((EUID == 0)) || fail "has to run as root: it makes file systems of a Debian with its owners and devices"
export PATH=$PATH:/usr/sbin:/sbin

if [[ ${1:-} == --cached ]]; then
  piece() {
    local directory
    directory=$(rig_cache)/$1-$(cksum <<< "$2" | cut -d' ' -f1)
    [[ -f $directory/complete ]] || fail "$1 is not made yet: .ci/real-node/build.sh makes it"
    echo "$directory"
  }
fi

if command -v go > /dev/null && ! (cd buildkit && go list -m > /dev/null 2>&1); then
  # Distributions keep Go from fetching a newer one; go.mod asks for one.
  export GOTOOLCHAIN=auto
fi
base=$(piece base "$(cat base.sh)" ./base.sh "${SRO_DEBIAN_MIRROR:-http://deb.debian.org}")
buildkit=$(piece buildkit "$(cat buildkit.sh buildkit/go.mod buildkit/go.sum)" ./buildkit.sh)
kubelet=$(piece kubelet "$(cat kubelet.sh kubelet/go.mod kubelet/go.sum)" ./kubelet.sh)
guest=$(piece guest "$(cat guest.sh guest/init) $base" ./guest.sh "$base")
# shellcheck disable=SC2046 # one word per file
disk=$(piece disk "$(cat disk.sh $(find guest/root -type f | LC_ALL=C sort)) $guest $kubelet" ./disk.sh "$guest" "$kubelet")
images=$(piece images "$(cat images.sh push.sh images/*) $base $guest $buildkit" ./images.sh "$base" "$guest" "$buildkit")
rig=$(piece rig "$guest $disk $images $(cat rig.sh)" ./rig.sh "$guest" "$disk" "$images")
ln -sfn "$(basename "$rig")" "$(rig_cache)/current"
echo "$rig"
