#!/usr/bin/env bash
# kubelet.sh DIRECTORY: builds the kubelet that belongs to the control plane, from the same sources and with the same flags.
set -euo pipefail
out=$1
cd "$(dirname "$0")/kubelet"
export GOFLAGS=-mod=readonly GOWORK=off CGO_ENABLED=0
version_of() {
  awk '$1 == "require" { $1 = ""; $0 = $0 } $1 == "k8s.io/kubernetes" && $2 ~ /^v/ { print $2; exit }' "$1"
}
kubernetes=$(version_of go.mod)
wanted=$(version_of ../../control-plane/go.mod)
if [[ $kubernetes != "$wanted" ]]; then
  echo "kubelet/go.mod names Kubernetes $kubernetes, .ci/control-plane/go.mod $wanted: they belong together" >&2
  exit 1
fi
major=${kubernetes#v}
minor=${major#*.}
flags="-s -w"
for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
  flags+=" -X $package.gitVersion=$kubernetes -X $package.gitMajor=${major%%.*} -X $package.gitMinor=${minor%%.*} -X $package.gitTreeState=clean"
done
go build -trimpath -ldflags "$flags" -o "$out/kubelet" k8s.io/kubernetes/cmd/kubelet
