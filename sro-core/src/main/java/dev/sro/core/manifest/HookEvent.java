package dev.sro.core.manifest;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** When a hook of a Helm chart runs: the words of the annotation {@code helm.sh/hook}. */
public enum HookEvent {
    /** Before the objects of its step are made for the first time. */
    PRE_INSTALL,
    /** After its step is ready for the first time. */
    POST_INSTALL,
    /** Before the objects of its step are changed by another version of the chart, or other values. */
    PRE_UPGRADE,
    /** After its step is ready again. */
    POST_UPGRADE,
    /** Before the objects of its step are deleted because everything is. */
    PRE_DELETE,
    /** After the objects of its step are gone. */
    POST_DELETE,
    /** Never: SRO does not roll back. */
    PRE_ROLLBACK,
    /** Never: SRO does not roll back. */
    POST_ROLLBACK,
    /** When a person asks for it. */
    TEST;

    /** The word in the annotation. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it is one of those that never come. */
    public boolean isRollback() {
        return this == PRE_ROLLBACK || this == POST_ROLLBACK;
    }

    /** The event of this word; {@code test-success} is Helm 2's word for test. */
    public static Optional<HookEvent> of(String word) {
        if (word.equals("test-success")) {
            return Optional.of(TEST);
        }
        for (HookEvent event : values()) {
            if (event.word().equals(word)) {
                return Optional.of(event);
            }
        }
        return Optional.empty();
    }

    /** The events of an annotation; empty when any of them is unknown, as Helm then skips the object. */
    public static Set<HookEvent> all(String annotation) {
        Set<HookEvent> events = EnumSet.noneOf(HookEvent.class);
        for (String word : annotation.split(",", -1)) {
            Optional<HookEvent> event = of(word.trim().toLowerCase(Locale.ROOT));
            if (event.isEmpty()) {
                return Set.of();
            }
            events.add(event.get());
        }
        return Collections.unmodifiableSet(events);
    }
}
