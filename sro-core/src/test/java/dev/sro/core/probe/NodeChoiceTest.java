package dev.sro.core.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.model.KubeObject;
import dev.sro.core.yaml.Yaml;
import org.junit.jupiter.api.Test;

class NodeChoiceTest {
    private static final ObservedNode NODE =
            Nodes.label(Nodes.label(Nodes.node("n", Nodes.K1), "card", "new"), "cores", "8");

    private static NodeChoice choice(String pod) {
        return NodeChoice.of(
                KubeObject.of(Yaml.documents(
                                "t",
                                "{kind: DaemonSet, apiVersion: apps/v1, metadata: {name: d},"
                                        + " spec: {template: {spec: " + pod + "}}}")
                        .get(0)),
                label -> label.equals("mine.example.com/ready"));
    }

    private static NodeChoice affinity(String terms) {
        return choice("{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: ["
                + terms + "]}}}}");
    }

    @Test
    void labelsOfTheAuthorDecideAndThoseThatSroWritesDoNot() {
        assertThat(choice("{}").isAll()).isTrue();
        assertThat(choice("{nodeSelector: {sro.dev/gate-x: open, mine.example.com/ready: ready,"
                                + " specialresource.openshift.io/state-a-0000: Ready}}")
                        .isAll())
                .isTrue();
        assertThat(choice("{nodeSelector: {card: new}}").matches(NODE)).isTrue();
        assertThat(choice("{nodeSelector: {card: old}}").isAll()).isFalse();
        assertThat(choice("{nodeSelector: {card: old}}").matches(NODE)).isFalse();
        assertThat(choice("{nodeSelector: {other: new}}").matches(NODE)).isFalse();
    }

    @Test
    void oneTermOfAnAffinityHasToHold() {
        assertThat(affinity("{matchExpressions: [{key: card, operator: In, values: [old, new]}]}")
                        .matches(NODE))
                .isTrue();
        assertThat(affinity("{matchExpressions: [{key: card, operator: NotIn, values: [new]}]},"
                                + " {matchFields: [{key: metadata.name, operator: In, values: ['n']}]}")
                        .matches(NODE))
                .isTrue();
        assertThat(affinity("{matchExpressions: [{key: card, operator: Exists}, {key: x, operator: Exists}]}")
                        .matches(NODE))
                .isFalse();
        assertThat(affinity("{matchExpressions: [{key: card, operator: DoesNotExist}]}")
                        .matches(NODE))
                .isFalse();
        assertThat(affinity("{matchExpressions: [{key: cores, operator: Gt, values: ['4']}]}")
                        .matches(NODE))
                .isTrue();
        assertThat(affinity("{matchExpressions: [{key: cores, operator: Lt, values: ['4']}]}")
                        .matches(NODE))
                .isFalse();
        assertThat(affinity("{matchExpressions: [{key: specialresource.openshift.io/driver-container-x, operator: In,"
                                + " values: [ready]}]}")
                        .matches(NODE))
                .as("its turn comes later")
                .isTrue();
    }
}
