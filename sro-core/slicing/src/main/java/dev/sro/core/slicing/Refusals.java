package dev.sro.core.slicing;

import dev.sro.core.slicing.CandidateSearch.Offer;
import dev.sro.core.slicing.Decision.Reason;
import dev.sro.core.slicing.Decision.Refused;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.fleet.ModelFleet;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.input.Suggestions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Says why a request cannot be granted, with the proof where there is one. */
final class Refusals {
    private static final int PLAN_MOVES = 3;

    private final Registry registry;
    private final CandidateSearch candidates;
    private final Relocations relocations;
    private final GangRelocations gangs;

    Refusals(Registry registry, CandidateSearch candidates, Relocations relocations, GangRelocations gangs) {
        this.registry = registry;
        this.candidates = candidates;
        this.relocations = relocations;
        this.gangs = gangs;
    }

    /** What runs on the devices that a request may use, in one pool. */
    private static final class Load {
        final long devices;
        final long[] counts;

        Load(long devices, long[] counts) {
            this.devices = devices;
            this.counts = counts;
        }
    }

    Refused refuse(SliceRequest request, List<Offer> offers) {
        List<String> reasons = new ArrayList<>();
        boolean feasible = false;
        long devices = 0;
        for (Offer offer : offers) {
            Load load = load(offer.pool(), request);
            devices += load.devices;
            if (load.devices == 0) {
                continue;
            }
            if (offer.pool().feasibility().feasibleWithOneMore(load.counts, offer.profile(), load.devices)) {
                feasible = true;
                reasons.add(fragmented(offer, load));
            } else {
                long[] more = load.counts.clone();
                more[offer.profile()]++;
                reasons.add(offer.pool().model.key() + ": no arrangement of what runs there leaves room; "
                        + offer.pool().feasibility().explain(more, load.devices).orElse(""));
            }
        }
        if (devices == 0) {
            return new Refused(Reason.NO_SUCH_DEVICE, intro(request) + none(request, offers), Optional.empty());
        }
        return new Refused(
                feasible ? Reason.FRAGMENTED : Reason.INFEASIBLE,
                intro(request) + String.join("; ", reasons),
                feasible ? relocations.admit(request, offers, PLAN_MOVES) : Optional.empty());
    }

    Refused refuse(List<SliceRequest> requests, Spread spread) {
        String wish = requests.stream()
                .collect(Collectors.groupingBy(SliceRequest::profile, LinkedHashMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .map(entry -> entry.getValue() + " x " + entry.getKey())
                .collect(Collectors.joining(", "));
        String intro = "gang of " + wish + " ("
                + spread.name().toLowerCase(Locale.ROOT).replace('_', '-') + "): ";
        for (SliceRequest request : requests) {
            if (candidates.offers(request).stream().allMatch(offer -> load(offer.pool(), request).devices == 0)) {
                return new Refused(
                        Reason.NO_SUCH_DEVICE,
                        intro + intro(request) + none(request, candidates.offers(request)),
                        Optional.empty());
            }
        }
        String proof = gangProof(requests);
        return proof.isEmpty()
                ? new Refused(
                        Reason.FRAGMENTED,
                        intro + "no joint placement beside what runs now; all were looked at",
                        gangs.admit(requests, spread, PLAN_MOVES))
                : new Refused(Reason.INFEASIBLE, intro + proof, Optional.empty());
    }

    /** A proof that a gang fits under no arrangement; empty where the closed form does not give one. */
    private String gangProof(List<SliceRequest> requests) {
        Map<ModelDevices, long[]> more = new LinkedHashMap<>();
        for (SliceRequest request : requests) {
            List<Offer> offers = candidates.offers(request);
            if (offers.size() == 1) {
                Offer offer = offers.get(0);
                more.computeIfAbsent(offer.pool(), pool -> load(pool, SliceRequest.of("", request.profile())).counts)[
                        offer.profile()]++;
            }
        }
        for (Map.Entry<ModelDevices, long[]> entry : more.entrySet()) {
            ModelDevices pool = entry.getKey();
            long devices = pool.fleet().usableDevices();
            if (!pool.feasibility().feasible(entry.getValue(), devices)) {
                return pool.model.key() + ": no arrangement of what runs there leaves room; "
                        + pool.feasibility().explain(entry.getValue(), devices).orElse("");
            }
        }
        return "";
    }

    private Load load(ModelDevices pool, SliceRequest request) {
        ModelFleet fleet = pool.fleet();
        long[] counts = new long[pool.geometry.profiles()];
        if (CandidateSearch.anyDevice(request)) {
            for (int profile = 0; profile < counts.length; profile++) {
                counts[profile] = fleet.live(profile);
            }
            return new Load(fleet.usableDevices(), counts);
        }
        long devices = 0;
        for (int number : candidates.numbers(pool, request)) {
            if (!fleet.cordoned(number) && CandidateSearch.fulfils(pool.device(number), request)) {
                devices++;
                long rest = pool.geometry.placementsOf(fleet.layoutOf(number));
                for (; rest != 0; rest &= rest - 1) {
                    counts[pool.geometry.profileOf(Long.numberOfTrailingZeros(rest))]++;
                }
            }
        }
        return new Load(devices, counts);
    }

    private static String intro(SliceRequest request) {
        return "claim " + request.claim() + ": " + request.profile() + ": ";
    }

    private String none(SliceRequest request, List<Offer> offers) {
        StringBuilder text = new StringBuilder("no device in service");
        request.device().ifPresent(device -> text.append(" named ").append(device));
        request.node().ifPresent(node -> text.append(" on node ").append(node));
        request.topologyGroup()
                .ifPresent(group -> text.append(" in topology group ").append(group));
        if (!request.labels().isEmpty()) {
            text.append(" with labels ").append(request.labels());
        }
        return text.append(" offers it; models that do: ")
                .append(offers.stream().map(offer -> offer.pool().model.key()).toList())
                .append(", devices in all: ")
                .append(registry.addresses().size())
                .toString();
    }

    private static String fragmented(Offer offer, Load load) {
        Geometry geometry = offer.pool().geometry;
        long used = 0;
        for (int profile = 0; profile < load.counts.length; profile++) {
            used += load.counts[profile] * geometry.sizeOf(profile);
        }
        return offer.pool().model.key() + ": " + (load.devices * geometry.units() - used) + " of "
                + load.devices * geometry.units() + " memory units are free, but on no device the "
                + geometry.sizeOf(offer.profile()) + " that it needs at a start it can have"
                + (offer.pool().feasibility().exact() ? "; moving slices would make room" : "");
    }

    static SliceException costsNothing(SliceRequest request) {
        return new SliceException(
                SliceException.Code.INVALID_REQUEST,
                "claim " + request.claim() + ": disruptionCost " + request.disruptionCost() + " is not positive");
    }

    static SliceException inUse(String device) {
        return new SliceException(
                SliceException.Code.DEVICE_IN_USE,
                "device " + device + ": still carries claims; release or move them first");
    }

    static SliceException unknownProfile(Registry registry, SliceRequest request) {
        List<String> models =
                registry.pools().stream().map(pool -> pool.model.key()).sorted().toList();
        if (models.isEmpty()) {
            return new SliceException(
                    SliceException.Code.UNKNOWN_PROFILE, "claim " + request.claim() + ": there are no devices at all");
        }
        List<String> known = registry.pools().stream()
                .flatMap(pool -> pool.model.profiles().stream())
                .map(SliceProfile::name)
                .distinct()
                .toList();
        return new SliceException(
                SliceException.Code.UNKNOWN_PROFILE,
                "claim " + request.claim() + ": profile " + request.profile() + " is offered by none of the models "
                        + models
                        + request.model()
                                .map(model -> " (asked for model " + model + ")")
                                .orElse("")
                        + Suggestions.hint(request.profile(), known));
    }

    static SliceException illegal(Registry.Address address, SliceClaim claim) {
        Geometry geometry = address.pool().geometry;
        int profile = address.pool().model.indexOf(claim.profile());
        StringBuilder text = new StringBuilder("claim " + claim.id() + ": " + claim.profile() + " at " + claim.start()
                + " does not go on device " + claim.device() + " ("
                + address.pool().model.key() + ") beside "
                + content(address));
        if (profile >= 0) {
            int layout = address.pool().fleet().layoutOf(address.number());
            List<Integer> free = new ArrayList<>();
            for (int p = geometry.firstPlacement(profile); p < geometry.firstPlacement(profile + 1); p++) {
                if (!geometry.holds(layout, p) && geometry.toggle(layout, p) != Geometry.ILLEGAL) {
                    free.add(geometry.startOf(p));
                }
            }
            text.append(free.isEmpty() ? "; nor does it at any other start" : "; it could start at " + free);
        }
        return new SliceException(SliceException.Code.ILLEGAL_PLACEMENT, text.toString());
    }

    /** What a device carries, for people. */
    static String content(Registry.Address address) {
        Geometry geometry = address.pool().geometry;
        List<String> parts = new ArrayList<>();
        long rest = geometry.placementsOf(address.pool().fleet().layoutOf(address.number()));
        for (; rest != 0; rest &= rest - 1) {
            int placement = Long.numberOfTrailingZeros(rest);
            parts.add(geometry.profile(geometry.profileOf(placement)).name() + " at " + geometry.startOf(placement));
        }
        return parts.isEmpty() ? "nothing" : String.join(", ", parts);
    }
}
