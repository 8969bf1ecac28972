package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestTemplate;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.ValidationLimits;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.api.resource.StateStatus;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;

/** A driver, a validation with limits, and two nodes. Stateless. */
final class ValidationWorld {

    private ValidationWorld() {}

    static final Duration LONG = Duration.ofMinutes(30);
    static final String LABEL = "/metadata/labels/specialresource.openshift.io~1state-card-2000";

    static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: card}
        spec: {namespace: card, plugin: {name: card}}
        """;

    static final String DAEMON_SET = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: %1$s}
        spec:
          selector: {matchLabels: {app: %1$s}}
          template:
            metadata: {labels: {app: %1$s}}
            spec:
              %2$s
              containers: [{name: main, image: "registry.example/card:1"}]
        """;

    static final String JOB = """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: check}
        spec:
          template:
            spec:
              restartPolicy: Never
              containers: [{name: main, image: "registry.example/card:1"}]
        """;

    /** A driver, and a validation with limits. */
    static final class CardPlugin implements AcceleratorPlugin {
        private final ValidationLimits limits;
        private final String manifest;
        private final boolean perNode;

        CardPlugin(String manifest, boolean perNode, ValidationLimits limits) {
            this.limits = limits;
            this.manifest = manifest;
            this.perNode = perNode;
        }

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.builder()
                    .name("card")
                    .version("1")
                    .vendor("Vendor")
                    .addOperandResources("daemonsets.apps", "jobs.batch", "pods")
                    .addRbacRules(new PolicyRuleBuilder()
                            .withApiGroups("")
                            .withResources("nodes/status")
                            .withVerbs("patch")
                            .build())
                    .build();
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return StateGraph.chain(
                    State.builder()
                            .id("1000-driver")
                            .reach(Reach.nodeByNode())
                            .addManifests(ManifestTemplate.text("driver.yaml", DAEMON_SET.formatted("driver", "")))
                            .build(),
                    State.builder()
                            .id("2000-validation")
                            .reach(perNode ? Reach.nodeByNode() : Reach.whole())
                            .limits(limits)
                            .addManifests(ManifestTemplate.text("check.yaml", manifest))
                            .build());
        }
    }

    static CardPlugin onNodes(ValidationLimits.Builder limits) {
        String init = "initContainers: [{name: check, image: \"registry.example/card:1\"}]";
        return new CardPlugin(DAEMON_SET.formatted("check", init), true, limits.build());
    }

    static CardPlugin byJob(ValidationLimits.Builder limits) {
        return new CardPlugin(JOB, false, limits.build());
    }

    static SroSandbox sandbox(CardPlugin plugin) {
        SroSandbox sandbox = SroSandbox.create(plugin);
        sandbox.nodes().create("one", NodeProfile.of(OsRelease.RHEL_9));
        sandbox.nodes().create("other", NodeProfile.of(OsRelease.RHEL_9));
        sandbox.run(Duration.ofMinutes(2));
        return sandbox;
    }

    static void getReady(SroSandbox sandbox) {
        assertThat(sandbox.runUntil(LONG, () -> sandbox.isReady("card")))
                .as(() -> sandbox.state("card"))
                .isTrue();
    }

    static SpecialResourceStatus status(SroSandbox sandbox) {
        return Objects.requireNonNull(sandbox.get("card").orElseThrow().getStatus());
    }

    static StateStatus validation(SroSandbox sandbox) {
        return status(sandbox).getStates().stream()
                .filter(state -> state.getName().equals("2000-validation"))
                .findFirst()
                .orElseThrow();
    }

    static String reason(SroSandbox sandbox) {
        return String.valueOf(validation(sandbox).getReason());
    }

    static boolean isLabelled(SroSandbox sandbox, String node) {
        return sandbox.nodes().get(node).at(LABEL).asText().equals("Ready");
    }

    static JsonNode condition(SroSandbox sandbox, String node) {
        return StreamSupport.stream(
                        sandbox.nodes().get(node).at("/status/conditions").spliterator(), false)
                .filter(condition -> condition.path("type").asText().equals("CardValidated"))
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    static List<JsonNode> pods(SroSandbox sandbox, String node) {
        return StreamSupport.stream(sandbox.cluster().api().list(Gvr.PODS).spliterator(), false)
                .filter(pod -> pod.at("/spec/nodeName").asText().equals(node)
                        && pod.at("/metadata/labels/app").asText().equals("check"))
                .map(pod -> (JsonNode) pod)
                .toList();
    }

    static void isAtRest(SroSandbox sandbox, Duration time) {
        sandbox.cluster().recording().start();
        sandbox.run(time);
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(entry -> entry.userAgent().equals("sro")))
                .as("it is at rest")
                .allMatch(entry -> entry.verb().equals("watch"));
    }

    static List<String> jobs(SroSandbox sandbox) {
        return sandbox.client().batch().v1().jobs().inNamespace("card").list().getItems().stream()
                .map(job -> job.getMetadata().getName())
                .sorted()
                .toList();
    }
}
