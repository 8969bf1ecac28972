package dev.sro.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.Marks;
import dev.sro.core.model.Trees;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random histories. Whatever happens, once the faults stop the cluster is as if nothing had ever failed. To see one
 * history again: {@code -Dsro.simulation.seed=N}; to run more of them: {@code -Dsro.simulation.histories=10000}.
 */
final class SimulationTest {

    private static final int FEW = 60;
    private static final int MANY = Integer.getInteger("sro.simulation.histories", 150);

    /** Writes that a history may make, per step and beyond what it starts with: see the class comment of History. */
    private static final int MAX_WRITES = 900;

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final Map<String, Snapshot> calmOnes = new HashMap<>();

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
        for (long seed = 1_000; seed < 1_000 + MANY; seed++) {
            check(seed);
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
            isAsIfNothingHadFailed(Snapshot.of(history.sandbox()), calm(history), story);
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

    private Snapshot calm(History history) {
        String key = history.kernels() + " " + history.hasDevice();
        return calmOnes.computeIfAbsent(key, unused -> {
            try (History calm = History.calm(history.kernels(), history.hasDevice(), serialization)) {
                assertThat(calm.calmDown()).isTrue();
                return Snapshot.of(calm.sandbox());
            }
        });
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
                assertThat(Trees.map(fields, "f:metadata").keySet()).as(story).containsOnly("f:labels");
                assertThat(Trees.map(fields, "f:metadata", "f:labels").keySet())
                        .as(story)
                        .isNotEmpty()
                        .allMatch(label -> label.equals("f:" + Marks.KERNEL_LABEL)
                                || label.startsWith("f:" + Marks.STATE_LABEL_PREFIX));
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
                .filter(entry -> entry.getManager().startsWith(Marks.FIELD_MANAGER))
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
