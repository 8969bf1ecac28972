package dev.sro.runtime.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.das.AllocationClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Gates on an API server in this JVM. */
class GatedPodsTest {
    private static final String SLICE = "mig.das.com/1g.5gb";

    private final PlayedScheduler on = new PlayedScheduler();

    @AfterEach
    void close() {
        on.close();
    }

    private Pod gated(String name, String resource, int count) {
        return on.world.create(SliceWorld.pod("default", name, resource, count)
                .editSpec()
                .addNewSchedulingGate(SliceGates.GATE)
                .endSpec());
    }

    @Test
    void aPodAtTheGateCostsTwoRequestsHoweverManyNodesThereAre() {
        on.fleet(25, 1);
        on.scheduler(true);
        Pod pod = gated("train", SLICE, 1);
        on.cluster.recording().start();

        on.cluster.settle();

        assertThat(on.cluster.recording().total()).as("a claim and the gate").isEqualTo(2);
        AllocationClaim claim = on.world.claims().get(0);
        Pod after = on.now(pod);
        assertThat(after.getSpec().getSchedulingGates()).isEmpty();
        assertThat(after.getSpec()
                        .getAffinity()
                        .getNodeAffinity()
                        .getRequiredDuringSchedulingIgnoredDuringExecution()
                        .getNodeSelectorTerms()
                        .get(0)
                        .getMatchFields())
                .singleElement()
                .satisfies(field -> {
                    assertThat(field.getKey()).isEqualTo("metadata.name");
                    assertThat(field.getValues()).containsExactly(claim.node());
                });
    }

    @Test
    void gatesRespectTaintsLabelsAndWhatIsLeftOfCpu() {
        on.fleet(4, 1);
        on.client.nodes().withName("n0").edit(node -> {
            node.getSpec().setTaints(List.of(new Taint("NoSchedule", "own", null, "x")));
            return node;
        });
        on.client.nodes().withName("n1").edit(node -> {
            node.getMetadata().setLabels(new HashMap<>(Map.of("zone", "b")));
            return node;
        });
        on.world.create(SliceWorld.pod("default", "busy", "nvidia.com/gpu", 0)
                .editSpec()
                .withNodeName("n2")
                .editContainer(0)
                .editResources()
                .addToRequests("cpu", new Quantity("7500m"))
                .endResources()
                .endContainer()
                .endSpec());
        on.scheduler(true);

        for (int i = 0; i < 8; i++) {
            gated("p" + i, SLICE, 1);
        }
        on.cluster.settle();

        assertThat(on.world.claims())
                .extracting(AllocationClaim::node)
                .containsOnly("n1", "n3")
                .hasSize(8);
    }

    @Test
    void aFreedSliceOpensTheGateOfThePodThatWaits() {
        on.fleet(1, 1);
        on.scheduler(true);
        Pod first = gated("first", "mig.das.com/7g.40gb", 1);
        on.cluster.settle();
        Pod second = gated("second", "mig.das.com/4g.20gb", 1);
        on.cluster.settle();
        assertThat(on.now(second).getSpec().getSchedulingGates()).hasSize(1);

        on.delete(first);

        assertThat(on.now(second).getSpec().getSchedulingGates()).isEmpty();
        assertThat(on.world.claims())
                .singleElement()
                .satisfies(claim -> assertThat(claim.pod().name()).isEqualTo("second"));
    }

    @Test
    void aGateThatWasOpenedWithoutAnAnswerKeepsItsSliceWhateverFailsThen() {
        on.fleet(1, 1);
        on.scheduler(true);
        Pod pod = gated("train", SLICE, 1);
        on.cluster.faults().rule().verbs("patch").resources("pods").times(1).loseAnswer();
        on.cluster.faults().rule().verbs("get").times(3).unavailable();

        on.cluster.settle();
        on.cluster.faults().clear();
        on.cluster.settle();

        assertThat(on.now(pod).getSpec().getSchedulingGates()).isEmpty();
        assertThat(on.world.claims()).hasSize(1);
    }
}
