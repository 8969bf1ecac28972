package dev.sro.runtime.allocator;

import dev.sro.runtime.allocator.WaitingUnit.Member;
import java.time.Instant;
import java.util.Comparator;

/**
 * A unit that has no room. Immutable.
 *
 * @param demands what those of its pods ask for that have not got it; one at least
 */
record FullUnit(WaitingUnit unit, KeptRooms.Demands demands) {
    /** The pod that is told of it. */
    Member first() {
        return unit.firstWaiting();
    }

    /** Under which a room is kept for it. */
    String owner() {
        return KeptRooms.owner(unit.name());
    }

    /** Whether it is a pod of no gang that is bound nowhere yet. */
    boolean alone() {
        return AllocationMarks.node(first().pod()).isEmpty()
                && AllocationMarks.annotation(first().pod(), AllocationMarks.GANG)
                        .isEmpty();
    }

    /** Since when all of its pods are there. */
    Instant since() {
        return unit.members().stream()
                .map(member -> AllocationMarks.created(member.pod()))
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }
}
