package dev.sro.agent.plugin;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.ClaimState;
import dev.sro.core.das.DasNames;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Has claims be as their places are: one whose slice is there stays until the slice is gone, whatever becomes of its pod, and one that nobody will ever use
 * goes. So a place that looks free is free, and no place is taken for ever. Not thread-safe.
 */
final class PromiseKeeper {
    /** Between two questions about the pod of a claim that is not used. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Destroys what somebody else made. */
    interface Destroyer {
        /** Whether nothing is there any more. */
        boolean destroy(String place) throws IOException;
    }

    private final PromisedPlaces api;
    private final Destroyer destroyer;
    private final Clock clock;
    private final Map<String, Instant> asked = new HashMap<>();

    PromiseKeeper(PromisedPlaces api, Destroyer destroyer, Clock clock) {
        this.api = api;
        this.destroyer = destroyer;
        this.clock = clock;
    }

    /**
     * Looks at the node once.
     *
     * @param offers its GPUs; none if it offers nothing by device plugins
     * @param claims all of the node
     * @param there ids of places of which something is there that was made here
     * @param given ids of places that kubelet gave, or is about to
     * @throws IOException if the API server gives no answer; what was not done is done next time
     */
    void look(List<GpuOffer> offers, List<AllocationClaim> claims, Set<String> there, Set<String> given)
            throws IOException {
        api.inventory(NodeInventory.of(offers, claims));
        asked.keySet().retainAll(claims.stream().map(AllocationClaim::reference).toList());
        for (AllocationClaim claim : claims) {
            Optional<String> place = place(offers, claim);
            if (claim.finalizers().contains(DasNames.TAKEN_OVER)) {
                takenOver(claim, place, claims);
                continue;
            }
            boolean kept = claim.finalizers().contains(DasNames.FINALIZER);
            if (place.filter(there::contains).isPresent()) {
                hold(claim, kept);
            } else if (claim.leaving()) {
                if (kept) {
                    api.release(claim);
                }
            } else if (place.filter(given::contains).isEmpty()) {
                idle(claim, place.isPresent());
            }
        }
    }

    /** Id of the place of a claim; empty if this node has no such GPU. */
    private static Optional<String> place(List<GpuOffer> offers, AllocationClaim claim) {
        return offers.stream()
                .map(GpuOffer::gpu)
                .filter(gpu -> gpu.uuid().equals(claim.gpu()))
                .map(gpu -> PluginPlace.of(gpu.address(), claim.profile(), claim.start())
                        .id())
                .findFirst();
    }

    /**
     * What another maker left: its slice is destroyed when its pod has ended, and then the claim goes. DAS gave the slices of one profile to whichever pod came
     * first, so that the claim does not say whose of them it is: none goes before all pods that can have it have ended.
     */
    private void takenOver(AllocationClaim claim, Optional<String> place, List<AllocationClaim> claims)
            throws IOException {
        if (!due(claim)) {
            return;
        }
        for (AllocationClaim other : claims) {
            if (other.finalizers().contains(DasNames.TAKEN_OVER)
                    && other.profile().equals(claim.profile())
                    && !api.ended(other)) {
                return;
            }
        }
        if (place.isPresent() && !destroyer.destroy(place.get())) {
            return;
        }
        if (!claim.leaving()) {
            api.delete(claim);
        }
        api.release(claim);
    }

    /** Whether the pod of a claim is to be asked again. */
    private boolean due(AllocationClaim claim) {
        Instant now = clock.instant();
        Instant before = asked.get(claim.reference());
        boolean due = before == null || !now.isBefore(before.plus(PATIENCE));
        if (due) {
            asked.put(claim.reference(), now);
        }
        return due;
    }

    private void hold(AllocationClaim claim, boolean kept) throws IOException {
        if (claim.leaving()) {
            return;
        }
        if (!kept) {
            api.keep(claim);
        }
        if (claim.state() != ClaimState.IN_USE) {
            api.state(claim, ClaimState.IN_USE);
        }
    }

    /**
     * What was in use is used up; of a promise its pod is asked, not at its first sight, as most pods come at once.
     *
     * @param known whether its GPU is there: of one that is lost nothing is known
     */
    private void idle(AllocationClaim claim, boolean known) throws IOException {
        boolean seen = asked.containsKey(claim.reference());
        if ((known && claim.state() == ClaimState.IN_USE) || (due(claim) && seen && api.ended(claim))) {
            api.delete(claim);
        }
    }
}
