package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.Gvr;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The drivers of dynamic resource allocation that are registered with the kubelets of the simulated machines, and what these keep of
 * prepared claims. A pod with claims starts when their drivers have prepared them, and goes when they have taken that back; while a
 * driver is not registered, neither happens. Prepared claims survive a reboot, registrations do not.
 *
 * <p>Only drivers that are known here are waited for: before the first registration of a driver, on whatever node, pods with its
 * devices start at once. Thread-safe; what a call changes happens when the cluster works.
 */
public final class SimDra {
    /** A claim that a kubelet has prepared, as its checkpoint has it. */
    private record PreparedClaim(String namespace, String name, String uid, Set<String> drivers, Set<String> pods) {}

    private final ClusterApi api;
    private final SimLoop loop;
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final Map<String, Map<String, DraDriver>> registered = new ConcurrentHashMap<>();
    private final Map<String, Map<String, PreparedClaim>> checkpoints = new ConcurrentHashMap<>();
    /** Pods whose claims have been prepared since their kubelet started. */
    private final Set<String> ready = ConcurrentHashMap.newKeySet();

    private final Map<String, Set<String>> waiting = new TreeMap<>();
    private SimLoop.@Nullable Reconciler kubelet;

    SimDra(ClusterApi api, SimLoop loop) {
        this.api = api;
        this.loop = loop;
    }

    void kubelet(SimLoop.Reconciler reconciler) {
        kubelet = reconciler;
    }

    /** A driver has registered with the kubelet of a node; pods that wait for it go on. */
    public SimDra register(String node, String driver, DraDriver implementation) {
        known.add(driver);
        registered.computeIfAbsent(node, n -> new ConcurrentHashMap<>()).put(driver, implementation);
        loop.post(() -> wake(node));
        return this;
    }

    /** A driver has gone from a node: its socket is not there any more. */
    public SimDra unregister(String node, String driver) {
        known.add(driver);
        registered.getOrDefault(node, new ConcurrentHashMap<>()).remove(driver);
        return this;
    }

    /** Whether a driver is registered on a node. */
    public boolean isRegistered(String node, String driver) {
        return registered.getOrDefault(node, Map.of()).containsKey(driver);
    }

    /** The uids of the claims that the kubelet of a node has prepared, in order; a reboot does not change them. */
    public List<String> prepared(String node) {
        return checkpoints.getOrDefault(node, Map.of()).keySet().stream()
                .sorted()
                .toList();
    }

    private void wake(String node) {
        SimLoop.Reconciler who = kubelet;
        Set<String> keys = waiting.remove(node);
        if (keys != null && who != null) {
            keys.forEach(key -> loop.enqueue(who, key));
        }
    }

    /** The machine has started again: drivers have to register anew, and claims are prepared again before pods start. */
    void rebooted(String node) {
        registered.remove(node);
        checkpoints.getOrDefault(node, Map.of()).values().forEach(claim -> ready.removeAll(claim.pods()));
    }

    void nodeGone(String node) {
        registered.remove(node);
        checkpoints.remove(node);
    }

    /** What a kubelet could not do for a pod. */
    enum Step {
        DONE,
        /** A driver is not registered: it goes on when it is. */
        WAITS,
        /** A driver failed: it is asked again after a while. */
        FAILED
    }

    /** Has the claims of a pod prepared, before its containers start. */
    Step prepare(JsonNode pod, String node) {
        if (ready.contains(JsonNodes.uid(pod))) {
            return Step.DONE;
        }
        for (String name : ClaimNames.all(pod)) {
            ObjectNode claim =
                    api.get(Gvr.RESOURCECLAIMS, JsonNodes.namespace(pod), name).orElse(null);
            if (claim == null || !ClaimNames.allocated(claim) || !ClaimNames.reserved(claim, JsonNodes.uid(pod))) {
                continue;
            }
            Step step = prepare(pod, node, claim);
            if (step != Step.DONE) {
                return step;
            }
        }
        ready.add(JsonNodes.uid(pod));
        return Step.DONE;
    }

    private Step prepare(JsonNode pod, String node, ObjectNode claim) {
        Set<String> drivers = new TreeSet<>();
        JsonNodes.at(claim, "status", "allocation", "devices", "results")
                .forEach(r -> drivers.add(JsonNodes.text(r, "driver")));
        drivers.retainAll(known);
        if (drivers.isEmpty()) {
            return Step.DONE;
        }
        // The kubelet writes its checkpoint before it asks the drivers.
        PreparedClaim prepared = checkpoints
                .computeIfAbsent(node, n -> new ConcurrentHashMap<>())
                .computeIfAbsent(
                        JsonNodes.uid(claim),
                        uid -> new PreparedClaim(
                                JsonNodes.namespace(claim),
                                JsonNodes.name(claim),
                                uid,
                                drivers,
                                ConcurrentHashMap.newKeySet()));
        prepared.pods().add(JsonNodes.uid(pod));
        for (String driver : drivers) {
            DraDriver implementation = registered.getOrDefault(node, Map.of()).get(driver);
            if (implementation == null) {
                return waits(pod, node);
            }
            if (!implementation.prepare(node, claim).equals(DraDriver.DONE)) {
                return Step.FAILED;
            }
        }
        return Step.DONE;
    }

    private Step waits(JsonNode pod, String node) {
        waiting.computeIfAbsent(node, n -> new LinkedHashSet<>()).add(JsonNodes.key(pod));
        return Step.WAITS;
    }

    /** Gives the claims of a pod back whose containers have ended. */
    Step unprepare(JsonNode pod, String node) {
        Map<String, PreparedClaim> checkpoint = checkpoints.getOrDefault(node, Map.of());
        for (PreparedClaim claim : List.copyOf(checkpoint.values())) {
            if (!claim.pods().contains(JsonNodes.uid(pod))) {
                continue;
            }
            if (claim.pods().size() > 1) {
                claim.pods().remove(JsonNodes.uid(pod));
                continue;
            }
            for (String driver : claim.drivers()) {
                DraDriver implementation =
                        registered.getOrDefault(node, Map.of()).get(driver);
                if (implementation == null) {
                    return waits(pod, node);
                }
                String fault = implementation.unprepare(node, claim.namespace(), claim.name(), claim.uid());
                if (!fault.equals(DraDriver.DONE)) {
                    return Step.FAILED;
                }
            }
            checkpoint.remove(claim.uid());
        }
        ready.remove(JsonNodes.uid(pod));
        return Step.DONE;
    }
}
