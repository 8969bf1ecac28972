package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One search for devices: what has been chosen so far, and how it is taken back. One use. */
final class DeviceSearch {
    /** A device for a request of a claim. */
    record Choice(RequestAlternative wish, DeviceCandidate candidate) {}

    private enum Outcome {
        FOUND,
        NONE,
        /** With so many devices no claim can be allocated, whichever they are. */
        TOO_MANY
    }

    /** Where the next device of a request is looked for; devices of one request are taken in their order only. */
    private record From(int pool, int slice, int device) {
        static final From START = new From(0, 0, 0);
    }

    private final DeviceAllocator allocator;
    private final List<DevicePool> pools;
    private final ObjectNode node;
    private final List<ObjectNode> claims;
    private final List<List<List<RequestAlternative>>> wishes;
    private final AllocatedDevices taken;
    private final List<List<Choice>> chosen = new ArrayList<>();
    private final List<List<DeviceConstraint>> constraints = new ArrayList<>();
    private final Map<DeviceId, Set<Integer>> choosing = new HashMap<>();
    private final Map<DeviceId, Map<String, BigDecimal>> sharing = new HashMap<>();
    private final DeviceCounters counters;
    private final IdentityHashMap<RequestAlternative, Map<DeviceId, Boolean>> selected = new IdentityHashMap<>();

    DeviceSearch(
            DeviceAllocator allocator,
            List<DevicePool> pools,
            ObjectNode node,
            List<ObjectNode> claims,
            List<List<List<RequestAlternative>>> wishes,
            AllocatedDevices taken) {
        this.allocator = allocator;
        this.pools = pools;
        this.node = node;
        this.claims = claims;
        this.wishes = wishes;
        this.taken = taken;
        this.counters = new DeviceCounters(taken);
        for (ObjectNode claim : claims) {
            chosen.add(new ArrayList<>());
            List<DeviceConstraint> own = new ArrayList<>();
            JsonNodes.at(claim, "spec", "devices", "constraints").forEach(c -> own.add(new DeviceConstraint(c)));
            constraints.add(own);
        }
    }

    boolean run() {
        return claim(0) == Outcome.FOUND;
    }

    List<Choice> chosen(int claim) {
        return chosen.get(claim);
    }

    private Outcome claim(int claim) {
        return claim >= claims.size() ? Outcome.FOUND : request(claim, 0);
    }

    private Outcome request(int claim, int request) {
        if (request >= wishes.get(claim).size()) {
            Outcome rest = claim(claim + 1);
            return rest == Outcome.TOO_MANY ? Outcome.NONE : rest;
        }
        List<RequestAlternative> choices = wishes.get(claim).get(request);
        boolean alternatives = !choices.get(0).parent().isEmpty();
        if (!alternatives) {
            return device(claim, request, choices.get(0), 0, From.START);
        }
        Outcome last = Outcome.TOO_MANY;
        for (RequestAlternative wish : choices) {
            Outcome tried = device(claim, request, wish, 0, From.START);
            if (tried == Outcome.FOUND) {
                return tried;
            }
            last = tried == Outcome.TOO_MANY ? last : Outcome.NONE;
        }
        return last;
    }

    private Outcome device(int claim, int request, RequestAlternative wish, int index, From from) {
        if (wish.wantsAll() && wish.all().isEmpty()) {
            return Outcome.NONE;
        }
        if (index >= wish.count()) {
            return request(claim, request + 1);
        }
        if (chosen.get(claim).size() + wish.count() - index > DeviceAllocator.MAX_RESULTS) {
            return Outcome.TOO_MANY;
        }
        if (wish.wantsAll()) {
            return attempt(claim, request, wish, index, wish.all().get(index), From.START);
        }
        for (int p = from.pool(); p < pools.size(); p++) {
            DevicePool pool = pools.get(p);
            if (pool.incomplete || pool.invalid) {
                continue;
            }
            for (int s = p == from.pool() ? from.slice() : 0; s < pool.slices.size(); s++) {
                boolean first = p == from.pool() && s == from.slice();
                Outcome tried = slice(claim, request, wish, index, new From(p, s, first ? from.device() : 0));
                if (tried != Outcome.NONE) {
                    return tried;
                }
            }
        }
        return Outcome.NONE;
    }

    private Outcome slice(int claim, int request, RequestAlternative wish, int index, From from) {
        DevicePool pool = pools.get(from.pool());
        ObjectNode slice = pool.slices.get(from.slice());
        JsonNode devices = JsonNodes.at(slice, "spec", "devices");
        for (int d = from.device(); d < devices.size(); d++) {
            DeviceCandidate candidate = DeviceCandidate.of(pool, slice, devices.get(d));
            if (!free(claim, wish, candidate.id()) || !selects(claim, wish, candidate) || !fits(wish, candidate)) {
                continue;
            }
            From next = new From(from.pool(), from.slice(), d + 1);
            Outcome tried = attempt(claim, request, wish, index, candidate, next);
            if (tried != Outcome.NONE) {
                return tried;
            }
        }
        return Outcome.NONE;
    }

    private boolean selects(int claim, RequestAlternative wish, DeviceCandidate candidate) {
        return selected.computeIfAbsent(wish, w -> new HashMap<>())
                .computeIfAbsent(candidate.id(), id -> allocator.selects(claims.get(claim), wish, candidate, node));
    }

    private boolean free(int claim, RequestAlternative wish, DeviceId id) {
        Set<Integer> now = choosing.getOrDefault(id, Set.of());
        return wish.admin() ? !now.contains(claim) : now.isEmpty() && !taken.whole.contains(id);
    }

    private boolean fits(RequestAlternative wish, DeviceCandidate candidate) {
        Map<String, BigDecimal> used = new HashMap<>(taken.shared.getOrDefault(candidate.id(), Map.of()));
        sharing.getOrDefault(candidate.id(), Map.of()).forEach((k, v) -> used.merge(k, v, BigDecimal::add));
        return DeviceCapacity.fits(wish.spec(), candidate.device(), used);
    }

    private Outcome attempt(
            int claim, int request, RequestAlternative wish, int index, DeviceCandidate candidate, From next) {
        if (!free(claim, wish, candidate.id())) {
            return Outcome.NONE;
        }
        boolean inUse = taken.shared.containsKey(candidate.id()) || sharing.containsKey(candidate.id());
        boolean counts = !(candidate.sharable() && inUse)
                && !candidate.device().path("consumesCounters").isEmpty();
        if (counts && !counters.take(candidate)) {
            return Outcome.NONE;
        }
        if (tainted(wish, candidate) || !constrained(claim, wish, candidate) || !fits(wish, candidate)) {
            if (counts) {
                counters.give(candidate);
            }
            return Outcome.NONE;
        }
        choose(claim, wish, candidate);
        Outcome rest = device(claim, request, wish, index + 1, next);
        if (rest != Outcome.FOUND) {
            withdraw(claim, wish, candidate);
            if (counts) {
                counters.give(candidate);
            }
        }
        return rest;
    }

    private static boolean tainted(RequestAlternative wish, DeviceCandidate candidate) {
        for (JsonNode taint : candidate.device().path("taints")) {
            String effect = JsonNodes.text(taint, "effect");
            boolean stops = effect.equals(Placement.NO_SCHEDULE) || effect.equals(Placement.NO_EXECUTE);
            if (stops && !Placement.toleratesTaint(wish.spec().path("tolerations"), taint)) {
                return true;
            }
        }
        return false;
    }

    private boolean constrained(int claim, RequestAlternative wish, DeviceCandidate candidate) {
        List<DeviceConstraint> all = constraints.get(claim);
        for (int i = 0; i < all.size(); i++) {
            if (!all.get(i).add(wish, candidate)) {
                all.subList(0, i).forEach(c -> c.remove(wish));
                if (wish.wantsAll()) {
                    throw new DeviceAllocator.FaultException("claim " + JsonNodes.key(claims.get(claim)) + ", request "
                            + wish.name() + ": cannot add device " + candidate.id()
                            + " because a claim constraint would not be satisfied");
                }
                return false;
            }
        }
        return true;
    }

    private void choose(int claim, RequestAlternative wish, DeviceCandidate candidate) {
        chosen.get(claim).add(new Choice(wish, candidate));
        if (candidate.sharable()) {
            Map<String, BigDecimal> used = sharing.computeIfAbsent(candidate.id(), i -> new HashMap<>());
            DeviceCapacity.consumption(wish.spec(), candidate.device())
                    .forEach((name, amount) -> used.merge(name, Quantities.value(amount), BigDecimal::add));
        } else {
            choosing.computeIfAbsent(candidate.id(), i -> new HashSet<>()).add(claim);
        }
    }

    private void withdraw(int claim, RequestAlternative wish, DeviceCandidate candidate) {
        List<Choice> own = chosen.get(claim);
        own.remove(own.size() - 1);
        constraints.get(claim).forEach(c -> c.remove(wish));
        if (candidate.sharable()) {
            Map<String, BigDecimal> used = sharing.getOrDefault(candidate.id(), new HashMap<>());
            DeviceCapacity.consumption(wish.spec(), candidate.device())
                    .forEach((name, amount) ->
                            used.merge(name, Quantities.value(amount).negate(), BigDecimal::add));
            if (used.values().stream().allMatch(v -> v.signum() == 0)) {
                sharing.remove(candidate.id());
            }
        } else {
            choosing.getOrDefault(candidate.id(), new HashSet<>()).remove(claim);
        }
    }
}
