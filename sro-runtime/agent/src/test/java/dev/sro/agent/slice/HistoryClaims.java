package dev.sro.agent.slice;

import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.Gpu;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** The claims of a {@link History}, as API server and kubelet know them. */
final class HistoryClaims {
    private final SplittableRandom random;
    private final Consumer<String> log;
    private final Map<String, Claim> claims = new LinkedHashMap<>();
    private int names;

    HistoryClaims(SplittableRandom random, Consumer<String> log) {
        this.random = random;
        this.log = log;
    }

    /** One of them. */
    static final class Claim {
        final ClaimRef ref;
        final List<WantedSlice> wanted;
        boolean allocated = true;
        /** Kubelet asked for it, and did not yet hear that it is given back. */
        boolean asked;
        /** What kubelet was told: these are in a pod. */
        List<Holding> given = List.of();

        Claim(ClaimRef ref, List<WantedSlice> wanted) {
            this.ref = ref;
            this.wanted = wanted;
        }
    }

    Collection<Claim> all() {
        return claims.values();
    }

    void remove(Claim claim) {
        claims.remove(claim.ref.uid());
    }

    ClaimSource.Standing standing(ClaimRef ref) {
        Claim claim = claims.get(ref.uid());
        if (random.nextInt(10) == 0) {
            return ClaimSource.Standing.UNKNOWN;
        }
        return claim != null && claim.allocated ? ClaimSource.Standing.ALLOCATED : ClaimSource.Standing.GONE;
    }

    Optional<Claim> any() {
        List<Claim> all = List.copyOf(claims.values());
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    /** As a scheduler would: no two claims at one place, unless {@code twice}. It knows nothing of foreign instances. */
    void allocate(boolean twice) {
        List<WantedSlice> wanted = new ArrayList<>();
        List<Place> places = new ArrayList<>();
        for (int tries = 0; tries < 4 && wanted.size() < 1 + random.nextInt(2); tries++) {
            Gpu gpu = History.GPUS.get(random.nextInt(History.GPUS.size()));
            String device = "device-" + (places.size() + 1);
            WantedSlice slice = random.nextInt(3) == 0 && !gpu.resetToSwitch()
                    ? WantedSlice.whole(device, gpu.address())
                    : slice(gpu, device);
            Place place = placeOf(slice);
            boolean held = claims.values().stream()
                    .filter(claim -> claim.allocated)
                    .anyMatch(claim ->
                            claim.wanted.stream().anyMatch(one -> placeOf(one).overlaps(place)));
            boolean taken = places.stream().anyMatch(place::overlaps) || (held && !twice);
            if (!taken) {
                places.add(place);
                wanted.add(slice);
            }
        }
        if (!wanted.isEmpty()) {
            String uid = "uid-" + names++;
            claims.put(uid, new Claim(new ClaimRef(uid, "default", "claim-" + uid), wanted));
            log.accept("allocate " + uid + " " + wanted);
        }
    }

    private WantedSlice slice(Gpu gpu, String device) {
        DriverProfile profile = gpu.profiles().get(random.nextInt(gpu.profiles().size()));
        int start = profile.starts().get(random.nextInt(profile.starts().size()));
        return new WantedSlice(device, gpu.address(), profile.name(), start);
    }

    static Place placeOf(WantedSlice slice) {
        if (slice.isWhole()) {
            return Place.whole(slice.gpu());
        }
        Gpu gpu = History.GPUS.stream()
                .filter(one -> one.address().equals(slice.gpu()))
                .findFirst()
                .orElseThrow();
        return Place.of(slice.gpu(), gpu.profile(slice.profile()).orElseThrow(), slice.start());
    }
}
