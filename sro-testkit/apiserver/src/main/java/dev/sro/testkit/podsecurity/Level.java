package dev.sro.testkit.podsecurity;

import java.util.Locale;
import java.util.Optional;

/** How much a pod may do, from all to little. */
public enum Level {
    PRIVILEGED,
    BASELINE,
    RESTRICTED;

    static Optional<Level> of(String text) {
        for (Level level : values()) {
            if (level.toString().equals(text)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }

    /** As in the label of a namespace. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
