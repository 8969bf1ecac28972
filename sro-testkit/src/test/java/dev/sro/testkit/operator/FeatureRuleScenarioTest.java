package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A recipe selects its nodes by a label that a rule of Node Feature Discovery makes. */
class FeatureRuleScenarioTest {

    private static final String RULE = """
        apiVersion: nfd.k8s-sigs.io/v1alpha1
        kind: NodeFeatureRule
        metadata: {name: acme}
        spec:
          rules:
          - name: card-under-a-new-kernel
            labels: {acme.example/card: "true"}
            labelsTemplate: "{{range .pci.device}}acme-{{.device}}=true\\n{{end}}"
            matchFeatures:
            - {feature: pci.device, matchExpressions: {vendor: {op: In, value: [1bcd]}}}
            - {feature: kernel.version, matchExpressions: {major: {op: Ge, value: ["5"]}}}
        """;

    private static final NodeProfile NODE = NodeProfile.of(OsRelease.RHEL_9).withRules(RULE);

    private final SroSandbox sandbox = SroSandbox.create(new KmodPlugin());

    @AfterEach
    void close() {
        sandbox.close();
    }

    private boolean isServed(String node) {
        return sandbox.nodes().get(node).at("/metadata/labels").has("sro.dev/pool-kmod");
    }

    @Test
    void rulesThatCannotBeReadSayWhere() {
        assertThatThrownBy(() -> NODE.withRules("kind: ["))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rules");
    }

    @Test
    void nodesAreServedByTheRuleAndLetGoWhenItMatchesNoMore() {
        sandbox.nodes().create("card", NODE.withPci("0b40", "1bcd", "0001"));
        sandbox.nodes().create("none", NODE);
        sandbox.run(Duration.ofMinutes(2));
        sandbox.apply(KmodPlugin.RESOURCE.replace("example.com/device", "acme.example/card"));

        assertThat(sandbox.runUntil(Duration.ofMinutes(10), () -> sandbox.isReady("kmod") && isServed("card")))
                .isTrue();
        assertThat(isServed("none")).isFalse();
        assertThat(sandbox.nodes().get("card").at("/metadata/labels").has("feature.node.kubernetes.io/acme-0001"))
                .isTrue();

        sandbox.nodes().reboot("card", "4.18.0-305.45.1.el8_4.x86_64");
        sandbox.run(Duration.ofMinutes(20));

        assertThat(sandbox.nodes().get("card").at("/metadata/labels").has("acme.example/card"))
                .isFalse();
        assertThat(isServed("card")).isFalse();
    }
}
