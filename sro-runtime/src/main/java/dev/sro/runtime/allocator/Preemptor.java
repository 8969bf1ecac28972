package dev.sro.runtime.allocator;

import dev.sro.core.allocation.AllocationFleet;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Has pods of lower priority end where that makes room for one that waits, and keeps that room for it: the next pods of those that ended may come before
 * all of them are gone. Not thread-safe.
 */
final class Preemptor {
    /** Sets of pods that are tried for one that waits, at one look, before somebody may be evicted. */
    private static final int MOST_REFUSALS = 5;

    /** Beyond the time that the pods have to end; a node that does not answer ends none. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final long GRACE = 30;

    private final AllocationFleet fleet;
    private final PodEviction eviction;
    private final KeptRooms rooms;
    private final PodEvents events;
    private final ObjectBook<Pod> pods;
    private final ObjectBook<ResourceClaim> claims;
    /** UIDs of pods that were evicted: that they end may be seen later. */
    private final Set<String> ending = new HashSet<>();

    Preemptor(
            AllocationFleet fleet,
            PodEviction eviction,
            KeptRooms rooms,
            PodEvents events,
            ObjectBook<Pod> pods,
            ObjectBook<ResourceClaim> claims) {
        this.fleet = fleet;
        this.eviction = eviction;
        this.rooms = rooms;
        this.events = events;
        this.pods = pods;
        this.claims = claims;
    }

    /** Who ends, by what is known now; for one look. */
    SlicePreemption look(UnitPlacer.Nodes known) {
        return new SlicePreemption(fleet, known.room(), holders());
    }

    /** Who has devices, by what is known now. */
    SliceHolders holders() {
        ending.retainAll(pods.byUid().keySet());
        return new SliceHolders(fleet, pods.all(), claims.all(), ending);
    }

    /**
     * Has pods end for a unit that has no room, unless those that end already make some.
     *
     * @return why nobody was evicted, where somebody would have been; empty otherwise
     */
    String preempt(KeptRooms.Demands demands, UnitPlacer.Nodes known) {
        Set<String> kept = new HashSet<>();
        String why = "";
        for (int attempt = 0; attempt < MOST_REFUSALS; attempt++) {
            SlicePreemption.Advice advice = rooms.leaving(
                    KeptRooms.owner(demands.unit()),
                    known.room(),
                    () -> look(known).advise(demands, kept));
            if (!(advice instanceof SlicePreemption.Advice.Evict evict)) {
                return why;
            }
            Optional<PodEviction.Refused> refused =
                    eviction.tryAll(evict.victims()).or(() -> evict(evict, demands, known));
            if (refused.isEmpty()) {
                return "";
            }
            why = refused.get().why();
            kept.add(refused.get().pod().getMetadata().getUid());
        }
        return why;
    }

    private Optional<PodEviction.Refused> evict(
            SlicePreemption.Advice.Evict advice, KeptRooms.Demands demands, UnitPlacer.Nodes known) {
        long grace = 0;
        for (Pod victim : advice.victims()) {
            Optional<PodEviction.Refused> refused = eviction.evict(victim);
            if (refused.isPresent()) {
                return refused;
            }
            ending.add(victim.getMetadata().getUid());
            Long own = victim.getSpec().getTerminationGracePeriodSeconds();
            grace = Math.max(grace, own == null ? GRACE : own);
            events.tell(
                    victim,
                    "SlicesPreempted",
                    "its slices on node " + AllocationMarks.node(victim) + " are for " + demands.name()
                            + ", which has a higher priority");
        }
        if (demands.haveNothing()) {
            rooms.letGo(KeptRooms.owner(demands.unit()), known.room());
            KeptRooms.Kept room = KeptRooms.Kept.promised(
                    KeptRooms.owner(demands.unit()),
                    demands.unit(),
                    KeptRooms.seats(demands, advice.found().seats()),
                    known.now().plus(PATIENCE).plusSeconds(grace));
            rooms.keep(room, advice.found().devices());
            KeptRooms.take(room, known.room());
        }
        return Optional.empty();
    }
}
