package dev.sro.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeaturesCommandTest {

    private static final String FEATURES = """
        apiVersion: v1
        kind: List
        items:
        - apiVersion: nfd.k8s-sigs.io/v1alpha1
          kind: NodeFeature
          metadata: {name: b, labels: {nfd.node.kubernetes.io/node-name: b}}
          spec: {features: {flags: {kernel.loadedmodule: {elements: {nvme: {}}}}}}
        - apiVersion: nfd.k8s-sigs.io/v1alpha1
          kind: NodeFeature
          metadata: {name: a, labels: {nfd.node.kubernetes.io/node-name: a}}
          spec: {features: {instances: {pci.device: {elements: [{attributes: {vendor: 10de, device: "2330"}}]}}}}
        - apiVersion: nfd.k8s-sigs.io/v1alpha1
          kind: NodeFeature
          metadata: {name: a-more, labels: {nfd.node.kubernetes.io/node-name: a}}
          spec: {features: {flags: {kernel.loadedmodule: {elements: {nouveau: {}}}}}}
        """;

    private static final String RULE = """
        apiVersion: nfd.k8s-sigs.io/v1alpha1
        kind: NodeFeatureRule
        metadata: {name: acme}
        spec:
          rules:
          - name: card
            labelsTemplate: |
              {{range .pci.device}}acme.example/gpu-{{.device}}=true
              {{end}}
            extendedResources: {acme.example/cards: "1"}
            taints: [{key: acme.example/gpu, value: "yes", effect: NoSchedule}]
            annotations: {acme.example/by: rule}
            matchFeatures:
            - {feature: pci.device, matchExpressions: {vendor: {op: In, value: [10de]}}}
            - {feature: kernel.loadedmodule, matchExpressions: {nouveau: {op: Exists}}}
        """;

    @TempDir
    Path folder;

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void saysForEachNodeWhatTheRulesComeTo() throws IOException {
        Cli cli = Cli.run("features", "-f", file("rule.yaml", RULE), "-f", file("nodes.yaml", FEATURES));

        assertThat(cli.err()).isEmpty();
        assertThat(cli.out().lines())
                .containsExactly(
                        "node a: rules card",
                        "  label acme.example/gpu-2330=true",
                        "  annotation acme.example/by=rule",
                        "  extended resource acme.example/cards: 1",
                        "  taint acme.example/gpu=yes:NoSchedule",
                        "node b: no rule matches");
        assertThat(cli.code()).isZero();
    }

    @Test
    void whatWouldBeDroppedIsSaidAndIsAnExitCode() throws IOException {
        String rule = RULE.replace("acme.example/gpu-", "node.kubernetes.io/gpu-");
        Cli cli = Cli.run("features", "-f", file("rule.yaml", rule), "-f", file("nodes.yaml", FEATURES));

        assertThat(cli.out()).contains("  problem: rule card: label node.kubernetes.io/gpu-2330 is Kubernetes' own");
        assertThat(cli.code()).isEqualTo(1);
    }

    @Test
    void inputThatCannotBeReadIsNamed() throws IOException {
        String rule = file("rule.yaml", RULE.replace("op: In", "op: Is"));
        String nodes = file("nodes.yaml", FEATURES);
        assertThat(Cli.run("features", "-f", rule, "-f", nodes))
                .satisfies(cli -> assertThat(cli.err())
                        .contains("NodeFeatureRule acme: spec.rules[0].matchFeatures[0].matchExpressions.vendor", "Is"))
                .satisfies(cli -> assertThat(cli.code()).isEqualTo(2));
        assertThat(Cli.run("features", "-f", nodes).err()).contains("there is no NodeFeatureRule; add a file");
        assertThat(Cli.run("features", "-f", file("n.yaml", FEATURES.replace("nfd.node.kubernetes.io/node-name", "x")))
                        .err())
                .contains("nfd.node.kubernetes.io/node-name is missing");
        assertThat(Cli.run("features", "-f", file("x.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: p}}"))
                        .err())
                .contains("v1/Pod is neither");
    }
}
