# Places files on a node, keeps them there, and takes them away again. POSIX sh and its builtins; beside these cat, mkdir, mv, rm
# and sleep. What is to be placed is in $SRO_FILES: "targets" has a line "KEY PATH" for each file, and KEY is its content.
#
# A record on the node says whose files these are: the first line is the uid of the pod that placed them last, the others are paths.
# It is written before the first file and after the last one, so that whatever happens in between, nothing is there that is not in
# it. The pod that is in it removes the files when it stops, unless another one has put itself into it: so files stay while one pod
# follows another.
set -u
umask 022
: "${SRO_HOST:=/host}" "${SRO_FILES:=/sro}" "${SRO_HANDOVER:=15}" "${SRO_EVERY:=60}"
record=$SRO_HOST/var/lib/sro/runtime/$SRO_NAME
nl='
'

say() { printf '%s\n' "$*"; }

# The last line is what the pod's status shows.
fail() { printf '%s\n' "$*" >&2; exit 1; }

owner() {
    who=
    if [ -r "$record" ]; then read -r who < "$record" || :; fi
    printf '%s' "$who"
}

mine() { [ "$(owner)" = "$SRO_OWNER" ]; }

# All paths in the record.
recorded() {
    [ -r "$record" ] || return 0
    {
        read -r who || :
        while read -r path; do printf '%s\n' "$path"; done
    } < "$record"
}

# All paths that are wanted.
wanted() { while read -r key path; do printf '%s\n' "$path"; done < "$SRO_FILES/targets"; }

# LIST PATH
has() { case $nl$1$nl in *"$nl$2$nl"*) return 0 ;; *) return 1 ;; esac; }

# KEY PATH
same() {
    [ -f "$SRO_HOST$2" ] && [ ! -L "$SRO_HOST$2" ] && [ "$(cat "$SRO_FILES/$1")" = "$(cat "$SRO_HOST$2")" ]
}

# TARGET SOURCE: at once, under a name that no container runtime reads before.
put() {
    new=${1%/*}/.${1##*/}.sro-tmp
    mkdir -p "${1%/*}" && cat "$2" > "$new" && mv -f "$new" "$1" || fail "cannot write ${1#"$SRO_HOST"}"
}

# PATH...
note() {
    mkdir -p "${record%/*}" && printf '%s\n' "$SRO_OWNER" "$@" > "$record.sro-tmp" && mv -f "$record.sro-tmp" "$record" \
        || fail "cannot write ${record#"$SRO_HOST"}"
}

place() {
    before=$(recorded)
    after=$(wanted)
    while read -r key path; do
        if [ -e "$SRO_HOST$path" ] || [ -L "$SRO_HOST$path" ]; then
            has "$before" "$path" || same "$key" "$path" \
                || fail "$path is on the node and was not put there by SRO for $SRO_NAME; move it away"
        fi
    done < "$SRO_FILES/targets"
    set -f
    # shellcheck disable=SC2086
    note $before $after
    while read -r key path; do
        if ! same "$key" "$path"; then
            put "$SRO_HOST$path" "$SRO_FILES/$key"
            say "placed $path"
        fi
    done < "$SRO_FILES/targets"
    for path in $before; do
        if ! has "$after" "$path"; then
            rm -f "$SRO_HOST$path" || fail "cannot remove $path"
            say "removed $path"
        fi
    done
    # shellcheck disable=SC2086
    note $after
    set +f
}

check() {
    mine || fail "another pod has placed the files of $SRO_NAME, or its record on the node is gone"
    while read -r key path; do
        same "$key" "$path" || fail "$path is not on the node as SRO puts it there"
    done < "$SRO_FILES/targets"
}

remove() {
    set -f
    for path in $(recorded); do
        rm -f "$SRO_HOST$path" || fail "cannot remove $path"
        say "removed $path"
    done
    set +f
    rm -f "$record" || fail "cannot remove ${record#"$SRO_HOST"}"
}

# Who follows takes over within a few seconds.
leave() {
    left=$SRO_HANDOVER
    while [ "$left" -gt 0 ] && mine; do
        sleep 1
        left=$((left - 1))
    done
    if mine; then remove; fi
}

run() {
    trap 'leave; exit 0' TERM INT
    place
    while :; do
        sleep "$SRO_EVERY" &
        wait "$!" || :
        if mine && ! (check) 2> /dev/null; then place; fi
    done
}

case $1 in
    run) run ;;
    place) place ;;
    check) check ;;
    remove) if mine; then remove; fi ;;
    *) fail "unknown task $1" ;;
esac
