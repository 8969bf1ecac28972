#!/usr/bin/env bash
# stand-ins.sh DIRECTORY: what images are made of that stand in for those of hardware: a shell with its programs, Debian's, and a device
# plugin.
set -euo pipefail
out=$1
cd "$(dirname "$0")/kubelet"
GOFLAGS=-mod=readonly GOWORK=off CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$out/devices" ./devices
cd "$out"
apt-get -q download busybox-static > /dev/null
dpkg-deb --fsys-tarfile busybox-static_*.deb | tar -x --strip-components=2 ./bin/busybox
rm busybox-static_*.deb
# The shell prefers its own programs to files of the same name, and images bring this one.
sed -i 's/modprobe/modprobX/g' busybox
