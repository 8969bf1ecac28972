#!/usr/bin/env bash
# Builds a command written in Go from the source that a go.mod names, and prints its path. One that is there already and was made
# from the same files is used again; a build that breaks off leaves none. The build.sh beside each go.mod says what it needs.
#
# usage: go-tool.sh FOLDER MODULE COMMAND SETTING RECIPE LINKER-VARIABLE [OPTION OF go build]...
#   FOLDER   beside this script, with go.mod and go.sum; its name is the command's
#   MODULE   the module of go.mod whose version is the command's
#   COMMAND  the package of the command
#   SETTING  the environment variable that names another one, for messages
#   RECIPE   a number; a change of how it is built goes with a new one
#   LINKER-VARIABLE  what gets the version, without its v where the name ends in a minus
# It lies in ${XDG_CACHE_HOME:-~/.cache}/sro/FOLDER/VERSION-OS-ARCH.
set -euo pipefail

name=$1 module=$2 command=$3 setting=$4 recipe=$5 variable=$6
shift 6

fail() {
  echo "$name: $*" >&2
  exit 1
}

cd "$(dirname "$0")/$name"
command -v go > /dev/null || fail "no Go on the PATH. Install Go 1.21 or newer, or set $setting to a $name command."
if ! go list -m > /dev/null 2>&1; then
  # Distributions keep Go from fetching a newer one; go.mod asks for one.
  export GOTOOLCHAIN=auto
  go list -m > /dev/null || fail "$(go version) cannot build it: Go 1.26 is needed, and fetching it did not work."
fi

version=$(awk -v module="$module" '$1 == module { print $2 }' go.mod)
[[ -n $version ]] || fail "go.mod names no version."
told=$version
if [[ $variable == *- ]]; then
  variable=${variable%-}
  told=${version#v}
fi
cache=${XDG_CACHE_HOME:-${HOME:?$name: neither XDG_CACHE_HOME nor HOME is set}/.cache}
directory=$cache/sro/$name/${version#v}-$(go env GOHOSTOS)-$(go env GOHOSTARCH)
sources=$(find . -maxdepth 1 -name '*.go' | LC_ALL=C sort)
# shellcheck disable=SC2086 # one word per file, and none where a module of others is built
stamp="recipe $recipe, $(cat go.mod go.sum $sources | cksum)"

complete() {
  [[ -f $directory/built-from && $(cat "$directory/built-from") == "$stamp" ]]
}

mkdir -p "$(dirname "$directory")"
if ! complete && command -v flock > /dev/null; then
  exec 9> "$directory.lock"
  flock 9
fi
if ! complete; then
  echo "$name: building $version into $directory" >&2
  work=$(mktemp -d "$directory.tmp-XXXXXX")
  trap 'rm -rf "$work"' EXIT
  # A mistake in go.sum shall be an error, not a change in the working tree.
  CGO_ENABLED=0 GOFLAGS=-mod=readonly GOWORK=off GOOS="" GOARCH="" go build -trimpath "$@" \
    -ldflags "-s -w -X $variable=$told" -o "$work/$name" "$command" || fail "it does not build."
  echo "$stamp" > "$work/built-from"
  chmod 755 "$work"
  rm -rf "$directory"
  mv "$work" "$directory"
  trap - EXIT
fi
echo "$directory/$name"
