package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.cel.CelException;
import dev.sro.testkit.schema.DeviceSelector;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds devices for the claims of a pod on a node, as kube-scheduler 1.36 does: depth first through pools, slices and devices in
 * their order, claim by claim and request by request; the first solution is taken. One for each pod that is scheduled.
 */
final class DeviceAllocator {
    /** A claim or a class is such that no allocation can succeed. */
    static final class FaultException extends RuntimeException {
        private static final long serialVersionUID = 1;

        FaultException(String message) {
            super(message);
        }
    }

    static final int MAX_RESULTS = 32;

    private final List<ObjectNode> slices;
    private final AllocatedDevices taken;
    private final Function<String, @Nullable ObjectNode> classes;
    private final Map<String, DeviceSelector> selectors = new HashMap<>();

    DeviceAllocator(List<ObjectNode> slices, AllocatedDevices taken, Function<String, @Nullable ObjectNode> classes) {
        this.slices = slices;
        this.taken = taken;
        this.classes = classes;
    }

    /**
     * Allocations for the claims, in their order; empty if there are none on this node.
     *
     * @throws FaultException if there cannot be any on any node
     */
    List<ObjectNode> allocate(ObjectNode node, List<ObjectNode> claims) {
        List<DevicePool> pools = DevicePool.gather(slices, node);
        List<List<List<RequestAlternative>>> wishes = new ArrayList<>();
        for (ObjectNode claim : claims) {
            wishes.add(wishes(claim, pools, node));
        }
        DeviceSearch search = new DeviceSearch(this, pools, node, claims, wishes, taken);
        if (!search.run()) {
            return List.of();
        }
        List<ObjectNode> results = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            results.add(AllocationResults.create(claims.get(i), wishes.get(i), search.chosen(i), JsonNodes.name(node)));
        }
        return results;
    }

    /** Whether a pool contradicts itself, which is told when nothing could be allocated. */
    boolean anyInvalid(ObjectNode node) {
        return DevicePool.gather(slices, node).stream().anyMatch(p -> p.invalid);
    }

    private List<List<RequestAlternative>> wishes(ObjectNode claim, List<DevicePool> pools, ObjectNode node) {
        List<List<RequestAlternative>> all = new ArrayList<>();
        int fewest = 0;
        for (JsonNode request : JsonNodes.at(claim, "spec", "devices", "requests")) {
            List<RequestAlternative> choices = new ArrayList<>();
            String name = JsonNodes.text(request, "name");
            if (request.path("firstAvailable").isEmpty()) {
                choices.add(wish(claim, "", name, request.path("exactly"), pools, node));
            }
            for (JsonNode alternative : request.path("firstAvailable")) {
                choices.add(wish(claim, name, JsonNodes.text(alternative, "name"), alternative, pools, node));
            }
            fewest += choices.stream().mapToInt(RequestAlternative::count).min().orElse(0);
            all.add(choices);
        }
        if (fewest > MAX_RESULTS) {
            throw new FaultException("claim " + JsonNodes.key(claim) + ": number of requested devices " + fewest
                    + " exceeds the claim limit of " + MAX_RESULTS);
        }
        return all;
    }

    private RequestAlternative wish(
            ObjectNode claim, String parent, String name, JsonNode spec, List<DevicePool> pools, ObjectNode node) {
        String className = JsonNodes.text(spec, "deviceClassName");
        ObjectNode deviceClass = classes.apply(className);
        String who = "claim " + JsonNodes.key(claim) + ", request " + name + ": ";
        if (deviceClass == null) {
            throw new FaultException(who + "could not retrieve device class " + className + ": deviceclass."
                    + "resource.k8s.io \"" + className + "\" not found");
        }
        int count = spec.path("count").asInt();
        RequestAlternative wish = new RequestAlternative(parent, name, spec, deviceClass, count, List.of());
        if (!wish.wantsAll()) {
            return wish;
        }
        List<DeviceCandidate> all = new ArrayList<>();
        for (DevicePool pool : pools) {
            if (pool.incomplete || pool.invalid) {
                throw new FaultException(who + "asks for all devices, but resource pool " + pool + " is currently "
                        + (pool.incomplete ? "being updated" : "invalid"));
            }
            for (ObjectNode slice : pool.slices) {
                for (JsonNode device : JsonNodes.at(slice, "spec", "devices")) {
                    DeviceCandidate candidate = DeviceCandidate.of(pool, slice, device);
                    if (selects(claim, wish, candidate, node) && fits(wish, candidate, Map.of())) {
                        all.add(candidate);
                    }
                }
            }
        }
        return new RequestAlternative(parent, name, spec, deviceClass, all.size(), all);
    }

    private boolean fits(RequestAlternative wish, DeviceCandidate candidate, Map<String, BigDecimal> more) {
        Map<String, BigDecimal> used = new HashMap<>(taken.shared.getOrDefault(candidate.id(), Map.of()));
        more.forEach((name, value) -> used.merge(name, value, BigDecimal::add));
        return DeviceCapacity.fits(wish.spec(), candidate.device(), used);
    }

    /** Whether the selectors of class and request take a device, and it is for this node. */
    boolean selects(ObjectNode claim, RequestAlternative wish, DeviceCandidate candidate, ObjectNode node) {
        String ofClass = "class " + JsonNodes.name(wish.deviceClass());
        if (!all(JsonNodes.at(wish.deviceClass(), "spec", "selectors"), candidate, ofClass)
                || !all(wish.spec().path("selectors"), candidate, "claim " + JsonNodes.key(claim))) {
            return false;
        }
        return !JsonNodes.bool(candidate.slice(), "spec", "perDeviceNodeSelection")
                || DevicePool.isFor(candidate.device(), node);
    }

    private boolean all(JsonNode expressions, DeviceCandidate candidate, String who) {
        int i = 0;
        for (JsonNode selector : expressions) {
            String text = JsonNodes.text(selector, "cel", "expression");
            try {
                DeviceSelector compiled = selectors.computeIfAbsent(text, DeviceSelector::of);
                if (!compiled.selects(candidate.id().driver(), candidate.device())) {
                    return false;
                }
            } catch (CelException e) {
                throw new FaultException(who + ": selector #" + i + ": CEL runtime error: " + e.text());
            }
            i++;
        }
        return true;
    }
}
