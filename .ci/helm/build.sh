#!/usr/bin/env bash
# Builds the helm command that rendering is compared with, from the source that go.mod names. Prints its path. One that is there
# already and was made from the same files is used again; a build that breaks off leaves none.
#
# usage: build.sh    it lies in ${XDG_CACHE_HOME:-~/.cache}/sro/helm/VERSION-OS-ARCH, where HelmTemplateTest looks
#
# Needs Go 1.26, or Go 1.21 and newer where it may fetch 1.26. The first build takes five minutes on two cores.
set -euo pipefail

fail() {
  echo "helm: $*" >&2
  exit 1
}

cd "$(dirname "$0")"
command -v go > /dev/null || fail "no Go on the PATH. Install Go 1.21 or newer, or set SRO_HELM to a helm command."
if ! go list -m > /dev/null 2>&1; then
  # Distributions keep Go from fetching a newer one; go.mod asks for one.
  export GOTOOLCHAIN=auto
  go list -m > /dev/null || fail "$(go version) cannot build it: Go 1.26 is needed, and fetching it did not work."
fi

version=$(awk '$1 == "helm.sh/helm/v3" { print $2 }' go.mod)
[[ -n $version ]] || fail "go.mod names no version."
cache=${XDG_CACHE_HOME:-${HOME:?helm: neither XDG_CACHE_HOME nor HOME is set}/.cache}
directory=$cache/sro/helm/${version#v}-$(go env GOHOSTOS)-$(go env GOHOSTARCH)
# How it is built, below, belongs to what it is built from: a change there goes with a new number here.
recipe=1
stamp="recipe $recipe, $(cat go.mod go.sum | cksum)"

complete() {
  [[ -f $directory/built-from && $(cat "$directory/built-from") == "$stamp" ]]
}

mkdir -p "$(dirname "$directory")"
if ! complete && command -v flock > /dev/null; then
  exec 9> "$directory.lock"
  flock 9
fi
if ! complete; then
  echo "helm: building $version into $directory" >&2
  work=$(mktemp -d "$directory.tmp-XXXXXX")
  trap 'rm -rf "$work"' EXIT
  # A mistake in go.sum shall be an error, not a change in the working tree.
  CGO_ENABLED=0 GOFLAGS=-mod=readonly GOWORK=off GOOS="" GOARCH="" go build -trimpath \
    -ldflags "-s -w -X helm.sh/helm/v3/internal/version.version=$version" -o "$work/helm" helm.sh/helm/v3/cmd/helm || fail "it does not build."
  echo "$stamp" > "$work/built-from"
  chmod 755 "$work"
  rm -rf "$directory"
  mv "$work" "$directory"
  trap - EXIT
fi
echo "$directory/helm"
