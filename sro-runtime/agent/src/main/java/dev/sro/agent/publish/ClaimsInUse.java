package dev.sro.agent.publish;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.agent.slice.Holding;
import dev.sro.core.dra.DraTemplates;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What claims have of a pool, by work that goes by the node. The API has no way to ask for the claims of a node; so in a cluster of many all are
 * read at the start, once an hour, and before a device is changed or left out. In between those are asked for by name that were allocated and
 * not prepared; the checkpoint knows the others. Not thread-safe.
 */
final class ClaimsInUse {
    /** So many are read each time: they are one answer, and those that were given devices just now are among them. */
    static final int FEW = ApiSlices.PAGE;

    private static final Duration ALL = Duration.ofHours(1);

    private final ApiSlices api;
    private final Map<String, Claimed> claims = new HashMap<>();
    private Optional<Instant> read = Optional.empty();
    private int count;
    private boolean waiting;
    private Optional<Instant> askedByLossClass = Optional.empty();

    /** A claim with devices of the pool. */
    record Claimed(String namespace, String name, String uid, Set<String> devices) {
        Claimed {
            devices = Set.copyOf(devices);
        }
    }

    ClaimsInUse(ApiSlices api) {
        this.api = api;
    }

    /** Whether the last answer was all of the claims, as they were then. */
    boolean complete(Instant now) {
        return read.equals(Optional.of(now));
    }

    /**
     * What claims have.
     *
     * @param holdings what the checkpoint knows
     * @param all whether all claims are to be read, however many there are
     */
    DeviceUse use(String pool, Collection<Holding> holdings, Instant now, boolean all) throws IOException {
        Set<String> kept = new HashSet<>();
        for (Holding holding : holdings) {
            if (holding.keep()) {
                kept.add(holding.device());
                remember(holding);
            }
        }
        boolean old = read.isEmpty() || !now.isBefore(read.get().plus(ALL));
        if (all || old || count <= FEW) {
            readAll(pool, now);
            read = Optional.of(now);
        } else {
            askForOthers(pool, kept, now);
        }
        Set<String> devices = new TreeSet<>();
        claims.values().forEach(claim -> devices.addAll(claim.devices()));
        if (!complete(now)) {
            devices.addAll(kept);
        }
        boolean lossClasses =
                askedByLossClass.filter(last -> now.isBefore(last.plus(ALL))).isPresent();
        return new DeviceUse(devices, waiting, lossClasses);
    }

    /** Whether one of its selectors names the attribute, as those of {@code sro slices claim} do. */
    private boolean asksByLossClass(JsonNode claim) {
        return claim.path("spec").path("devices").findValuesAsText("expression").stream()
                .anyMatch(expression ->
                        expression.contains(api.driver()) && expression.contains(DraTemplates.LOSS_CLASS));
    }

    /** So that it is asked after when it was given back. */
    private void remember(Holding holding) {
        Set<String> devices = new HashSet<>(Set.of(holding.device()));
        Claimed before = claims.get(holding.claim().uid());
        if (before != null) {
            devices.addAll(before.devices());
        }
        claims.put(
                holding.claim().uid(),
                new Claimed(
                        holding.claim().namespace(),
                        holding.claim().name(),
                        holding.claim().uid(),
                        devices));
    }

    private void readAll(String pool, Instant now) throws IOException {
        Map<String, Claimed> found = new HashMap<>();
        int[] number = new int[1];
        boolean[] without = new boolean[1];
        api.claims(claim -> {
            number[0]++;
            without[0] |= !claim.path("status").path("allocation").isObject();
            Claimed claimed = claimed(claim, pool, now);
            if (!claimed.devices().isEmpty()) {
                found.put(claimed.uid(), claimed);
            }
        });
        claims.clear();
        claims.putAll(found);
        count = number[0];
        waiting = without[0];
    }

    /** Those that the checkpoint does not know may have come to it or gone. */
    private void askForOthers(String pool, Set<String> kept, Instant now) throws IOException {
        for (Iterator<Map.Entry<String, Claimed>> each = claims.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<String, Claimed> entry = each.next();
            if (kept.containsAll(entry.getValue().devices())) {
                continue;
            }
            Claimed before = entry.getValue();
            Optional<Claimed> found =
                    api.claim(before.namespace(), before.name()).map(claim -> claimed(claim, pool, now));
            if (found.filter(claim ->
                            claim.uid().equals(before.uid()) && !claim.devices().isEmpty())
                    .isPresent()) {
                entry.setValue(found.get());
            } else {
                each.remove();
            }
        }
    }

    private Claimed claimed(JsonNode claim, String pool, Instant now) {
        if (asksByLossClass(claim)) {
            askedByLossClass = Optional.of(now);
        }
        Set<String> devices = new HashSet<>();
        for (JsonNode result :
                claim.path("status").path("allocation").path("devices").path("results")) {
            // With adminAccess nobody has anything: others may be given it all the same.
            if (!result.path("adminAccess").asBoolean()
                    && result.path("driver").asText().equals(api.driver())
                    && result.path("pool").asText().equals(pool)) {
                devices.add(result.path("device").asText());
            }
        }
        JsonNode metadata = claim.path("metadata");
        return new Claimed(
                metadata.path("namespace").asText(),
                metadata.path("name").asText(),
                metadata.path("uid").asText(),
                devices);
    }
}
