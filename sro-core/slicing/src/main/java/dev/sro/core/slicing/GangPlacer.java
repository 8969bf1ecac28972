package dev.sro.core.slicing;

import dev.sro.core.slicing.CandidateSearch.Offer;
import dev.sro.core.slicing.CandidateSearch.Place;
import dev.sro.core.slicing.fleet.ModelFleet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Places all slices of a gang or none. The policy goes first, widest slice first; where it gets stuck, {@link GangSearch}
 * finds a joint placement if there is one.
 */
final class GangPlacer {
    private final Registry registry;
    private final CandidateSearch candidates;
    private final List<SliceRequest> requests;
    private final Spread spread;

    GangPlacer(Registry registry, CandidateSearch candidates, List<SliceRequest> requests, Spread spread) {
        this.registry = registry;
        this.candidates = candidates;
        this.requests = requests;
        this.spread = spread;
    }

    /** The places in the order of the requests, not yet taken; null if no joint placement exists. */
    @Nullable List<Place> place() {
        return switch (spread) {
            case ANYWHERE, DIFFERENT_DEVICES -> within(requests, registry::addresses);
            case SAME_DEVICE -> onOneDevice();
            case SAME_NODE -> inOneScope(true);
            case SAME_TOPOLOGY_GROUP -> inOneScope(false);
        };
    }

    // Fullest device first. Devices in equal layouts answer alike unless labels tell them apart.
    @Nullable private List<Place> onOneDevice() {
        boolean alike = requests.stream().allMatch(request -> request.labels().isEmpty());
        Set<Map.Entry<ModelDevices, Integer>> failed = new HashSet<>();
        List<SliceDevice> fullestFirst = registry.all().stream()
                .sorted(Comparator.comparingInt(this::freeUnits))
                .toList();
        for (SliceDevice device : fullestFirst) {
            Registry.Address address = registry.address(device.id());
            Map.Entry<ModelDevices, Integer> key =
                    Map.entry(address.pool(), address.pool().fleet().layoutOf(address.number()));
            if ((alike && failed.contains(key))
                    || requests.stream().anyMatch(r -> !CandidateSearch.fulfils(device, r))) {
                continue;
            }
            List<Place> places = within(narrowed(builder -> builder.device(device.id())), () -> List.of(address));
            if (places != null) {
                return places;
            }
            if (!device.cordoned()) {
                failed.add(key);
            }
        }
        return null;
    }

    @Nullable private List<Place> inOneScope(boolean byNode) {
        for (String name : registry.scopes(byNode)) {
            if (requests.stream()
                    .anyMatch(request -> !(byNode ? request.node() : request.topologyGroup())
                            .map(name::equals)
                            .orElse(true))) {
                continue;
            }
            List<Place> places = within(
                    narrowed(builder -> byNode ? builder.node(name) : builder.topologyGroup(name)),
                    () -> registry.scope(byNode, name));
            if (places != null) {
                return places;
            }
        }
        return null;
    }

    private List<SliceRequest> narrowed(UnaryOperator<SliceRequest.Builder> by) {
        return requests.stream()
                .map(request -> by.apply(SliceRequest.builder().from(request)).build())
                .toList();
    }

    private int freeUnits(SliceDevice device) {
        Registry.Address address = registry.address(device.id());
        return address.pool().geometry.freeUnits(address.pool().fleet().occupancyOf(address.number()));
    }

    @Nullable private List<Place> within(List<SliceRequest> narrowed, Supplier<List<Registry.Address>> devices) {
        List<Place> places = greedy(narrowed);
        return places != null ? places : searched(narrowed, devices.get());
    }

    @Nullable private List<Place> greedy(List<SliceRequest> narrowed) {
        Place[] places = new Place[narrowed.size()];
        Set<Registry.Address> used = new HashSet<>();
        List<Place> taken = new ArrayList<>();
        for (int i : widestFirst(requests, candidates)) {
            SliceRequest request = narrowed.get(i);
            List<Offer> offers = candidates.offers(request);
            Place place = spread == Spread.DIFFERENT_DEVICES
                    ? candidates.find(
                            request, offers, (pool, number) -> !used.contains(new Registry.Address(pool, number)))
                    : candidates.find(request, offers);
            if (place == null) {
                break;
            }
            places[i] = place;
            used.add(new Registry.Address(place.pool(), ModelFleet.device(place.slot())));
            place.pool().fleet().occupy(ModelFleet.device(place.slot()), ModelFleet.placement(place.slot()));
            taken.add(place);
        }
        taken.forEach(place ->
                place.pool().fleet().vacate(ModelFleet.device(place.slot()), ModelFleet.placement(place.slot())));
        return taken.size() == places.length ? List.of(places) : null;
    }

    /** Places of requests in their list, by the share of a device. */
    static List<Integer> widestFirst(List<SliceRequest> requests, CandidateSearch candidates) {
        return IntStream.range(0, requests.size())
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -candidates.offers(requests.get(i)).stream()
                        .mapToDouble(offer -> (double) offer.pool().geometry.sizeOf(offer.profile())
                                / offer.pool().geometry.units())
                        .max()
                        .orElse(0)))
                .toList();
    }

    @Nullable private List<Place> searched(List<SliceRequest> narrowed, List<Registry.Address> devices) {
        if (devices.isEmpty()) {
            return null;
        }
        Map<SliceRequest, List<Integer>> alike = new LinkedHashMap<>();
        for (int i = 0; i < narrowed.size(); i++) {
            alike.computeIfAbsent(anonymous(narrowed.get(i)), key -> new ArrayList<>())
                    .add(i);
        }
        List<GangSearch.Kind> kinds = new ArrayList<>();
        alike.forEach((sample, members) -> {
            Map<ModelDevices, Integer> profileOf = new LinkedHashMap<>();
            candidates.offers(sample).forEach(offer -> profileOf.put(offer.pool(), offer.profile()));
            kinds.add(new GangSearch.Kind(sample, profileOf, members.size()));
        });
        List<GangSearch.Piece> pieces = new GangSearch(kinds, spread == Spread.DIFFERENT_DEVICES).solve(devices);
        if (pieces == null) {
            return null;
        }
        Place[] places = new Place[requests.size()];
        List<List<Integer>> members = new ArrayList<>();
        alike.values().forEach(list -> members.add(new ArrayList<>(list)));
        for (GangSearch.Piece piece : pieces) {
            places[members.get(piece.kind()).remove(0)] =
                    new Place(piece.pool(), ModelFleet.slot(piece.device(), piece.placement()));
        }
        return List.of(places);
    }

    private static SliceRequest anonymous(SliceRequest request) {
        return SliceRequest.builder()
                .claim("")
                .profile(request.profile())
                .device(request.device())
                .node(request.node())
                .model(request.model())
                .labels(request.labels())
                .topologyGroup(request.topologyGroup())
                .build();
    }
}
