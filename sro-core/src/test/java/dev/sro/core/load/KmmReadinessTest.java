package dev.sro.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.KernelVersion;
import dev.sro.api.NodeFacts;
import dev.sro.api.OsRelease;
import dev.sro.api.Outcome;
import dev.sro.core.model.KubeObject;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KmmReadinessTest {

    private static final KubeObject MODULE = KubeObject.of(Map.of(
            "apiVersion",
            "kmm.sigs.x-k8s.io/v1beta1",
            "kind",
            "Module",
            "metadata",
            Map.of("name", "gpu-1", "namespace", "ns"),
            "status",
            Map.of(
                    "moduleLoader",
                    Map.of("nodesMatchingSelectorNumber", 3, "desiredNumber", 2, "availableNumber", 1))));

    private static NodeFacts node(Map<String, String> labels, boolean ready) {
        return NodeFacts.builder()
                .name("n")
                .kernel(new KernelVersion("6.1.0"))
                .os(new OsRelease("ubuntu", "24.04"))
                .architecture("amd64")
                .labels(labels)
                .ready(ready)
                .build();
    }

    @Test
    void aNodeIsReadyWhenKmmSaysSoOfIt() {
        assertThat(KmmReadiness.isModule(MODULE)).isTrue();
        assertThat(KmmReadiness.judge(
                        MODULE, node(Map.of("kmm.node.kubernetes.io/ns.gpu-1.ready", ""), true), Instant.MIN))
                .isEqualTo(Outcome.ready());
        assertThat(KmmReadiness.judge(
                        MODULE, node(Map.of("kmm.node.kubernetes.io/ns.gpu-1.ready", ""), false), Instant.MIN))
                .isInstanceOf(Outcome.Waiting.class);
    }

    @Test
    void otherwiseItsCountersSayWhy() {
        Outcome outcome = KmmReadiness.judge(
                MODULE, node(Map.of("kmm.node.kubernetes.io/ns.gpu-2.ready", ""), true), Instant.MIN);

        assertThat(((Outcome.Waiting) outcome).on())
                .contains("selects 3 nodes, has an image for 2 and has loaded on 1");
    }
}
