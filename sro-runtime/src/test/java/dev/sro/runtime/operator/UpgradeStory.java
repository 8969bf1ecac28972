package dev.sro.runtime.operator;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.api.resource.UpgradeNodeStatus;
import dev.sro.api.resource.UpgradeStatus;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** What happens during upgrades, from watches: nothing that lasts a moment only is missed. Thread-safe. */
final class UpgradeStory implements AutoCloseable {
    private static final String STATE = "sro.dev/" + CardCluster.NAME + ".driver-upgrade-state";

    private final List<String> steps = new ArrayList<>();
    private final Map<String, String> last = new HashMap<>();
    private final Set<String> stuck = new LinkedHashSet<>();
    private final Map<String, Boolean> users = new HashMap<>();
    private final List<Watch> watches;
    private int mostCordoned;
    private int fewest = Integer.MAX_VALUE;
    private boolean counting;

    UpgradeStory(KubernetesClient client) {
        watches = List.of(
                client.nodes().watch(watcher(this::node)),
                client.resources(SpecialResource.class).watch(watcher(this::resource)),
                client.pods().inNamespace(CardCluster.USERS).watch(watcher(this::user)));
    }

    private synchronized void node(Watcher.Action unused, Node node) {
        String now = node.getMetadata().getLabels().getOrDefault(STATE, "")
                + (Boolean.TRUE.equals(node.getSpec().getUnschedulable()) ? " cordoned" : "");
        if (!now.equals(last.put(node.getMetadata().getName(), now))) {
            steps.add(node.getMetadata().getName() + " " + now);
            NodeScenario.say(node.getMetadata().getName() + " " + now);
            mostCordoned = Math.max(mostCordoned, (int) last.values().stream()
                    .filter(phase -> phase.endsWith(" cordoned"))
                    .count());
        }
    }

    private synchronized void resource(Watcher.Action unused, SpecialResource resource) {
        SpecialResourceStatus status = resource.getStatus();
        UpgradeStatus upgrade = status == null ? null : status.getUpgrade();
        if (upgrade == null) {
            return;
        }
        for (UpgradeNodeStatus one : upgrade.getStuck()) {
            String said = one.getNode() + " " + one.getPhase() + " " + one.getReason() + ": " + one.getMessage();
            if (stuck.add(said)) {
                NodeScenario.say(said);
            }
        }
    }

    private synchronized void user(Watcher.Action action, Pod pod) {
        boolean ready = action != Watcher.Action.DELETED
                && pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(c ->
                                c.getType().equals("Ready") && c.getStatus().equals("True"));
        users.put(pod.getMetadata().getName(), ready);
        int count = (int) users.values().stream().filter(one -> one).count();
        counting |= count == 4;
        fewest = counting ? Math.min(fewest, count) : fewest;
    }

    private static <T> Watcher<T> watcher(BiConsumer<Watcher.Action, T> to) {
        return new Watcher<>() {
            @Override
            public void eventReceived(Action action, T object) {
                to.accept(action, object);
            }

            @Override
            public void onClose(WatcherException cause) {
                throw new IllegalStateException(cause);
            }
        };
    }

    /** Phases of nodes in the order in which they came, each with its node; none twice in a row. */
    synchronized List<String> steps() {
        return List.copyOf(steps);
    }

    /** What was said of nodes that did not go on. */
    synchronized Set<String> stuck() {
        return Set.copyOf(stuck);
    }

    /** Most nodes that were unschedulable at a time. */
    synchronized int mostCordoned() {
        return mostCordoned;
    }

    /** Fewest users that were ready at a time, since all were. */
    synchronized int fewestUsers() {
        return fewest;
    }

    @Override
    public void close() {
        watches.forEach(Watch::close);
    }
}
