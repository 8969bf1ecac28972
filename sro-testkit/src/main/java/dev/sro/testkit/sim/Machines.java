package dev.sro.testkit.sim;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What is known of each machine beside its Node object: whether its kubelet runs, what it is made of, when it is back. */
final class Machines {
    /** One machine. Only the thread that does the simulation's work, or holds its lock, touches it. */
    static final class Machine {
        final Instant seen;
        boolean up = true;
        int boots;

        @Nullable NodeProfile profile;
        /** When a reboot ends, null when there is none. */
        @Nullable Instant bootAt;
        /** When NFD has looked at the machine, null when that is done. */
        @Nullable Instant nfdAt;

        Machine(Instant seen) {
            this.seen = seen;
        }
    }

    private final Map<String, Machine> byName = new ConcurrentHashMap<>();

    Machine of(String node, Instant now) {
        return byName.computeIfAbsent(node, n -> new Machine(now));
    }

    void forget(String node) {
        byName.remove(node);
    }

    /** What an init container says on this machine when it ends well; empty for most. */
    String said(String node, String container) {
        Machine m = byName.get(node);
        NodeProfile profile = m == null ? null : m.profile;
        return profile == null ? "" : profile.messages().getOrDefault(container, "");
    }

    /** Whether the kubelet of this node works; an unknown machine does. */
    boolean up(String node) {
        Machine m = byName.get(node);
        return m == null || m.up;
    }
}
