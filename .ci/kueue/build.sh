#!/usr/bin/env bash
# Fetches the definitions that our example for Kueue is applied to, as its Go module has them. Prints their directory.
#
# Needs Go 1.21 or newer. Nothing is built.
set -euo pipefail

version=v0.19.1
sum=h1:5zAYwG/F8z19noTwCIHsTEckttrThAVJvaskWMT6pYg=

fail() {
  echo "kueue: $*" >&2
  exit 1
}

command -v go > /dev/null || fail "no Go on the PATH. Install Go 1.21 or newer, or set SRO_KUEUE_CRDS to a directory with the definitions."
# Outside of any module: one of ours would be asked for all that Kueue itself needs.
outside=$(mktemp -d)
trap 'rm -rf "$outside"' EXIT
answer=$(cd "$outside" && GOFLAGS="" GOWORK=off go mod download -json "sigs.k8s.io/kueue@$version") || fail "$version cannot be fetched: $answer"
field() { # NAME
  awk -F'"' -v name="$1" '$2 == name { print $4 }' <<< "$answer"
}
[[ $(field Sum) == "$sum" ]] || fail "$version is another one than it was: $(field Sum)"
echo "$(field Dir)/config/components/crd/bases"
