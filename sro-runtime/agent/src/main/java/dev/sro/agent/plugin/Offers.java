package dev.sro.agent.plugin;

import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.kubelet.PluginDevice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which devices each profile has. A scheduler counts the profiles one by one: what it counts as free of one are places that can all be had together, beside
 * all that is given away, of all profiles. What one profile takes, the next list of the others has no more. Stateless.
 */
final class Offers {
    private Offers() {}

    /** Devices by profile: those that kubelet has to know, the promised first, and as many others as fit, the best first. */
    static Map<String, List<PluginDevice>> of(List<GpuOffer> gpus) {
        Map<String, List<PluginDevice>> offers = new TreeMap<>();
        TreeSet<String> profiles = new TreeSet<>();
        gpus.forEach(offer ->
                offer.gpu().profiles().stream().map(DriverProfile::name).forEach(profiles::add));
        for (String profile : profiles) {
            List<PluginDevice> devices = new ArrayList<>();
            listed(gpus, profile, true, devices);
            free(gpus, profile, devices);
            listed(gpus, profile, false, devices);
            offers.put(profile, devices);
        }
        return offers;
    }

    private static void listed(List<GpuOffer> gpus, String profile, boolean promised, List<PluginDevice> devices) {
        for (GpuOffer offer : gpus) {
            offer.taken().stream()
                    .filter(place ->
                            place.profile().equals(profile) && offer.listed().contains(place.id()))
                    .filter(place -> offer.promised().contains(place.id()) == promised)
                    .forEach(place -> devices.add(device(offer, place.id())));
        }
    }

    private static void free(List<GpuOffer> gpus, String profile, List<PluginDevice> devices) {
        Map<GpuOffer, List<PluginPlace>> places = new LinkedHashMap<>();
        for (GpuOffer offer : gpus) {
            if (offer.closed().isEmpty() && offer.healthy() && offer.tables().isPresent()) {
                places.put(offer, new ArrayList<>(offer.taken()));
            }
        }
        while (!places.isEmpty()) {
            GpuOffer best = null;
            int least = Integer.MAX_VALUE;
            int start = 0;
            for (Map.Entry<GpuOffer, List<PluginPlace>> each : places.entrySet()) {
                GpuTables tables = each.getKey().tables().orElseThrow();
                OptionalInt layout = tables.layout(each.getValue());
                OptionalInt next = layout.isPresent() ? tables.next(layout.getAsInt(), profile) : OptionalInt.empty();
                if (next.isPresent() && tables.order(layout.getAsInt(), profile) < least) {
                    best = each.getKey();
                    least = tables.order(layout.getAsInt(), profile);
                    start = next.getAsInt();
                }
            }
            if (best == null) {
                return;
            }
            PluginPlace place = PluginPlace.of(best.gpu().address(), profile, start);
            List<PluginPlace> taken = places.get(best);
            if (taken == null || taken.contains(place)) {
                return;
            }
            taken.add(place);
            devices.add(device(best, place.id()));
        }
    }

    private static PluginDevice device(GpuOffer offer, String id) {
        return new PluginDevice(id, offer.healthy(), offer.gpu().numaNode());
    }
}
