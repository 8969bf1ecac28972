package dev.sro.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random histories. Whatever happens, once the faults stop the cluster is as if nothing had ever failed. To see one
 * history again: {@code -Dsro.simulation.seed=N}; to run more of them: {@code -Dsro.simulation.histories=10000}, from
 * {@code -Dsro.simulation.first=N} on.
 */
final class SimulationTest {

    private static final int FEW = 20;
    private static final int MANY = Integer.getInteger("sro.simulation.histories", 16);

    /** Writes that a history may make, per step and beyond what it starts with: see the class comment of History. */
    private static final int MAX_WRITES = 900;

    /** One in so many histories is compared with one of its own. */
    private static final int EXACT = 40;

    private static final long FIRST = Long.getLong("sro.simulation.first", 1_000);

    /** Failures after which it is time to look at them. */
    private static final int ENOUGH = 10;

    /** The node without a device in histories without faults. */
    private static final String PLAIN = "plain";

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final Map<Set<String>, Snapshot> calmOnes = new HashMap<>();

    @Test
    void someHistoriesConverge() {
        Long only = Long.getLong("sro.simulation.seed");
        if (only != null) {
            check(only);
            return;
        }
        for (long seed = 1; seed <= FEW; seed++) {
            check(seed);
        }
    }

    @Test
    @Tag("slow")
    void manyHistoriesConverge() {
        Map<Long, String> failed = new TreeMap<>();
        for (long seed = FIRST; seed < FIRST + MANY && failed.size() < ENOUGH; seed++) {
            try {
                check(seed);
            } catch (AssertionError | RuntimeException e) {
                failed.put(seed, String.valueOf(e.getMessage()));
            }
        }
        assertThat(failed).as("failed seeds: " + failed.keySet()).isEmpty();
    }

    @Test
    void equalSeedsGiveEqualHistories() {
        List<String> log = new ArrayList<>();
        for (long seed = 1; seed <= 8; seed++) {
            assertThat(requestsOf(seed, log)).as("seed " + seed).isEqualTo(requestsOf(seed, log));
        }
        assertThat(log).as("the only thing that waits in real time").anyMatch(step -> step.startsWith("watches end"));
    }

    private List<String> requestsOf(long seed, List<String> log) {
        try (History history = new History(seed, serialization)) {
            history.live();
            history.calmDown();
            log.addAll(history.log());
            return history.requests().stream()
                    .map(e -> e.verb() + " " + e.resource() + " " + e.name() + " " + e.status())
                    .toList();
        }
    }

    private void check(long seed) {
        try (History history = new History(seed, serialization)) {
            history.live();
            boolean ready = history.calmDown();
            String story = String.join("\n  ", history.log());

            assertThat(ready)
                    .as("ready at last\n  " + story + "\n" + status(history))
                    .isTrue();
            isAsIfNothingHadFailed(Snapshot.of(history.sandbox()), calm(history, seed), story);
            assertThat(history.requests().stream().filter(e -> e.isWrite()).count())
                    .as("writes, failed ones included\n  " + story)
                    .isLessThan(MAX_WRITES);
            makesNoFurtherRequest(history, story);
            holdsOnlyItsOwnFields(history, story);
            if (seed % 4 == 0) {
                leavesNothing(history, story);
            }
        }
    }

    private static void isAsIfNothingHadFailed(Snapshot actual, Snapshot calm, String story) {
        assertThat(actual.operands().keySet())
                .as("operands\n  " + story)
                .isEqualTo(calm.operands().keySet());
        calm.operands()
                .forEach((name, essence) -> assertThat(actual.operands().get(name))
                        .as(name + "\n  " + story)
                        .isEqualTo(essence));
        assertThat(actual.nodeLabels()).as("node labels\n  " + story).isEqualTo(calm.nodeLabels());
        assertThat(actual.pods()).as("pods\n  " + story).isEqualTo(calm.pods());
    }

    private static String status(History history) {
        return history.sandbox()
                .client()
                .getKubernetesSerialization()
                .asYaml(history.sandbox().get("kmod").orElseThrow().getStatus());
    }

    /**
     * What a history without faults leaves behind that ends with these nodes. Objects depend on the kernels of nodes with
     * the device, and what is on a node on that node alone; so one such history for each set of kernels is enough. A few
     * are compared with one of the very same nodes, to be sure of that.
     */
    private Snapshot calm(History history, long seed) {
        if (seed % EXACT == 0) {
            return live(history.kernels(), history.hasDevice());
        }
        Map<String, String> kernels = new TreeMap<>();
        Map<String, Boolean> hasDevice = new TreeMap<>(Map.of(PLAIN, false));
        kernels.put(PLAIN, History.KERNELS.get(0));
        history.kernels().forEach((node, kernel) -> {
            if (history.hasDevice().getOrDefault(node, false)) {
                kernels.put(like(kernel), kernel);
                hasDevice.put(like(kernel), true);
            }
        });
        Map<String, String> models = new TreeMap<>();
        history.kernels()
                .forEach((node, kernel) ->
                        models.put(node, history.hasDevice().getOrDefault(node, false) ? like(kernel) : PLAIN));
        return calmOnes.computeIfAbsent(kernels.keySet(), unused -> live(kernels, hasDevice))
                .withNodes(models);
    }

    private static String like(String kernel) {
        return "kernel-" + History.KERNELS.indexOf(kernel);
    }

    private Snapshot live(Map<String, String> kernels, Map<String, Boolean> hasDevice) {
        try (History calm = History.calm(kernels, hasDevice, serialization)) {
            assertThat(calm.calmDown()).isTrue();
            return Snapshot.of(calm.sandbox());
        }
    }

    private static void makesNoFurtherRequest(History history, String story) {
        history.sandbox().cluster().recording().reset();
        history.sandbox().run(Duration.ofMinutes(30));
        assertThat(history.requests()).as("requests at rest\n  " + story).isEmpty();
    }

    /** On nodes: labels of its own. On DaemonSets: not the annotation of somebody else. */
    private static void holdsOnlyItsOwnFields(History history, String story) {
        KubernetesClient client = history.sandbox().client();
        for (Node node : client.nodes().list().getItems()) {
            for (Map<String, Object> fields : appliedBySro(node)) {
                assertThat(fields.keySet()).as(story).containsOnly("f:metadata");
                assertThat(ValueTrees.map(fields, "f:metadata").keySet())
                        .as(story)
                        .containsOnly("f:labels");
                assertThat(ValueTrees.map(fields, "f:metadata", "f:labels").keySet())
                        .as(story)
                        .isNotEmpty()
                        .allMatch(label -> label.equals("f:" + MetadataKeys.KERNEL_LABEL)
                                || label.equals("f:" + MetadataKeys.poolLabel("kmod"))
                                || label.startsWith("f:" + MetadataKeys.STATE_LABEL_PREFIX));
            }
        }
        for (DaemonSet daemonSet :
                client.apps().daemonSets().inAnyNamespace().list().getItems()) {
            List<Map<String, Object>> applied = appliedBySro(daemonSet);
            assertThat(applied).as(story).hasSize(1);
            assertThat(applied.get(0).toString()).as(story).doesNotContain(History.FOREIGN);
        }
    }

    private static List<Map<String, Object>> appliedBySro(HasMetadata object) {
        return object.getMetadata().getManagedFields().stream()
                .filter(entry -> entry.getManager().startsWith(MetadataKeys.FIELD_MANAGER))
                .map(entry -> entry.getFieldsV1().getAdditionalProperties())
                .toList();
    }

    private static void leavesNothing(History history, String story) {
        history.sandbox()
                .client()
                .resources(SpecialResource.class)
                .withName("kmod")
                .delete();
        assertThat(history.sandbox()
                        .runUntil(
                                History.LONG,
                                () -> history.sandbox().get("kmod").isEmpty()))
                .as("gone\n  " + story)
                .isTrue();
        history.sandbox().run(Duration.ofMinutes(5));
        Snapshot left = Snapshot.of(history.sandbox());
        assertThat(left.operands()).as(story).isEmpty();
        assertThat(left.pods()).as(story).isEmpty();
        assertThat(left.nodeLabels().values()).as(story).allMatch(labels -> labels.isEmpty());
    }
}
