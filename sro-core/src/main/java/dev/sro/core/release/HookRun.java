package dev.sro.core.release;

import dev.sro.core.model.ValueTrees;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How far one hook is. Immutable.
 *
 * @param phase Helm's word
 * @param started when it was decided to run it; tells this run from an earlier one
 * @param message why it failed; empty otherwise
 */
public record HookRun(Phase phase, Instant started, String message) {

    /** Helm's phases of a hook, without Unknown. */
    public enum Phase {
        /** It was started. */
        RUNNING("Running"),
        /** It is done. */
        SUCCEEDED("Succeeded"),
        /** It is not going to be done. */
        FAILED("Failed");

        private final String word;

        Phase(String word) {
            this.word = word;
        }

        /** As Helm writes it. */
        public String word() {
            return word;
        }

        private static Optional<Phase> of(String word) {
            for (Phase phase : values()) {
                if (phase.word.equals(word)) {
                    return Optional.of(phase);
                }
            }
            return Optional.empty();
        }
    }

    /** The same run, ended. */
    public HookRun ended(Phase end, String why) {
        return new HookRun(end, started, why);
    }

    Map<String, Object> tree() {
        Map<String, Object> tree = new TreeMap<>();
        tree.put("phase", phase.word);
        tree.put("started", started.toString());
        if (!message.isEmpty()) {
            tree.put("message", message);
        }
        return tree;
    }

    /** Empty for what this class did not write. */
    static Optional<HookRun> of(Map<String, ?> tree) {
        try {
            Instant started = Instant.parse(ValueTrees.text(tree, "started"));
            return Phase.of(ValueTrees.text(tree, "phase"))
                    .map(phase -> new HookRun(phase, started, ValueTrees.text(tree, "message")));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
