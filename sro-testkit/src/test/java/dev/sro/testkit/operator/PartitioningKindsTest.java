package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which operands tolerate the taints of partitioning, and what becomes of those that were made before. */
class PartitioningKindsTest {

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: kinds}
        spec:
          namespace: kinds
          plugin: {name: kinds}
          nodeSelector: {example.com/device: "true"}
        """;
    private static final String HARD =
            "  partitioning: {hard: {taints: [{key: example.com/device, effect: NoSchedule}]}}\n";
    private static final Duration LONG = Duration.ofMinutes(20);
    private static final Set<String> ONCE = Set.of("Job", "Pod");

    private final SroSandbox sandbox = SroSandbox.create(new Kinds());

    /** One operand of each kind that runs pods; {@code held} asks for more than any node has. */
    private static final class Kinds implements AcceleratorPlugin {

        private static final String TEMPLATE = "{metadata: {labels: {app: a}}, spec: {%s}}";
        private static final String ALWAYS = TEMPLATE.formatted("containers: [{name: a, image: registry.example/a:1}]");
        private static final String ONCE_ONLY = TEMPLATE.formatted(
                "restartPolicy: Never, containers: [{name: a, image: registry.example/a:1, resources: %s}]");
        private static final String NONE = "{}";
        private static final String TOO_MUCH = "{requests: {cpu: 1000}}";

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("kinds", "1.0.0", "Example");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            String selector = "selector: {matchLabels: {app: a}}, ";
            return StateGraph.chain(State.of(
                    "0000-all",
                    ManifestTemplate.text(
                            "all.yaml",
                            String.join(
                                    "---\n",
                                    object("apps/v1", "DaemonSet", "set", selector + "template: " + ALWAYS),
                                    object("apps/v1", "Deployment", "deployment", selector + "template: " + ALWAYS),
                                    object(
                                            "apps/v1",
                                            "StatefulSet",
                                            "stateful",
                                            selector + "serviceName: a, template: " + ALWAYS),
                                    object("batch/v1", "Job", "job", "template: " + ONCE_ONLY.formatted(NONE)),
                                    object("batch/v1", "Job", "held", "template: " + ONCE_ONLY.formatted(TOO_MUCH)),
                                    object(
                                            "batch/v1",
                                            "CronJob",
                                            "cron",
                                            "schedule: \"@yearly\", jobTemplate: {spec: {template: "
                                                    + ONCE_ONLY.formatted(NONE) + "}}"),
                                    object("v1", "Pod", "pod", "containers: [{name: a, image: registry.example/a:1}]"),
                                    object(
                                            "v1",
                                            "Pod",
                                            "held",
                                            "containers: [{name: a, image: registry.example/a:1, resources: " + TOO_MUCH
                                                    + "}]")))));
        }

        private static String object(String version, String kind, String name, String spec) {
            return "apiVersion: " + version + "\nkind: " + kind + "\nmetadata: {name: " + name + "}\nspec: {" + spec
                    + "}\n";
        }
    }

    @BeforeEach
    void ready() {
        sandbox.nodes().create("one", NodeProfile.of(OsRelease.RHEL_9).withLabel("example.com/device", "true"));
        sandbox.run(Duration.ofMinutes(2));
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    /** Kind and name of each operand, without the pods of others. */
    private Map<String, ObjectNode> operands() {
        Map<String, ObjectNode> all = new LinkedHashMap<>();
        for (Gvr gvr : List.of(Gvr.DAEMONSETS, Gvr.DEPLOYMENTS, Gvr.STATEFULSETS, Gvr.JOBS, Gvr.CRONJOBS, Gvr.PODS)) {
            sandbox.cluster().api().list(gvr).stream()
                    .filter(each ->
                            each.at("/metadata/ownerReferences/0/kind").asText().equals("SpecialResource"))
                    .forEach(each -> all.put(
                            each.at("/kind").asText() + " "
                                    + each.at("/metadata/name").asText(),
                            each));
        }
        return all;
    }

    private static boolean tolerates(ObjectNode operand) {
        String pod = switch (operand.at("/kind").asText()) {
            case "Pod" -> "";
            case "CronJob" -> "/spec/jobTemplate/spec/template";
            default -> "/spec/template";
        };
        return operand.at(pod + "/spec/tolerations").toString().contains("example.com/device");
    }

    private static ObjectNode operand(Map<String, ObjectNode> operands, String name) {
        return Objects.requireNonNull(operands.get(name), name);
    }

    private static String uid(Map<String, ObjectNode> operands, String name) {
        return operand(operands, name).at("/metadata/uid").asText();
    }

    @Test
    void operandsOfEveryKindTolerateTheTaint() {
        sandbox.apply(RESOURCE + HARD);

        assertThat(sandbox.runUntil(LONG, () -> operands().size() == 8))
                .as(() -> operands().keySet() + sandbox.state("kinds"))
                .isTrue();
        assertThat(operands())
                .allSatisfy((name, operand) ->
                        assertThat(tolerates(operand)).as(name).isTrue());
    }

    @Test
    void whatRunsOnceIsMadeAnewForATaintOnlyWhereItWaitsForANode() {
        sandbox.apply(RESOURCE);
        assertThat(sandbox.runUntil(LONG, () -> operands().size() == 8)).isTrue();
        sandbox.run(Duration.ofMinutes(2));
        Map<String, ObjectNode> before = operands();
        assertThat(before.values()).noneMatch(PartitioningKindsTest::tolerates);

        sandbox.apply(RESOURCE + HARD);
        assertThat(sandbox.runUntil(
                        LONG,
                        () -> operands().size() == 8
                                && operands().values().stream()
                                        .filter(each ->
                                                !ONCE.contains(each.at("/kind").asText()))
                                        .allMatch(PartitioningKindsTest::tolerates)
                                && tolerates(operand(operands(), "Job held"))
                                && tolerates(operand(operands(), "Pod held"))))
                .as(() -> operands().toString() + sandbox.state("kinds"))
                .isTrue();
        sandbox.run(Duration.ofMinutes(10));

        Map<String, ObjectNode> after = operands();
        for (String same : List.of("Job job", "Pod pod", "DaemonSet set", "CronJob cron")) {
            assertThat(uid(after, same)).as(same).isEqualTo(uid(before, same));
        }
        assertThat(uid(after, "Job held")).isNotEqualTo(uid(before, "Job held"));
        String made = uid(after, "Pod held");

        sandbox.apply(RESOURCE);
        sandbox.run(Duration.ofMinutes(10));
        assertThat(tolerates(operand(operands(), "DaemonSet set"))).isFalse();
        assertThat(uid(operands(), "Pod held"))
                .as("tolerating more is no reason")
                .isEqualTo(made);
    }
}
