package dev.sro.core.client;

import dev.sro.core.probe.ClaimUse;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** Who has devices by claims, for special resources whose driver for them is about to go; watched only for these. Thread-safe. */
final class ClaimUses implements AutoCloseable {

    private final Set<String> wantedBy = ConcurrentHashMap.newKeySet();
    private final DeviceClaims<ClaimUse> claims;

    /**
     * @param watches starts to watch all resource claims
     * @param changed called with the name of each special resource that is concerned
     */
    ClaimUses(Function<DeviceClaims.Listener, AutoCloseable> watches, Consumer<String> changed) {
        this.claims = new DeviceClaims<>(watches, ClaimUse::of, () -> wantedBy.forEach(changed));
    }

    /** Under one lock, so that nobody begins to want them while the watch of those who did is being closed. */
    synchronized void want(String specialResource, boolean wanted) {
        if (wanted) {
            wantedBy.add(specialResource);
            claims.need();
        } else if (wantedBy.remove(specialResource) && wantedBy.isEmpty()) {
            claims.close();
        }
    }

    Optional<Collection<ClaimUse>> all() {
        return claims.all().map(all -> List.copyOf(all.values()));
    }

    @Override
    public synchronized void close() {
        wantedBy.clear();
        claims.close();
    }
}
