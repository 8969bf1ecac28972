package dev.sro.agent.slice;

import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.device.ProfileNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The claims of a {@link ConcurrentHistory}, as API server, scheduler and kubelet know them. They want the same few places, so that they
 * meet. Touched by whoever has the turn.
 */
final class ConcurrentClaims {
    private static final int NAMES = 3;

    private final SplittableRandom random;
    private final boolean late;
    private final Consumer<String> log;
    private final Map<String, Claim> claims = new LinkedHashMap<>();
    private final List<WantedSlice> places = new ArrayList<>();
    private final int most;
    private int made;

    /**
     * A few at first.
     *
     * @param late whether a claim may be allocated anew while a call for it runs that kubelet has given up
     */
    ConcurrentClaims(SplittableRandom random, boolean late, Consumer<String> log) {
        this.random = random;
        this.late = late;
        this.log = log;
        most = 2 + random.nextInt(4);
        int count = random.nextBoolean() ? 2 : 3 + random.nextInt(3);
        while (places.size() < count) {
            WantedSlice place = place();
            if (!places.contains(place)) {
                places.add(place);
            }
        }
        allocate(false);
        allocate(false);
    }

    /** A call of kubelet for a claim that the agent has not answered yet. */
    static final class Call {
        final Claim claim;
        final List<WantedSlice> wanted;
        /** Nobody waits for the answer any more, or what it says is gone already. */
        boolean vain;
        /** Kubelet gave it up. */
        boolean abandoned;

        Call(Claim claim) {
            this.claim = claim;
            wanted = claim.wanted;
        }
    }

    /** One of them. */
    static final class Claim {
        final ClaimRef ref;
        final List<Call> prepares = new ArrayList<>();
        List<WantedSlice> wanted;
        boolean allocated = true;
        /** Kubelet asked for it, and did not yet hear that it is given back. */
        boolean asked;
        /** How many calls take it back now. */
        int leaving;
        /** Calls before the last of these are given up. */
        int calls;
        /** What kubelet was told: these are in a pod. */
        List<Holding> given = List.of();

        Claim(ClaimRef ref, List<WantedSlice> wanted) {
            this.ref = ref;
            this.wanted = wanted;
        }

        boolean runs() {
            return !prepares.isEmpty() || leaving > 0;
        }

        /** Kubelet waits for none of the calls that run. */
        void forget() {
            calls++;
            prepares.forEach(call -> {
                call.vain = true;
                call.abandoned = true;
            });
        }
    }

    Collection<Claim> all() {
        return claims.values();
    }

    /** Whether any of them may want something of a GPU. */
    boolean mayWant(PciAddress gpu) {
        return places.stream().anyMatch(place -> place.gpu().equals(gpu));
    }

    Optional<Claim> any() {
        List<Claim> all = List.copyOf(claims.values());
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    /** As it is; another claim of the same name is another one. */
    ClaimSource.Standing standing(ClaimRef ref) {
        Claim claim = claims.get(ref.uid());
        return claim != null && claim.allocated ? ClaimSource.Standing.ALLOCATED : ClaimSource.Standing.GONE;
    }

    private WantedSlice place() {
        Gpu gpu = History.GPUS.get(random.nextInt(History.GPUS.size()));
        if (!gpu.resetToSwitch() && random.nextInt(3) == 0) {
            return WantedSlice.whole(ProfileNames.device(gpu.address()), gpu.address());
        }
        DriverProfile profile = gpu.profiles().get(random.nextInt(gpu.profiles().size()));
        int start = profile.starts().get(random.nextInt(profile.starts().size()));
        return new WantedSlice(
                ProfileNames.device(gpu.address(), profile.name(), start), gpu.address(), profile.name(), start);
    }

    /** As a scheduler would: no two claims at one place, unless {@code twice}. It knows nothing of foreign instances. */
    private List<WantedSlice> draw(boolean twice) {
        List<WantedSlice> wanted = new ArrayList<>();
        for (int tries = 0; tries < 1 + random.nextInt(4); tries++) {
            WantedSlice slice = places.get(random.nextInt(places.size()));
            Place place = HistoryClaims.placeOf(slice);
            boolean held = claims.values().stream()
                    .filter(claim -> claim.allocated)
                    .anyMatch(claim -> overlaps(claim.wanted, place));
            if (!overlaps(wanted, place) && (!held || twice)) {
                wanted.add(slice);
            }
        }
        return List.copyOf(wanted);
    }

    private static boolean overlaps(List<WantedSlice> slices, Place place) {
        return slices.stream().map(HistoryClaims::placeOf).anyMatch(place::overlaps);
    }

    void allocate(boolean twice) {
        if (claims.size() >= most) {
            claims.values().removeIf(claim -> !claim.allocated && !claim.asked && !claim.runs());
        }
        List<WantedSlice> wanted = claims.size() < most ? draw(twice) : List.of();
        if (!wanted.isEmpty()) {
            String uid = "uid-" + made;
            claims.put(uid, new Claim(new ClaimRef(uid, "default", "claim-" + made % NAMES), wanted));
            made++;
            log.accept("allocate " + uid + " " + devices(wanted));
        }
    }

    /** Only claims that no pod has can lose their devices, or get others. */
    void deallocate(Claim claim) {
        if (!claim.given.isEmpty() || !claim.allocated || (claim.runs() && !late)) {
            return;
        }
        claim.allocated = false;
        claim.forget();
        List<WantedSlice> wanted = random.nextInt(3) == 0 ? List.of() : draw(false);
        if (!wanted.isEmpty()) {
            claim.allocated = true;
            claim.wanted = wanted;
            log.accept("allocate anew " + claim.ref.uid() + " " + devices(wanted));
            return;
        }
        log.accept("deallocate " + claim.ref.uid());
    }

    /** Who waits for something at these places waits in vain. */
    void disturb(PciAddress gpu) {
        for (Claim claim : claims.values()) {
            for (Call call : claim.prepares) {
                call.vain |= call.wanted.stream().anyMatch(slice -> slice.gpu().equals(gpu));
            }
        }
    }

    static List<String> devices(List<WantedSlice> wanted) {
        return wanted.stream().map(WantedSlice::device).toList();
    }
}
