package dev.sro.api.operation;

import dev.sro.api.Checks;

/**
 * A taint of a node. Immutable.
 *
 * @param key with domain
 * @param value may be empty
 * @param effect what it does to pods that do not tolerate it
 * @since 0.1.0
 */
public record NodeTaint(String key, String value, Effect effect) {

    /** The effects, with Kubernetes' names. */
    public enum Effect {
        /** No new pod. */
        NO_SCHEDULE("NoSchedule"),
        /** No new pod if there is another place. */
        PREFER_NO_SCHEDULE("PreferNoSchedule"),
        /** No new pod, and those that run go. */
        NO_EXECUTE("NoExecute");

        private final String word;

        Effect(String word) {
            this.word = word;
        }

        /** As Kubernetes writes it. */
        public String word() {
            return word;
        }
    }

    /** Checks key and value. */
    public NodeTaint {
        Checks.ownedName("NodeTaint.key", key);
        Checks.labelValue("NodeTaint.value", value);
    }
}
