package dev.sro.runtime.allocator;

import dev.sro.core.allocation.ClaimDemand;
import dev.sro.runtime.allocator.WaitingUnit.Member;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

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

    /** Whether none of its pods is bound or has anything yet, and each has its claims for itself, so that a place for each is what it needs. */
    boolean isWhole() {
        List<String> claims = demands.pods().stream()
                .flatMap(pod -> pod.claims().stream())
                .map(ClaimDemand::uid)
                .toList();
        return demands.haveNothing()
                && demands.pods().size() == unit.members().size()
                && Set.copyOf(claims).size() == claims.size();
    }

    /** Since when all of its pods are there. */
    Instant since() {
        return unit.members().stream()
                .map(member -> AllocationMarks.created(member.pod()))
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
    }
}
