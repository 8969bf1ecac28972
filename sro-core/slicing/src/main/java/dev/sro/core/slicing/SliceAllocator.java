package dev.sro.core.slicing;

import dev.sro.core.slicing.CandidateSearch.Offer;
import dev.sro.core.slicing.CandidateSearch.Place;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.fleet.ModelFleet;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputException;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Hands out slices of devices to named claims. All state is in memory; the list of devices and the list of claims say all
 * of it, so that it can be rebuilt after a crash ({@link #adopt}) with an equal {@link #stateHash}.
 *
 * <p>Thread-safe and linearizable: calls that change something run one at a time, each wholly or not at all;
 * {@link #claim} and {@link #claims} do not wait for them unless one runs at that very moment. Deterministic: equal calls in
 * equal order give equal answers. There is no clock inside; time comes with the call.
 *
 * <p>A request without constraints costs the same on one device and on a million. A constraint on device, node or topology
 * group costs a look at the devices it names, one on labels a look at all devices of the models that offer the profile.
 *
 * <p>Every method throws {@link SliceException}, and changes nothing, when it is given a name that does not exist or that is in
 * use already.
 */
public final class SliceAllocator {
    private final Registry registry;
    private final CandidateSearch candidates;
    private final ClaimBook claims;
    private final Relocations relocations;
    private final GangRelocations gangs;
    private final Refusals refusals;
    private final CallLock lock = new CallLock();

    private SliceAllocator(Registry registry) {
        this.registry = registry;
        this.candidates = new CandidateSearch(registry);
        this.claims = new ClaimBook(registry);
        this.relocations = new Relocations(registry, claims);
        this.gangs = new GangRelocations(registry, candidates, claims, relocations);
        this.refusals = new Refusals(registry, candidates, relocations, gangs);
    }

    /** An allocator without devices that places by {@link Policies#standard()}. */
    public static SliceAllocator create() {
        return create(Policies.standard());
    }

    /** An allocator without devices that places by {@code policy}. */
    public static SliceAllocator create(PlacementPolicy policy) {
        return new SliceAllocator(new Registry(policy));
    }

    /** An allocator in the state of a snapshot, placing by {@code policy}. */
    public static SliceAllocator restore(SliceSnapshot snapshot, PlacementPolicy policy) {
        SliceAllocator allocator = create(policy);
        snapshot.devices().forEach(allocator::addDevice);
        snapshot.claims().forEach(allocator::adopt);
        return allocator;
    }

    /**
     * An allocator in the state of a fleet file, placing by {@code policy}.
     *
     * @throws InputException with every error in it, each naming document, line, device and field
     */
    public static SliceAllocator restore(InputDocument fleet, Catalogue catalogue, PlacementPolicy policy) {
        return SnapshotReader.read(fleet, catalogue, policy);
    }

    /** Adds an empty device. Devices of lower age are preferred where a policy sees no difference. */
    public void addDevice(SliceDevice device) {
        lock.exclusively(() -> {
            registry.add(device);
            return device;
        });
    }

    /** Removes a device, which must not carry claims. */
    public void removeDevice(String id) {
        lock.exclusively(() -> {
            Registry.Address address = registry.address(id);
            if (address.pool().fleet().layoutOf(address.number()) != 0) {
                throw Refusals.inUse(id);
            }
            registry.remove(id);
            return id;
        });
    }

    /** Takes a device out of service, or back into it. What it carries stays. */
    public void cordon(String id, boolean on) {
        lock.exclusively(() -> {
            Registry.Address address = registry.address(id);
            SliceDevice device =
                    SliceDevice.builder().from(registry.device(id)).cordoned(on).build();
            address.pool().replace(address.number(), device);
            return device;
        });
    }

    /** Takes one slice, or says why not. */
    public Decision allocate(SliceRequest request) {
        return lock.exclusively(() -> {
            check(List.of(request));
            List<Offer> offers = offers(request);
            Place place = candidates.find(request, offers);
            if (place == null) {
                candidates.countRefusal(request, offers);
                return refusals.refuse(request, offers);
            }
            return new Decision.Granted(List.of(take(request, place)));
        });
    }

    /** Each request on its own, in the order given; what one takes the next ones do not get. */
    public List<Decision> allocateEach(List<SliceRequest> requests) {
        return lock.exclusively(() -> {
            check(requests).forEach(this::offers);
            return requests.stream().map(this::allocate).toList();
        });
    }

    /**
     * Takes all slices, lying to each other as {@code spread} says, or none. If any joint placement exists, one is found; widest
     * slices are placed first.
     */
    public Decision allocateGang(List<SliceRequest> requests, Spread spread) {
        return lock.exclusively(() -> {
            check(requests).forEach(this::offers);
            List<Place> places = new GangPlacer(registry, candidates, requests, spread).place();
            if (places == null) {
                requests.forEach(request -> candidates.countRefusal(request, offers(request)));
                return refusals.refuse(requests, spread);
            }
            List<SliceClaim> granted = new ArrayList<>();
            for (int i = 0; i < places.size(); i++) {
                granted.add(take(requests.get(i), places.get(i)));
            }
            return new Decision.Granted(granted);
        });
    }

    /** Takes over a slice that exists already, exactly where it is, on a cordoned device too. */
    public void adopt(SliceClaim claim) {
        lock.exclusively(() -> {
            checkNew(claim.id());
            Registry.Address address = registry.address(claim.device());
            int placement = ClaimBook.placement(address.pool(), claim);
            if (placement < 0 || !address.pool().fleet().occupy(address.number(), placement)) {
                throw Refusals.illegal(address, claim);
            }
            // Under the name that the model gives the profile, so that equal states have equal hashes.
            int profile = address.pool().geometry.profileOf(placement);
            SliceClaim named = SliceClaim.builder()
                    .from(claim)
                    .profile(address.pool().geometry.profile(profile).name())
                    .build();
            claims.put(named);
            return named;
        });
    }

    /** Gives a slice back. */
    public SliceClaim release(String id) {
        return lock.exclusively(() -> {
            SliceClaim claim = held(id);
            Registry.Address address = registry.address(claim.device());
            address.pool().fleet().release(address.number(), ClaimBook.placement(address.pool(), claim));
            claims.remove(id);
            return claim;
        });
    }

    /** Turns a reservation into a claim that stays; nothing happens to one that stays already. */
    public SliceClaim confirm(String id) {
        return lock.exclusively(() -> {
            SliceClaim confirmed = SliceClaim.builder()
                    .from(held(id))
                    .reservedUntil(Optional.empty())
                    .build();
            claims.put(confirmed);
            return confirmed;
        });
    }

    /** Gives back every reservation whose time is {@code now} or before; in the order of time, then name. */
    public List<SliceClaim> expire(Instant now) {
        return lock.exclusively(() -> claims.all().stream()
                .filter(claim -> claim.reservedUntil().isPresent()
                        && !claim.reservedUntil().get().isAfter(now))
                .sorted(Comparator.comparing(
                                (SliceClaim claim) -> claim.reservedUntil().orElse(now))
                        .thenComparing(SliceClaim::id))
                .toList()
                .stream()
                .map(claim -> release(claim.id()))
                .toList());
    }

    /**
     * The cheapest moves, at most {@code maxMoves}, that make room for a request. A plan without moves says that it fits as it
     * is; empty means that there is no plan within the limit. Where the request has constraints on device, node, labels or
     * group, only claims on devices that fulfil them move, and they stay on such devices.
     */
    public Optional<MovePlan> planAdmission(SliceRequest request, int maxMoves) {
        return lock.exclusively(() -> relocations.admit(request, offers(request), maxMoves));
    }

    /**
     * Moves, at most {@code movesEach} for each request, that make room for a gang; none says that it fits as it is, empty that no plan was
     * found, which is no proof. Claims move as for {@link #planAdmission}, and may leave the node, group or device that the gang will share.
     */
    public Optional<MovePlan> planGang(List<SliceRequest> requests, Spread spread, int movesEach) {
        return lock.exclusively(() -> {
            check(requests).forEach(this::offers);
            return gangs.admit(requests, spread, movesEach);
        });
    }

    /**
     * Moves that free devices, as many as the budget allows, model by model in the order in which models came. Plans of
     * different models do not depend on each other: any of them can be applied.
     *
     * @param budget most cost of all moves: their number, where every claim has the cost 1
     */
    public List<CompactionPlan> planCompaction(long budget) {
        return lock.exclusively(() -> relocations.compact(pool -> true, budget));
    }

    /** As {@link #planCompaction(long)}, on the devices of one model; empty if there are none. */
    public List<CompactionPlan> planCompaction(String model, long budget) {
        return lock.exclusively(
                () -> relocations.compact(pool -> pool.model.key().equals(model), budget));
    }

    /**
     * Moves every claim of a plan, or none.
     *
     * @throws SliceException with {@link SliceException.Code#STALE_PLAN} if something that the plan relies on has changed
     */
    public void apply(MovePlan plan) {
        lock.exclusively(() -> {
            relocations.apply(plan);
            return plan;
        });
    }

    /** The claim of this name, if it is held. */
    public Optional<SliceClaim> claim(String id) {
        return lock.hopefully(() -> Optional.ofNullable(claims.get(id)));
    }

    /** All claims, by name. */
    public List<SliceClaim> claims() {
        return lock.shared(() -> claims.all().stream()
                .sorted(Comparator.comparing(SliceClaim::id))
                .toList());
    }

    /** All devices, in the order in which they were added. */
    public List<SliceDevice> devices() {
        return lock.shared(registry::all);
    }

    /** Whether a request would be granted now. */
    public boolean fits(SliceRequest request) {
        return lock.shared(() -> candidates.find(request, offers(request)) != null);
    }

    /** Whether all of these would be granted together now; nothing changes, and policies learn nothing of it. */
    public boolean fits(List<SliceRequest> requests, Spread spread) {
        return lock.exclusively(() -> {
            check(requests).forEach(this::offers);
            return new GangPlacer(registry, candidates, requests, spread).place() != null;
        });
    }

    /**
     * How much the policy likes the best place for a request, lower is better; empty if it does not fit. Comparable between requests for the
     * same profile that differ in their constraints, at one moment.
     */
    public OptionalInt preference(SliceRequest request) {
        return lock.shared(() -> candidates.preference(request, offers(request)));
    }

    /** What {@link #preference} goes by now for a profile, of any name. */
    public PreferenceBasis preferenceBasis(String profile) {
        return lock.shared(() -> candidates.basis(profile));
    }

    /** All that is needed to build an equal allocator. */
    public SliceSnapshot snapshot() {
        return lock.shared(() -> new SliceSnapshot(registry.all(), claims()));
    }

    /** An allocator in the same state that shares nothing with this one: for trying what would happen. */
    public SliceAllocator whatIf() {
        return lock.shared(() -> {
            SliceAllocator copy = new SliceAllocator(registry.copy());
            claims.all().forEach(copy.claims::put);
            return copy;
        });
    }

    /** A number that is equal for equal devices and claims, however they came about. O(devices + claims). */
    public long stateHash() {
        return lock.shared(() -> StateHash.compute(registry.all(), claims.all()));
    }

    private SliceClaim take(SliceRequest request, Place place) {
        ModelDevices pool = place.pool();
        int number = ModelFleet.device(place.slot());
        int placement = ModelFleet.placement(place.slot());
        SliceDevice device = pool.device(number);
        if (device == null || !pool.fleet().occupy(number, placement)) {
            throw new IllegalStateException(
                    "a place that was found free is not: device " + number + " of " + pool.model.key());
        }
        candidates.countGrant(request, pool, pool.geometry.profileOf(placement));
        SliceClaim claim = SliceClaim.builder()
                .id(request.claim())
                .device(device.id())
                .profile(pool.geometry
                        .profile(pool.geometry.profileOf(placement))
                        .name())
                .start(pool.geometry.startOf(placement))
                .pinned(request.pinned())
                .disruptionCost(request.disruptionCost())
                .reservedUntil(request.reservedUntil())
                .build();
        claims.put(claim);
        return claim;
    }

    private List<Offer> offers(SliceRequest request) {
        List<Offer> offers = candidates.offers(request);
        if (offers.isEmpty()) {
            throw Refusals.unknownProfile(registry, request);
        }
        return offers;
    }

    private List<SliceRequest> check(List<SliceRequest> requests) {
        Set<String> names = new HashSet<>();
        for (SliceRequest request : requests) {
            checkNew(request.claim());
            if (!names.add(request.claim())) {
                throw new SliceException(
                        SliceException.Code.DUPLICATE_CLAIM, "claim " + request.claim() + ": is asked for twice");
            }
            if (request.disruptionCost() < 1) {
                throw Refusals.costsNothing(request);
            }
        }
        if (requests.isEmpty()) {
            throw new SliceException(SliceException.Code.INVALID_REQUEST, "a gang needs at least one request");
        }
        return requests;
    }

    private void checkNew(String id) {
        if (claims.contains(id)) {
            throw new SliceException(
                    SliceException.Code.DUPLICATE_CLAIM,
                    "claim " + id + ": is held already, on device " + held(id).device()
                            + "; every claim needs its own name");
        }
    }

    private SliceClaim held(String id) {
        SliceClaim claim = claims.get(id);
        if (claim == null) {
            throw new SliceException(SliceException.Code.UNKNOWN_CLAIM, "claim " + id + ": is not held");
        }
        return claim;
    }
}
