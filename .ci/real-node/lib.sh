# For the scripts of the rig, which source it: messages, and pieces that are made once.

fail() {
  echo "real node: $*" >&2
  exit 1
}

say() {
  echo "real node: $*" >&2
}

rig_cache() {
  echo "${XDG_CACHE_HOME:-${HOME:?real node: neither XDG_CACHE_HOME nor HOME is set}/.cache}/sro/real-node"
}

# piece NAME STAMP SCRIPT [ARGUMENT...]: prints the directory of a piece. One that was made from the same stamp is used again; otherwise
# SCRIPT makes it in a new directory, its first argument. One that breaks off leaves none.
piece() {
  local name=$1 stamp=$2 script=$3 directory work
  shift 3
  directory=$(rig_cache)/$name-$(cksum <<< "$stamp" | cut -d' ' -f1)
  mkdir -p "$(dirname "$directory")"
  (
    exec 9> "$directory.lock"
    flock 9
    [[ -f $directory/complete ]] && exit 0
    started=$SECONDS
    work=$(mktemp -d "$directory.tmp-XXXXXX")
    trap 'rm -rf --one-file-system "$work"' EXIT
    say "making $name"
    "$script" "$work" "$@" >&2 9>&- || fail "$name could not be made; what it said last stands above"
    echo "$stamp" > "$work/complete"
    chmod 755 "$work"
    rm -rf --one-file-system "$directory"
    mv "$work" "$directory"
    trap - EXIT
    say "$name: $((SECONDS - started)) s"
  ) || exit 1
  echo "$directory"
}
