#!/usr/bin/env bash
# Builds the control plane that `./mvnw verify -Pcluster` runs on: kube-apiserver, kube-controller-manager, kube-scheduler, etcd
# and KWOK, from the sources that go.mod and kwok/go.mod name. Prints the directory that holds them. A directory that is there
# already and was made from the same files is used again; a build that breaks off leaves none.
#
# usage: build.sh [DIRECTORY]    default: ${XDG_CACHE_HOME:-~/.cache}/sro/control-plane/VERSION-OS-ARCH
#
# Needs Go 1.26, or Go 1.21 and newer where it may fetch 1.26. The first build takes a quarter of an hour on two cores.
set -euo pipefail

fail() {
  echo "control plane: $*" >&2
  exit 1
}

say() {
  echo "control plane: $*" >&2
}

here=$(cd "$(dirname "$0")" && pwd)
cd "$here"

command -v go > /dev/null || fail "no Go on the PATH. Install Go 1.21 or newer, or set SRO_CONTROL_PLANE_DIR to a directory with the binaries."
if ! go list -m > /dev/null 2>&1; then
  # Distributions keep Go from fetching a newer one; go.mod asks for one.
  export GOTOOLCHAIN=auto
  go list -m > /dev/null || fail "$(go version) cannot build it: Go 1.26 is needed, and fetching it did not work."
fi

version_of() { # MODULE FILE
  awk -v module="$1" '$1 == "require" { $1 = ""; $0 = $0 } $1 == module && $2 ~ /^v/ { print $2; exit }' "$2"
}

kubernetes=$(version_of k8s.io/kubernetes go.mod)
etcd=$(version_of go.etcd.io/etcd/server/v3 go.mod)
kwok=$(version_of sigs.k8s.io/kwok kwok/go.mod)
[[ -n $kubernetes && -n $etcd && -n $kwok ]] || fail "go.mod or kwok/go.mod names no version."

platform=$(go env GOHOSTOS)-$(go env GOHOSTARCH)
cache=${XDG_CACHE_HOME:-${HOME:?control plane: neither XDG_CACHE_HOME nor HOME is set}/.cache}
directory=${1:-$cache/sro/control-plane/${kubernetes#v}-$platform}
# How it is built, below, belongs to what it is built from: a change there goes with a new number here.
recipe=1
stamp="recipe $recipe, $(cat go.mod go.sum kwok/go.mod kwok/go.sum | cksum)"

complete() {
  [[ -f $directory/built-from && $(cat "$directory/built-from") == "$stamp" ]]
}

if complete; then
  echo "$directory"
  exit 0
fi

mkdir -p "$(dirname "$directory")"
if command -v flock > /dev/null; then
  # Two builds at once would take as long as both together.
  exec 9> "$directory.lock"
  flock 9
  if complete; then
    echo "$directory"
    exit 0
  fi
fi

started=$SECONDS
work=$(mktemp -d "$directory.tmp-XXXXXX")
trap 'rm -rf "$work"' EXIT

# A mistake in go.sum shall be an error, not a change in the working tree.
export CGO_ENABLED=0 GOFLAGS=-mod=readonly GOWORK=off GOOS="" GOARCH=""
major=${kubernetes#v}
minor=${major#*.}
major=${major%%.*}
minor=${minor%%.*}
flags="-s -w"
for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
  flags+=" -X $package.gitVersion=$kubernetes -X $package.gitMajor=$major -X $package.gitMinor=$minor -X $package.gitTreeState=clean"
done

say "building Kubernetes $kubernetes, etcd $etcd, KWOK $kwok into $directory"
go build -trimpath -ldflags "-s -w" -o "$work/etcd" go.etcd.io/etcd/server/v3 || fail "etcd does not build."
say "etcd: $((SECONDS - started)) s"
go build -C kwok -trimpath -ldflags "-s -w -X sigs.k8s.io/kwok/pkg/consts.Version=${kwok#v}" -o "$work/kwok" sigs.k8s.io/kwok/cmd/kwok || fail "KWOK does not build."
say "kwok: $((SECONDS - started)) s"
for command in kube-apiserver kube-controller-manager kube-scheduler; do
  go build -trimpath -ldflags "$flags" -o "$work/$command" "k8s.io/kubernetes/cmd/$command" || fail "$command does not build."
  say "$command: $((SECONDS - started)) s"
done

printf 'Kubernetes %s\netcd %s\nKWOK %s\n' "$kubernetes" "$etcd" "$kwok" > "$work/versions"
echo "$stamp" > "$work/built-from"
chmod 755 "$work"
rm -rf "$directory"
mv "$work" "$directory"
trap - EXIT
say "built in $((SECONDS - started)) s"
echo "$directory"
