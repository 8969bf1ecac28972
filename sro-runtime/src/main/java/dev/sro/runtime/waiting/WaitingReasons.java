package dev.sro.runtime.waiting;

import dev.sro.core.claim.PodExplanation.State;
import java.util.Optional;

/** Reasons of events: the states of {@code sro slices explain} for which a pod waits because of its devices. Stateless. */
final class WaitingReasons {
    private WaitingReasons() {}

    /** Empty where devices are not what a pod waits for. */
    static Optional<String> of(State state) {
        return switch (state) {
            case NO_ROOM -> Optional.of("SlicesNoRoom");
            case FRAGMENTED -> Optional.of("SlicesFragmented");
            case TAINTED -> Optional.of("SlicesTainted");
            case NO_NODE -> Optional.of("SlicesNoNode");
            case NOT_PUBLISHED -> Optional.of("SlicesNotPublished");
            case MISSING_OBJECT -> Optional.of("SlicesMissingObject");
            case HAS_ROOM, HAS_ALL, ASKS_FOR_NONE, ENDED -> Optional.empty();
        };
    }
}
