# What every plan needs. POSIX sh and its builtins; beside these uname, cp, mv, rm, mkdir, rmdir and sleep, and kmod.
: "${SRO_PROC:=/proc}" "${SRO_SYS:=/sys}" "${SRO_HOST:=/host}" "${SRO_RUN:=/run/sro}" "${SRO_ETC:=/etc}"

say() { printf '%s\n' "$*"; }

# The last line is what the pod's status shows.
fail() { printf '%s\n' "$*" >&2; exit 1; }

# Modules are spelled with dashes and underscores, and the kernel has only underscores.
spelled() {
    word=$1
    while :; do
        case $word in
            *-*) word=${word%%-*}_${word#*-} ;;
            *) break ;;
        esac
    done
    printf '%s' "$word"
}

# NAME: built in or loaded.
present() { [ -d "$SRO_SYS/module/$(spelled "$1")" ]; }

# NAME: loaded, and so to be removed.
loaded() {
    wanted=$(spelled "$1")
    [ -r "$SRO_PROC/modules" ] || return 1
    while read -r found rest; do
        if [ "$found" = "$wanted" ]; then return 0; fi
    done < "$SRO_PROC/modules"
    return 1
}

# NAME: who keeps it from being removed.
users() {
    of=$SRO_SYS/module/$(spelled "$1")
    count=
    if [ -r "$of/refcnt" ]; then read -r count < "$of/refcnt" || :; fi
    holders=
    for holder in "$of"/holders/*; do
        if [ -e "$holder" ]; then holders="$holders ${holder##*/}"; fi
    done
    printf '%s' "module $1 has ${count:-an unknown number of} users${holders:+, among them the modules$holders}"
}

# The node may have been booted since the pod was made; what is loaded now would be reported for the boot before.
same_boot() {
    [ -n "${SRO_BOOT:-}" ] || return 0
    boot=
    read -r boot < "$SRO_PROC/sys/kernel/random/boot_id" || :
    [ "$boot" = "$SRO_BOOT" ] || fail "the node was booted again: its boot id is $boot, this pod was made for $SRO_BOOT"
}

# NAME or NAME=VALUE: of several with one name the last one counts, as for the kernel.
require_argument() {
    line=
    read -r line < "$SRO_PROC/cmdline" || [ -n "$line" ] || fail "cannot read $SRO_PROC/cmdline"
    given=
    set -f
    for word in $line; do
        case $word in "${1%%=*}" | "${1%%=*}="*) given=$word ;; esac
    done
    set +f
    case $1 in
        *=*) [ "$given" = "$1" ] && return 0 ;;
        *) [ -n "$given" ] && return 0 ;;
    esac
    fail "the kernel was not booted with $1 (it has ${given:-no ${1%%=*}}); set it in the boot loader of the node and boot it"
}

# SOURCE TARGET: a file or a tree, each file at once or not at all, nothing else in the target touched.
place() {
    if [ -d "$1" ] && [ ! -L "$1" ]; then
        mkdir -p "$2" || fail "cannot make the directory $2"
        for entry in "$1"/* "$1"/.[!.]* "$1"/..?*; do
            if [ -e "$entry" ] || [ -L "$entry" ]; then
                (place "$entry" "$2/${entry##*/}") || exit 1
            fi
        done
        return 0
    fi
    [ -e "$1" ] || [ -L "$1" ] || fail "the image has no $1, which is to be placed at $2"
    [ ! -d "$2" ] || fail "$2 is a directory on the node, and a file in the image"
    if [ ! -L "$1" ] && [ ! -L "$2" ] && cmp -s "$1" "$2" 2> /dev/null; then return 0; fi
    new="${2%/*}/.sro-new.${2##*/}"
    mkdir -p "${2%/*}" && rm -f "$new" && cp -pP "$1" "$new" && mv -f "$new" "$2" || fail "cannot write $2"
    say "placed $2"
}

# SOURCE TARGET: takes away what place put there.
take_away() {
    if [ -d "$1" ] && [ ! -L "$1" ]; then
        for entry in "$1"/* "$1"/.[!.]* "$1"/..?*; do
            if [ -e "$entry" ] || [ -L "$entry" ]; then
                (take_away "$entry" "$2/${entry##*/}") || exit 1
            fi
        done
        rmdir "$2" 2> /dev/null || :
        return 0
    fi
    rm -f "$2" || fail "cannot remove $2"
}

# DIRECTORY: the kernel searches one directory beside its own.
firmware_path() {
    case $1 in /lib/firmware | /usr/lib/firmware) return 0 ;; esac
    knob=$SRO_SYS/module/firmware_class/parameters/path
    [ -e "$knob" ] || fail "the kernel has no $knob: it does not load firmware"
    path=
    read -r path < "$knob" || :
    if [ "$path" = "$1" ]; then return 0; fi
    [ -z "$path" ] || fail "the kernel searches $path for firmware (firmware_class.path), not $1; place the firmware there"
    printf '%s' "$1" > "$knob" || fail "cannot write $knob"
}

# FILE LINE...: written at once.
write_file() {
    file=$1
    shift
    mkdir -p "${file%/*}" && printf '%s\n' "$@" > "${file%/*}/.sro-new.${file##*/}" \
        && mv -f "${file%/*}/.sro-new.${file##*/}" "$file" || fail "cannot write $file"
}

# NAME: whether the host's own kernel tree has it.
in_host_tree() {
    tree=$SRO_HOST/lib/modules/$(uname -r)
    [ -r "$tree/modules.dep" ] || return 0
    sought=$(spelled "$1")
    while read -r path rest; do
        path=${path%:}
        path=${path##*/}
        if [ "$(spelled "${path%%.ko*}")" = "$sought" ]; then return 0; fi
    done << END
$(sieve "$tree/modules.dep" "$sought")
END
    return 1
}

# FILE NAME: the few lines that may be meant; thousands are not worth a process each.
sieve() {
    pattern=
    word=$2
    while :; do
        case $word in
            *_*) pattern="$pattern${word%%_*}[-_]" word=${word#*_} ;;
            *) break ;;
        esac
    done
    pattern=$pattern$word
    while read -r line; do
        case $line in
            $pattern.ko* | */$pattern.ko*) printf '%s\n' "$line" ;;
        esac
    done < "$1"
}

# NAME: whether what is loaded is what the image has. Unknown counts as no.
is_ours() {
    ours=$(modinfo -b "$SRO_DIRECTORY" -F srcversion "$1" 2> /dev/null) || return 1
    theirs=
    if [ -r "$SRO_SYS/module/$(spelled "$1")/srcversion" ]; then
        read -r theirs < "$SRO_SYS/module/$(spelled "$1")/srcversion" || :
    fi
    [ -n "$ours" ] && [ "$ours" = "$theirs" ]
}

# NAME [own]: own for one that the image has too, which may be the one that is loaded.
remove_in_tree() {
    if ! loaded "$1"; then return 0; fi
    if [ "${2:-}" = own ] && is_ours "$1"; then return 0; fi
    if ! in_host_tree "$1"; then
        say "module $1 is loaded, but is not of the kernel's own tree; left alone"
        return 0
    fi
    modprobe -r -v -d "$SRO_HOST" "$1" || fail "cannot remove module $1 of the kernel's own tree: $(users "$1")"
}

# NAME: one of the kernel's own.
load_in_tree() {
    if present "$1"; then return 0; fi
    modprobe -v -d "$SRO_HOST" "$1" || fail "cannot load module $1 of the kernel's own tree"
    present "$1" || fail "module $1 of the kernel's own tree is not there after modprobe loaded it"
}

# The directory that stands for / has to have the modules of this very kernel.
need_tree() {
    kernel=$(uname -r)
    tree=${SRO_DIRECTORY%/}/lib/modules
    if [ ! -d "$tree/$kernel" ]; then
        has=
        for entry in "$tree"/*; do
            if [ -d "$entry" ]; then has="$has ${entry##*/}"; fi
        done
        fail "the image has no modules for kernel $kernel in $tree; it has${has:- none}"
    fi
    index_tree
}

# What was made when the modules were loaded went with the pod that loaded them.
index_tree() {
    kernel=$(uname -r)
    tree=${SRO_DIRECTORY%/}/lib/modules
    if [ -d "$tree/$kernel" ] && [ ! -e "$tree/$kernel/modules.dep" ] && [ ! -e "$tree/$kernel/modules.dep.bin" ]; then
        depmod -b "$SRO_DIRECTORY" "$kernel" || fail "depmod failed in $tree/$kernel"
    fi
}

# TEXT: whether it is a number that the shell can calculate with.
number() {
    case ${1#-} in
        '' | 0[0-9]*[89]* | 0[89]*) return 1 ;;
        0[xX]) return 1 ;;
        0[xX]*) case ${1#*[xX]} in *[!0-9a-fA-F]*) return 1 ;; esac ;;
        *[!0-9]*) return 1 ;;
    esac
}

# ACTUAL WANTED: the kernel shows 0x10 as 16 and true as Y. Lists are not compared.
same_value() {
    if [ "$1" = "$2" ]; then return 0; fi
    case $1,$2 in
        *,*,*) return 0 ;;
        Y,[yY1] | Y,on | N,[nN0] | N,off | Y,true | N,false) return 0 ;;
    esac
    if number "$1" && number "$2"; then [ "$(($1))" -eq "$(($2))" ] && return 0; fi
    return 1
}

# NAME PARAMETER... --: whether it is loaded like this; "why" says what differs.
verify() {
    name=$1
    shift
    why="module $name is not loaded"
    present "$name" || return 1
    while [ "$1" != -- ]; do
        case $1 in *=*) value=${1#*=} ;; *) value=Y ;; esac
        shown=$SRO_SYS/module/$(spelled "$name")/parameters/$(spelled "${1%%=*}")
        if [ -r "$shown" ]; then
            actual=
            read -r actual < "$shown" || :
            why="module $name has parameter ${1%%=*}=$actual on the node, $1 was asked for"
            same_value "$actual" "$value" || return 1
        fi
        shift
    done
}

# NAME PARAMETER... -- COMMAND...: loads; what is loaded like this already stays, and what is loaded otherwise goes first.
load_module() {
    if loaded "$1"; then
        ours=$(modinfo -b "$SRO_DIRECTORY" -F srcversion "$1" 2> /dev/null) || ours=
        if verify "$@" && { [ -z "$ours" ] || is_ours "$1"; }; then
            say "module $1 is loaded already"
            return 0
        fi
        say "module $1 is loaded, but not like this; it is removed first"
        modprobe -r -v -d "$SRO_DIRECTORY" "$1" || rmmod "$1" \
            || fail "module $1 is loaded otherwise than it is to be, and cannot be removed: $(users "$1")"
    fi
    kernel_said=$(last_of_kernel)
    said=$(command_of "$@" 2>&1) || cannot_load "$1" "$said"
    if [ -n "$said" ]; then say "$said"; fi
    verify "$@" || fail "after modprobe: $why"
}

# The last line of the kernel so far, where it may be read.
last_of_kernel() {
    last=
    while read -r line; do last=$line; done << END
$(dmesg 2> /dev/null)
END
    printf '%s' "$last"
}

# NAME: what the kernel has said of it since, or else of any module: a refused signature is told without a name.
kernel_on() {
    own=$(spelled "$1")
    of_it=
    of_any=
    while read -r line; do
        case $line in
            "$kernel_said") of_it= of_any= ;;
            *"$own: "*) of_it=$line ;;
            *[Mm]odule*) of_any=$line ;;
        esac
    done << END
$(dmesg 2> /dev/null)
END
    printf '%s' "${of_it:-$of_any}"
}

# TEXT: the last line of modprobe that is none of its steps.
complaint() {
    words=
    while read -r line; do
        case $line in
            '' | 'insmod '* | 'rmmod '*) ;;
            *) words=$line ;;
        esac
    done << END
$1
END
    printf '%s' "$words"
}

# NAME TEXT: why a module is not loaded, in the kernel's own words where they may be read; else in those of what was to load it.
cannot_load() {
    if [ -n "$2" ]; then say "$2" >&2; fi
    words=$(complaint "$2")
    kernel=$(kernel_on "$1")
    fail "cannot load module $1: ${words:-it does not say why}${kernel:+; the kernel says: $kernel}"
}

# NAME -- COMMAND...: removes, if it is there.
unload_module() {
    if ! loaded "$1"; then return 0; fi
    if said=$(command_of "$@" 2>&1); then
        if [ -n "$said" ]; then say "$said"; fi
    else
        if [ -n "$said" ]; then say "$said" >&2; fi
        words=$(complaint "$said")
        fail "cannot unload module $1: $(users "$1")${words:+ ($words)}"
    fi
    if loaded "$1"; then fail "module $1 is still loaded: $(users "$1")"; fi
}

command_of() {
    while [ "$1" != -- ]; do shift; done
    shift
    "$@"
}

# NAME VERSION: of a driver that the host brings; any version when it is empty.
expect_module() {
    present "$1" || fail "module $1 is not loaded: the operating system is expected to bring it"
    if [ -z "$2" ]; then return 0; fi
    actual=
    if [ -r "$SRO_SYS/module/$(spelled "$1")/version" ]; then
        read -r actual < "$SRO_SYS/module/$(spelled "$1")/version" || :
    fi
    [ "$actual" = "$2" ] || fail "module $1 has version ${actual:-unknown} on the node, $2 is expected"
}

# Until it is stopped.
stay() {
    trap 'exit 0' TERM INT
    while :; do
        sleep 3600 &
        wait "$!"
    done
}

main() {
    case $1 in
        load) same_boot && load_all ;;
        unload) same_boot && unload_all ;;
        check) check_all ;;
        run)
            rm -f "$SRO_RUN/loaded"
            load_all
            : > "$SRO_RUN/loaded" || fail "cannot write $SRO_RUN/loaded"
            stay
            ;;
        ready) [ -e "$SRO_RUN/loaded" ] || fail "the modules are not all loaded yet"; check_all ;;
        watch) stay ;;
        *) fail "unknown task $1" ;;
    esac
}
