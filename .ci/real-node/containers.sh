#!/usr/bin/env bash
# containers.sh DIRECTORY: builds containerd, the network plugins of its pods, and the program that pods of tests run.
set -euo pipefail
out=$1
cd "$(dirname "$0")/here"
export GOFLAGS=-mod=readonly GOWORK=off CGO_ENABLED=0
version=$(awk '$1 == "github.com/containerd/containerd/v2" { print $2 }' go.mod)
go build -trimpath -ldflags "-s -w -X github.com/containerd/containerd/v2/version.Version=$version" -o "$out/" \
  github.com/containerd/containerd/v2/cmd/containerd github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2
go build -trimpath -ldflags "-s -w" -o "$out/" github.com/containernetworking/plugins/plugins/main/{ptp,loopback} \
  github.com/containernetworking/plugins/plugins/ipam/host-local
cd ../probe
go build -trimpath -ldflags "-s -w" -o "$out/probe" .
