package dev.sro.agent.plugin;

import dev.sro.core.das.AllocationClaim;
import dev.sro.core.das.NodeAccelerator.AcceleratorGpu;
import dev.sro.core.das.NodeAccelerator.AcceleratorProfile;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a node has, for whoever places pods by promises. Stateless. */
final class NodeInventory {
    private NodeInventory() {}

    /**
     * GPUs, each with why nothing of it is to be promised. What pods have without a promise is known to nobody but this node, so such a GPU is closed.
     *
     * @param claims all of the node
     */
    static List<AcceleratorGpu> of(List<GpuOffer> offers, List<AllocationClaim> claims) {
        return offers.stream()
                .map(offer -> new AcceleratorGpu(
                        offer.gpu().uuid(),
                        offer.gpu().product(),
                        "",
                        offer.tables().map(GpuTables::model).orElse(""),
                        offer.gpu().address().toString(),
                        closed(offer, claims),
                        profiles(offer)))
                .toList();
    }

    private static String closed(GpuOffer offer, List<AllocationClaim> claims) {
        if (offer.closed().isPresent()) {
            return offer.closed().get();
        }
        if (!offer.healthy()) {
            return "it is ill";
        }
        Set<String> promised = claims.stream()
                .filter(claim -> claim.gpu().equals(offer.gpu().uuid()))
                .map(claim -> PluginPlace.of(offer.gpu().address(), claim.profile(), claim.start())
                        .id())
                .collect(Collectors.toSet());
        List<PluginPlace> others = offer.taken().stream()
                .filter(place -> !promised.contains(place.id()))
                .toList();
        return others.isEmpty() ? "" : "somebody without a promise has " + others.get(0);
    }

    private static Map<String, AcceleratorProfile> profiles(GpuOffer offer) {
        Map<String, AcceleratorProfile> profiles = new TreeMap<>();
        offer.gpu()
                .profiles()
                .forEach(profile -> profiles.put(
                        profile.name(), new AcceleratorProfile(profile.size(), profile.starts(), profile.id())));
        return profiles;
    }
}
