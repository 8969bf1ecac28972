#!/usr/bin/env bash
# Makes what a kubelet on this machine needs: the kubelet of the control plane, containerd, network plugins, programs for pods, and the
# script that starts them in namespaces of their own. Prints the directory that has it all. No kernel is changed and no machine emulated:
# modules cannot be tried with it, and pods start in a second. Everything is kept under ${XDG_CACHE_HOME:-~/.cache}/sro/real-node by what
# it is made from, and made once.
#
# usage: here.sh              makes what is missing
#        here.sh --possible   says nothing where a kubelet can run, and else why not, and fails; makes nothing
#
# Needs Linux, Go and Debian's packages (apt, for busybox-static), and to run anything, root, runc and iproute2.
set -euo pipefail
cd "$(dirname "$0")"
. ./lib.sh
export PATH=$PATH:/usr/sbin:/sbin

if [[ ${1:-} == --possible ]]; then
  [[ $(uname -s) == Linux ]] || fail "no kubelet can run here: this is not Linux"
  ((EUID == 0)) || fail "no kubelet can run here: it takes root"
  for program in runc ip unshare nsenter; do
    command -v "$program" > /dev/null || fail "no kubelet can run here: there is no $program"
  done
  unshare --mount --net --pid --uts --ipc --fork --mount-proc mount -t tmpfs tmpfs /mnt 2> /dev/null \
    || fail "no kubelet can run here: namespaces cannot be made, or nothing mounted in them"
  group=/sys/fs/cgroup/sro-possible
  [[ -f /sys/fs/cgroup/cgroup.controllers ]] || group=/sys/fs/cgroup/memory/sro-possible
  { mkdir "$group" && rmdir "$group"; } 2> /dev/null || fail "no kubelet can run here: control groups cannot be made"
  exit
fi

command -v go > /dev/null || fail "not installed: golang"
if ! (cd here && go list -m > /dev/null 2>&1); then
  # Distributions keep Go from fetching a newer one; go.mod asks for one.
  export GOTOOLCHAIN=auto
fi
kubelet=$(piece kubelet "$(cat kubelet.sh kubelet/go.mod kubelet/go.sum)" ./kubelet.sh)
containers=$(piece containers "$(cat containers.sh here/go.mod here/go.sum probe/go.mod probe/main.go)" ./containers.sh)
stand_ins=$(piece stand-ins "$(cat stand-ins.sh kubelet/go.mod kubelet/go.sum kubelet/devices/main.go)" ./stand-ins.sh)
here=$(piece here "$kubelet $containers $stand_ins $(cat here/node link.sh)" ./link.sh "$kubelet" "$containers" "$stand_ins")
echo "$here"
