# The barrier on the node: a file that is there while the modules are loaded and checked. Whoever changes modules closes it first.
open_barrier() { write_file "$SRO_HOST$SRO_BARRIER" "$SRO_SAYS"; }

close_barrier() { rm -f "$SRO_HOST$SRO_BARRIER" || fail "cannot remove $SRO_BARRIER"; }

# The main task of the pod cannot open it, as it stays; the probe does, which also sees when modules go. While the pod stops, probes
# go on: what one of them opened after the barrier was closed for good has to be closed again.
probed() {
    (main ready) || { close_barrier; exit 1; }
    open_barrier
    [ -e "$SRO_RUN/loaded" ] || { close_barrier; fail "the modules are being unloaded"; }
}

guarded() {
    case $1 in
        load) same_boot && close_barrier && main load && open_barrier ;;
        unload) same_boot && rm -f "$SRO_RUN/loaded" && close_barrier && main unload ;;
        run) rm -f "$SRO_RUN/loaded" && close_barrier && main run ;;
        ready) probed ;;
        *) main "$1" ;;
    esac
}
