package dev.sro.agent.plugin;

import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.SliceException;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.core.das.AllocationClaim;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What pods of this node were promised, and what who places pods knows of the node by inventory and claims. Confined to one thread at a time, but for {@link
 * #claims}, which any may call.
 */
final class NodePromises {
    private final PromisedPlaces places;
    private final SliceKeeper keeper;
    private final PromiseKeeper promises;
    private final Consumer<String> logOnce;
    private volatile List<AllocationClaim> claims = List.of();
    private boolean unknown;

    /** @param logOnce takes what would be said again with each look */
    NodePromises(PromisedPlaces places, SliceKeeper keeper, Clock clock, Consumer<String> logOnce) {
        this.places = places;
        this.keeper = keeper;
        this.promises = new PromiseKeeper(places, this::destroyForeign, clock);
        this.logOnce = logOnce;
    }

    /** Reads them; those of before stay where that fails. */
    void ask() {
        try {
            claims = places.claims();
            unknown = false;
        } catch (IOException e) {
            unknown = true;
            logOnce.accept("device plugins: promises to pods are not known: " + e.getMessage());
        }
    }

    void forget() {
        claims = List.of();
    }

    /** As they were read last. */
    List<AllocationClaim> claims() {
        return claims;
    }

    /**
     * Writes what is new, unless the promises could not be read.
     *
     * @param there devices that are held for device plugins
     * @param given devices that pods have or are about to have
     */
    void tell(List<GpuOffer> state, Set<String> there, Set<String> given) {
        if (unknown) {
            return;
        }
        try {
            promises.look(state, claims, there, given);
        } catch (IOException e) {
            logOnce.accept("device plugins: " + e.getMessage());
        }
    }

    private boolean destroyForeign(String id) throws IOException {
        Optional<PluginPlace> place = PluginPlace.find(keeper.gpus(), id);
        try {
            return place.isEmpty()
                    || keeper.destroyForeign(ClaimRef.ofPlugin(id), place.get().wanted());
        } catch (SliceException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
