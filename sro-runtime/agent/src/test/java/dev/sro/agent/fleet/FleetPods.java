package dev.sro.agent.fleet;

import dev.sro.agent.slice.ClaimRef;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a namespace between scheduler and kubelets: each that is bound has its claim prepared on its node, as kubelet does it, and each that
 * is to go gives it back first. Calls from one thread; what the API server tells comes on others.
 */
final class FleetPods implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int CALLERS = 4;

    private final KubernetesClient client;
    private final Map<String, FleetNode> nodes;
    private final Map<String, Tracked> pods = new HashMap<>();
    private final Map<String, ResourceClaim> claims = new HashMap<>();
    private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    private final SharedIndexInformer<Pod> podInformer;
    private final SharedIndexInformer<ResourceClaim> claimInformer;
    private long lastBound = System.nanoTime();

    /** A pod that was made and is not gone. */
    private static final class Tracked {
        String node = "";
        boolean unschedulable;
        long since = System.nanoTime();

        @Nullable ClaimRef started;
    }

    FleetPods(KubernetesClient client, Map<String, FleetNode> nodes) {
        this.client = client;
        this.nodes = nodes;
        podInformer = client.pods().inform(handler(this::seen, pod -> {}));
        claimInformer = client.resources(ResourceClaim.class).inform(handler(this::seen, this::gone));
    }

    private interface Seen<T> {
        void it(T object);
    }

    private static <T> ResourceEventHandler<T> handler(Seen<T> seen, Seen<T> gone) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object) {
                seen.it(object);
            }

            @Override
            public void onUpdate(T before, T object) {
                seen.it(object);
            }

            @Override
            public void onDelete(T object, boolean finalStateUnknown) {
                gone.it(object);
            }
        };
    }

    private synchronized void seen(Pod pod) {
        Tracked tracked = pods.get(pod.getMetadata().getName());
        if (tracked == null) {
            return;
        }
        String node = Optional.ofNullable(pod.getSpec().getNodeName()).orElse("");
        boolean refused =
                node.isEmpty() && pod.getStatus().getConditions().stream().anyMatch(FleetPods::saysUnschedulable);
        if (!node.equals(tracked.node) || refused != tracked.unschedulable) {
            tracked.since = System.nanoTime();
            lastBound = node.equals(tracked.node) ? lastBound : tracked.since;
            tracked.node = node;
            tracked.unschedulable = refused;
        }
        start(pod.getMetadata().getName(), tracked);
        notifyAll();
    }

    private static boolean saysUnschedulable(PodCondition condition) {
        return condition.getType().equals("PodScheduled") && "Unschedulable".equals(condition.getReason());
    }

    private synchronized void seen(ResourceClaim claim) {
        String pod = owner(claim);
        claims.put(claim.getMetadata().getUid(), claim);
        Tracked tracked = pods.get(pod);
        if (tracked != null) {
            start(pod, tracked);
        }
        notifyAll();
    }

    private synchronized void gone(ResourceClaim claim) {
        claims.remove(claim.getMetadata().getUid());
        notifyAll();
    }

    private static String owner(ResourceClaim claim) {
        return claim.getMetadata().getOwnerReferences().get(0).getName();
    }

    private Optional<ResourceClaim> claimOf(String pod) {
        return claims.values().stream()
                .filter(claim -> owner(claim).equals(pod)
                        && claim.getStatus() != null
                        && claim.getStatus().getAllocation() != null)
                .findFirst();
    }

    /** Once pod and claim are known to be on a node. */
    private void start(String pod, Tracked tracked) {
        if (tracked.started != null || tracked.node.isEmpty()) {
            return;
        }
        claimOf(pod).ifPresent(claim -> {
            ClaimRef ref = new ClaimRef(
                    claim.getMetadata().getUid(),
                    claim.getMetadata().getNamespace(),
                    claim.getMetadata().getName());
            tracked.started = ref;
            FleetNode node = nodes.get(tracked.node);
            if (node != null) {
                node.start(ref);
            }
        });
    }

    /** Makes pods of these manifests, by their names. */
    void create(Map<String, String> manifests) throws Exception {
        synchronized (this) {
            manifests.keySet().forEach(name -> pods.put(name, new Tracked()));
        }
        List<Future<?>> calls = new ArrayList<>();
        manifests
                .values()
                .forEach(text ->
                        calls.add(callers.submit(() -> client.resource(text).create())));
        for (Future<?> call : calls) {
            call.get();
        }
    }

    /**
     * Waits until each of these pods has a node and was started there, or the scheduler has had none for it for a while.
     *
     * @return which of them have a node
     */
    List<String> settled(Collection<String> names, Duration calm) throws InterruptedException {
        await(
                "each of " + names + " has a node or none",
                () -> names.stream()
                        .map(this::tracked)
                        .allMatch(pod -> pod.node.isEmpty()
                                ? pod.unschedulable && System.nanoTime() - pod.since > calm.toNanos()
                                : pod.started != null));
        synchronized (this) {
            return names.stream().filter(name -> !tracked(name).node.isEmpty()).toList();
        }
    }

    private Tracked tracked(String name) {
        Tracked pod = pods.get(name);
        if (pod == null) {
            throw new AssertionError("no pod " + name);
        }
        return pod;
    }

    /** When the last of all pods was given a node, as {@link System#nanoTime} has it. */
    synchronized long lastBound() {
        return lastBound;
    }

    /** Has pods end, and waits until they and their claims are gone. */
    void delete(Collection<String> names) throws Exception {
        Map<String, Tracked> going = new HashMap<>();
        synchronized (this) {
            names.forEach(name -> going.put(name, tracked(name)));
        }
        List<Future<?>> calls = new ArrayList<>();
        going.forEach((name, pod) -> calls.add(callers.submit(() -> {
            ClaimRef claim = pod.started;
            FleetNode node = nodes.get(pod.node);
            if (claim != null && node != null) {
                node.end(claim).get();
            }
            return client.pods().withName(name).withGracePeriod(0).delete();
        })));
        for (Future<?> call : calls) {
            call.get();
        }
        await(
                "the claims of " + names + " are gone",
                () -> claims.values().stream().noneMatch(claim -> going.containsKey(owner(claim))));
        synchronized (this) {
            pods.keySet().removeAll(names);
        }
    }

    /** Those that were made and are not gone. */
    synchronized Set<String> names() {
        return Set.copyOf(pods.keySet());
    }

    /** The places that claims of pods were given, with the names of their nodes. */
    synchronized List<String> places() {
        return pods.keySet().stream()
                .flatMap(pod -> claimOf(pod).stream())
                .flatMap(claim -> claim.getStatus().getAllocation().getDevices().getResults().stream())
                .map(result -> result.getPool().replace("-" + FleetWay.OPTIONS.driver(), "") + " " + result.getDevice())
                .toList();
    }

    private synchronized void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited until " + what);
            }
            // Calm is the passing of time, of which nobody tells.
            TimeUnit.MILLISECONDS.timedWait(this, 50);
        }
    }

    @Override
    public void close() {
        podInformer.close();
        claimInformer.close();
        callers.shutdownNow();
    }
}
