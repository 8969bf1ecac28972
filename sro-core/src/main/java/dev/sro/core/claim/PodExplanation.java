package dev.sro.core.claim;

import dev.sro.core.dra.InfeasibilityCertificate;
import dev.sro.core.slicing.MovePlan;
import java.util.List;
import java.util.Optional;

/**
 * Why a pod has, or has not, the slices that it asks for. Immutable.
 *
 * @param pod as {@code namespace/name}
 * @param summary all in one sentence
 * @param asks what it asks for and has not, a line each
 * @param has what it has, a line each
 * @param details what else is to be known, such as the proof in words and what would help
 * @param nodes all that publish GPUs
 * @param nearest the node on which the least has to happen; empty where none could help
 * @param moves that make room, where few do
 * @param certificates proofs that no arrangement leaves room, each verified
 */
public record PodExplanation(
        String pod,
        State state,
        String summary,
        List<String> asks,
        List<String> has,
        List<String> details,
        List<NodeVerdict> nodes,
        String nearest,
        Optional<MovePlan> moves,
        List<InfeasibilityCertificate> certificates) {
    /** What it comes to. */
    public enum State {
        /** It asks for no devices that a class stands for. */
        ASKS_FOR_NONE,
        /** All that it asks for is allocated. */
        HAS_ALL,
        /** It is over. */
        ENDED,
        /** There is room: it waits for something else, or for the scheduler to come to it. */
        HAS_ROOM,
        /** It names an object that is not there, or a selector that cannot be read. */
        MISSING_OBJECT,
        /** No node publishes such a device. */
        NOT_PUBLISHED,
        /** What people set of pod or nodes rules all nodes out that publish such a device. */
        NO_NODE,
        /** Devices that would do have a taint that it does not tolerate. */
        TAINTED,
        /** Moving slices would make room. */
        FRAGMENTED,
        /** No arrangement of what runs leaves room, or none was found: proved where there are certificates. */
        NO_ROOM
    }

    /** What it comes to on one node. */
    public enum Verdict {
        /** There is room. */
        HAS_ROOM,
        /** Moving slices within it may make room. */
        FRAGMENTED,
        /** No arrangement of what runs there leaves room. */
        NO_ROOM,
        /** None of its GPUs has such a slice, or all are closed. */
        NO_SUCH_SLICE,
        /** Those of its devices that would do have a taint that the pod does not tolerate. */
        TAINTED,
        /** What people set rules it out. */
        RULED_OUT
    }

    /**
     * One node.
     *
     * @param freeUnits memory units of its GPUs that nobody has
     * @param units all memory units of them
     * @param text why
     */
    public record NodeVerdict(String node, Verdict verdict, int freeUnits, int units, String text) {}

    /** Copies the lists. */
    public PodExplanation {
        asks = List.copyOf(asks);
        has = List.copyOf(has);
        details = List.copyOf(details);
        nodes = List.copyOf(nodes);
        certificates = List.copyOf(certificates);
    }

    /** Whether it waits for something. */
    public boolean waits() {
        return state != State.ASKS_FOR_NONE && state != State.HAS_ALL && state != State.ENDED;
    }
}
