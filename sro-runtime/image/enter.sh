#!/usr/bin/env bash
# Runs a command in the files of an image as a container of the Deployment would: as its user, with nothing writable but /tmp, which is
# empty at first and gone afterwards. Signals reach the command. Without a container engine; the network is the machine's.
#
# usage: enter.sh [--user UID:GID] [--bind FOLDER]... [--env NAME=VALUE]... ROOT COMMAND [ARGUMENT]...
#   UID:GID 65532:65532, the user of the operator's image, if none is named
#   FOLDER  of this machine, is there at the same path inside
#   NAME    nothing else is in the environment
#
# Needs Linux and to be root.
set -euo pipefail

fail() {
  echo "enter: $*" >&2
  exit 1
}

if [ "${1:-}" = --inside ]; then
  shift
  user=65532:65532
  binds=()
  environment=()
  while true; do
    case $1 in
      --user) user=$2 ;;
      --bind) binds+=("$2") ;;
      --env) environment+=("$2") ;;
      *) break ;;
    esac
    shift 2
  done
  root=$1
  shift
  mount --make-rprivate /
  mount --bind "$root" "$root"
  mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
  for bind in ${binds[@]+"${binds[@]}"}; do
    mkdir -p "$root$bind"
    mount --bind "$bind" "$root$bind"
  done
  mount -t proc proc "$root/proc"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  for device in null zero random urandom; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
  done
  mount -o remount,bind,ro "$root"
  exec env -i ${environment[@]+"${environment[@]}"} "$(command -v chroot)" --userspec="$user" --groups= "$root" "$@"
fi

[ "$(id -u)" = 0 ] || fail "needs to be root"
command -v unshare > /dev/null || fail "there is no unshare (util-linux)"
exec setpriv --no-new-privs unshare --mount "$0" --inside "$@"
