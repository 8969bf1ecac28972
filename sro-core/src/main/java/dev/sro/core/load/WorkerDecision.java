package dev.sro.core.load;

/**
 * What comes next for the modules of one special resource on one node. A total function: every combination of its inputs has one
 * answer, and repeating the step that it names leads to rest.
 *
 * <p>One pod at a time works on a node, so a step that needs a pod comes after the last pod is gone. What a pod did is written to the
 * node first, and only then the pod is deleted: whoever dies between the two finds both and goes on.
 */
public enum WorkerDecision {
    /** What is wanted is loaded. */
    READY,
    /** Nothing is wanted and nothing is loaded. */
    REST,
    /** Make a pod that loads what is wanted. */
    LOAD,
    /** Make a pod that unloads what the node says is loaded. */
    UNLOAD,
    /** Write to the node that what the pod loads is, or may be, loaded. */
    RECORD,
    /** Take from the node what it says is loaded: it is not, or not all of it. */
    FORGET,
    /** Delete the pod: it has done its work, or its work is not wanted any more. */
    DELETE_POD,
    /** Delete the pod, after a while: it failed for good and is made anew. */
    RETRY,
    /** A pod works, or goes away. */
    WORKING,
    /** The node is not Ready: nothing new is begun. */
    NODE_NOT_READY,
    /** The node has a taint that the pods do not tolerate: nothing is loaded. */
    NODE_TAINTED,
    /** The node runs another configuration, and an upgrade has not come to it yet. */
    HELD;

    /** What a node says of what is loaded, against what it is now. */
    public enum Recorded {
        /** Nothing. */
        NOTHING,
        /** What is wanted, in this boot. */
        WANTED,
        /** Another configuration, in this boot. */
        OTHER,
        /** Something, under another kernel: it went with that. */
        OTHER_KERNEL,
        /** Something, in another boot: it went with that. */
        OTHER_BOOT
    }

    /** The worker pod of the node. */
    public enum Pod {
        /** There is none. */
        NONE,
        /** It is being deleted. */
        LEAVING,
        /** It was made in another boot. */
        OTHER_BOOT,
        /** It loads what is wanted, and works. */
        LOADS_WANTED,
        /** It has loaded what is wanted. */
        LOADED_WANTED,
        /** It was given up, loading what is wanted. */
        FAILED_WANTED,
        /** It loads what is not wanted, whatever became of it, and the node says that this is loaded. */
        LOADS_RECORDED,
        /** It loads what is not wanted, whatever became of it, and the node does not say that this is loaded. */
        LOADS_OTHER,
        /** It unloads what the node says is loaded, and works. */
        UNLOADS_RECORDED,
        /** It has unloaded what the node says is loaded. */
        UNLOADED_RECORDED,
        /** It was given up, unloading what the node says is loaded. */
        FAILED_RECORDED,
        /** It unloads something else. */
        UNLOADS_OTHER,
        /** It is to load what is not wanted, and has not begun: its image cannot be pulled, for example. */
        NOT_BEGUN
    }

    /**
     * What the decision depends on.
     *
     * @param wanted whether modules are to be on the node
     * @param recorded what the node says
     * @param pod what its pod does
     * @param nodeReady whether the kubelet reports Ready
     * @param tainted whether the node has a taint that the pods that load do not tolerate
     * @param mayReplace whether an upgrade lets the node change what is loaded
     */
    public record Input(
            boolean wanted, Recorded recorded, Pod pod, boolean nodeReady, boolean tainted, boolean mayReplace) {

        /** A node in good order, without a pod. */
        public static Input of(boolean wanted, Recorded recorded) {
            return new Input(wanted, recorded, Pod.NONE, true, false, true);
        }

        /** The same with this pod. */
        public Input with(Pod other) {
            return new Input(wanted, recorded, other, nodeReady, tainted, mayReplace);
        }
    }

    /** The next step. */
    public static WorkerDecision of(Input in) {
        return switch (in.pod()) {
            case NONE -> withoutPod(in);
            case LEAVING -> isLoaded(in) ? READY : WORKING;
            case OTHER_BOOT, LOADS_RECORDED, UNLOADS_OTHER, NOT_BEGUN -> DELETE_POD;
            case LOADS_WANTED -> isLoaded(in) ? DELETE_POD : WORKING;
            case LOADED_WANTED -> isLoaded(in) ? DELETE_POD : RECORD;
            case FAILED_WANTED -> isLoaded(in) ? DELETE_POD : RETRY;
            // It may have begun: what it loads is taken for loaded, so that it is unloaded.
            case LOADS_OTHER -> RECORD;
            // Asked for again while it is being unloaded: nobody knows what of it is left.
            case UNLOADS_RECORDED -> isLoaded(in) ? FORGET : WORKING;
            case UNLOADED_RECORDED -> FORGET;
            case FAILED_RECORDED -> isLoaded(in) ? FORGET : RETRY;
        };
    }

    private static boolean isLoaded(Input in) {
        return in.wanted() && in.recorded() == Recorded.WANTED;
    }

    private static WorkerDecision withoutPod(Input in) {
        return switch (in.recorded()) {
            case NOTHING -> in.wanted() ? load(in) : REST;
            case OTHER_BOOT, OTHER_KERNEL -> in.wanted() ? load(in) : FORGET;
            case WANTED -> in.wanted() ? READY : unload(in);
            case OTHER -> in.wanted() && !in.mayReplace() ? HELD : unload(in);
        };
    }

    private static WorkerDecision load(Input in) {
        if (!in.nodeReady()) {
            return NODE_NOT_READY;
        }
        return in.tainted() ? NODE_TAINTED : LOAD;
    }

    /** Pods that unload tolerate everything: they are how a node gets rid of what is on it. */
    private static WorkerDecision unload(Input in) {
        return in.nodeReady() ? UNLOAD : NODE_NOT_READY;
    }
}
