#!/usr/bin/env bash
# Installs the archive of a release by krew, as docs/admins/releasing.md says, with the lines of that page, in a home that is thrown away.
#
# Needs the archive, as .ci/tutorials.sh does, and the commands that .ci/kubectl/build.sh and .ci/krew/build.sh build.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "krew: $*" >&2
  exit 1
}

release=$PWD/sro-runtime/release/target/release
kubectl=${SRO_KUBECTL:-$(.ci/kubectl/build.sh)}
krew=${SRO_KREW:-$(.ci/krew/build.sh)}
java=$(command -v java) || fail "no java on the PATH"
install=$(grep -m 1 '^kubectl krew install ' docs/admins/releasing.md) || fail "docs/admins/releasing.md does not say how"
status=$(grep -m 1 '^kubectl sro ' docs/admins/releasing.md) || fail "docs/admins/releasing.md calls no command"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/bin" "$work/home"
ln -s "$kubectl" "$work/bin/kubectl"
ln -s "$krew" "$work/bin/kubectl-krew"
export JAVA_HOME=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$java")")")}
export HOME=$work/home KREW_ROOT=$work/krew KUBECONFIG=$work/none
export PATH=$work/bin:$work/krew/bin:$PATH

cd "$release"
echo "\$ $install"
eval "$install"
[[ $(kubectl sro --version) == "sro "* ]] || fail "kubectl sro does not say its version"
kubectl sro explain Forbidden > /dev/null || fail "kubectl sro does not explain a code"
# There is no cluster, which is to be said as such.
echo "\$ $status"
code=0
said=$(eval "$status" 2>&1) || code=$?
echo "$said"
[[ $code == 2 && $said == *cluster* ]] || fail "without a cluster, $status ends with $code"
