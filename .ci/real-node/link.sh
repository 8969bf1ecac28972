#!/usr/bin/env bash
# link.sh DIRECTORY KUBELET CONTAINERS STAND_INS: one directory with links to the programs of a node, and the script that starts them.
set -euo pipefail
out=$1 kubelet=$2 containers=$3 stand_ins=$4
for program in "$kubelet/kubelet" "$containers"/{containerd,containerd-shim-runc-v2,ptp,loopback,host-local,probe} "$stand_ins"/{busybox,devices}; do
  ln -s "$program" "$out/$(basename "$program")"
done
install -m 755 here/node "$out/node"
