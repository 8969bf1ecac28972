#!/usr/bin/env bash
# buildkit.sh DIRECTORY: builds the programs of the image with the rootless BuildKit, from the sources that buildkit/go.mod names.
set -euo pipefail
out=$1
cd "$(dirname "$0")/buildkit"
export GOFLAGS=-mod=readonly GOWORK=off CGO_ENABLED=0
version=$(awk '$1 == "github.com/moby/buildkit" { print $2 }' go.mod)
flags="-s -w -X github.com/moby/buildkit/version.Version=$version"
go build -trimpath -tags "osusergo netgo" -ldflags "$flags" -o "$out/" \
  github.com/moby/buildkit/cmd/buildctl github.com/moby/buildkit/cmd/buildkitd
go build -trimpath -ldflags "-s -w" -o "$out/rootlesskit" github.com/rootless-containers/rootlesskit/v2/cmd/rootlesskit
# The script that the image starts buildkitd with for the time of one build.
sources=$(go list -m -f '{{.Dir}}' github.com/moby/buildkit)
install -m 755 "$sources/examples/buildctl-daemonless/buildctl-daemonless.sh" "$out/"
