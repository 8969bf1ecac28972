package dev.sro.runtime.scheduler;

import dev.sro.core.placement.Placement;
import dev.sro.core.placement.PlacementFleet;
import dev.sro.core.placement.PodSlices;
import dev.sro.core.placement.SliceDemand;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds a pod to the node that the scheduler chose: takes places, writes a claim for each slice, binds. Whatever fails, places and claims are given
 * back. Thread-safe.
 */
final class SliceBinder {
    private static final Logger LOG = LoggerFactory.getLogger(SliceBinder.class);

    /** Longer than all requests of a binding may take. */
    private static final Duration RESERVED = Duration.ofMinutes(2);

    private final KubernetesClient client;
    private final PlacementFleet fleet;
    private final WaitingPods pods;
    private final ClaimWriter claims;
    private final BooleanSupplier leads;
    private final Clock clock;

    SliceBinder(KubernetesClient client, PlacementFleet fleet, WaitingPods pods, BooleanSupplier leads, Clock clock) {
        this.client = client;
        this.fleet = fleet;
        this.pods = pods;
        this.claims = new ClaimWriter(client);
        this.leads = leads;
        this.clock = clock;
    }

    /**
     * Binds.
     *
     * @return why not, for the scheduler, which tries again later; empty when it is bound
     */
    String bind(String namespace, String name, String uid, String node) {
        if (!leads.getAsBoolean()) {
            return "this replica does not lead";
        }
        Optional<SliceDemand> demand;
        try {
            demand = demand(namespace, name, uid);
        } catch (IllegalArgumentException | KubernetesClientException e) {
            return String.valueOf(e.getMessage());
        }
        if (demand.isEmpty()) {
            return "pod " + namespace + "/" + name + " asks for no slices, or is not there any more";
        }
        Placement placement =
                fleet.decide(demand.get(), List.of(node), clock.instant().plus(RESERVED));
        if (!placement.granted()) {
            return placement.refusal();
        }
        return commit(demand.get(), placement);
    }

    private String commit(SliceDemand demand, Placement placement) {
        ClaimWriter.Result result = claims.write(placement.slices());
        if (result.outcome() == ClaimWriter.Outcome.REFUSED) {
            // Writing has deleted what it wrote; the places are free when that is seen, or at once if nothing was.
            fleet.unreserve(demand.uid());
        }
        if (result.outcome() != ClaimWriter.Outcome.WRITTEN) {
            return result.fault();
        }
        placement.slices().forEach(fleet::hold);
        String refused = post(demand, placement.node());
        if (!refused.isEmpty()) {
            LOG.atInfo().log("pod {}: {}", demand.reference(), refused);
            giveBack(placement);
        }
        return refused;
    }

    private void giveBack(Placement placement) {
        // What cannot be deleted now keeps its place until the sweep has deleted it.
        if (claims.delete(placement.slices())) {
            placement.slices().forEach(slice -> fleet.drop(slice.id()));
        }
    }

    private String post(SliceDemand demand, String node) {
        try {
            String path = "/api/v1/namespaces/" + demand.namespace() + "/pods/" + demand.pod() + "/binding";
            String answer = client.raw(
                    path,
                    "POST",
                    new BindingBuilder()
                            .withNewMetadata()
                            .withName(demand.pod())
                            .withNamespace(demand.namespace())
                            .withUid(demand.uid())
                            .endMetadata()
                            .withNewTarget()
                            .withApiVersion("v1")
                            .withKind("Node")
                            .withName(node)
                            .endTarget()
                            .build());
            if (answer == null) {
                return "the pod was not bound to " + node + ": it is not there any more";
            }
            return "";
        } catch (KubernetesClientException e) {
            return isBound(demand, node) ? "" : "the pod was not bound to " + node + ": " + e.getMessage();
        }
    }

    /** An answer that was lost may have been a good one; if nobody can say, claims stay and the sweep looks again. */
    private boolean isBound(SliceDemand demand, String node) {
        try {
            Pod pod = client.pods()
                    .inNamespace(demand.namespace())
                    .withName(demand.pod())
                    .get();
            return pod != null
                    && demand.uid().equals(pod.getMetadata().getUid())
                    && node.equals(pod.getSpec().getNodeName());
        } catch (KubernetesClientException e) {
            return true;
        }
    }

    private Optional<SliceDemand> demand(String namespace, String name, String uid) {
        Optional<SliceDemand> known = pods.of(uid).map(WaitingPods.Waiting::demand);
        if (known.isPresent()) {
            return known;
        }
        Pod pod = client.pods().inNamespace(namespace).withName(name).get();
        return pod == null || !uid.equals(pod.getMetadata().getUid()) ? Optional.empty() : PodSlices.of(pod);
    }
}
