package dev.sro.runtime.scheduler;

import dev.sro.core.placement.PlacementFleet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the scheduler try a pod again that it put aside, once there is room for it: a claim that goes is no event for the scheduler, a change of the pod
 * is. Each pod is woken once for each time that it was put aside with no room. Not thread-safe.
 */
final class PodWaker {
    private static final Logger LOG = LoggerFactory.getLogger(PodWaker.class);

    /** Annotation by whose change the scheduler is told. */
    static final String ROOM = "slices.sro.dev/room";

    private final KubernetesClient client;
    private final PlacementFleet fleet;
    /** How often each was woken, twice, and one more if it had room ever since. */
    private final Map<String, Integer> times = new HashMap<>();

    PodWaker(KubernetesClient client, PlacementFleet fleet) {
        this.client = client;
        this.fleet = fleet;
    }

    void wake(List<WaitingPods.Waiting> waiting) {
        times.keySet()
                .retainAll(waiting.stream().map(each -> each.demand().uid()).toList());
        List<String> nodes = fleet.nodes();
        for (WaitingPods.Waiting each : waiting) {
            String uid = each.demand().uid();
            if (each.gated() || !each.unschedulable()) {
                continue;
            }
            boolean room = !fleet.choose(each.demand(), nodes).fitting().isEmpty();
            int woken = times.getOrDefault(uid, 0);
            if (!room) {
                times.put(uid, woken + woken % 2);
            } else if (woken % 2 == 0) {
                times.put(uid, woken + 1);
                patch(each, woken + 1);
            }
        }
    }

    private void patch(WaitingPods.Waiting waiting, int number) {
        String namespace = waiting.demand().namespace();
        String name = waiting.demand().pod();
        try {
            // With the object at hand the client need not read it first.
            client.resource(waiting.pod())
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            "{\"metadata\":{\"annotations\":{\"" + ROOM + "\":\"" + number + "\"}}}");
        } catch (KubernetesClientException e) {
            LOG.atDebug().log("pod {}/{} was not woken: {}", namespace, name, e.getMessage());
        }
    }
}
