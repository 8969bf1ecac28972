package dev.sro.runtime.operator;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.runtime.Cli;
import dev.sro.runtime.ClusterShell;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.node.KubeletCluster;
import dev.sro.testkit.node.RealKubelet;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code sro must-gather} brings home of a cluster whose pods really run: a driver that ends at once and an image that is not there
 * are found in its files alone, with their logs, events and statuses, and no secret that was planted is in them.
 */
@RealKubelet
@EnabledIf(
        value = "dev.sro.runtime.ClusterShell#isHere",
        disabledReason = "no kubectl or helm here: run .ci/kubectl/build.sh and .ci/helm/build.sh")
class GatherNodeTest {
    private static final String NAME = "faulty";
    private static final String COMPLAINT = "card 3 does not answer";
    private static final String FILES = "src/test/resources/dev/sro/runtime/operator/gather";

    @TempDir
    private Path folder;

    @TempDir
    private Path home;

    @AfterEach
    void giveLogBack() {
        HttpCluster.giveLogBack();
    }

    @Test
    void faultsAreFoundInItAndNoSecretIs(KubeletCluster nodes) throws Exception {
        RealCluster cluster = nodes.namespace("gather");
        OperatorSettings settings = CardCluster.settings(cluster, folder);
        String node = nodes.add().name();
        ClusterShell shell = new ClusterShell(nodes, home);
        shell.packChart(FILES + "/chart", NAME);
        Map<String, String> files;
        try (OperatorRun operator = OperatorRun.start(settings, ClusterSettings.logs())) {
            assertThat(operator.port()).as("its probes").isPresent();
            apply(cluster);
            nodes.await("pods are in the trouble that they shall be in", CardCluster.SOON, () -> inTrouble(nodes));
            files = gather(nodes, cluster);
        }
        faultsAreSaid(files, node);
        String encoded = Base64.getEncoder()
                .encodeToString("geheim-".getBytes(StandardCharsets.UTF_8))
                .substring(0, 8);
        files.forEach((name, text) ->
                assertThat(text).as(name).doesNotContain("geheim").doesNotContain(encoded));
    }

    private static void apply(RealCluster cluster) {
        NodeScenario.apply(cluster, """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %1$s, annotations: {example.com/login: "https://me:geheim-7@example.com"}}
            spec:
              namespace: %1$s
              chart:
                name: %1$s
                version: 0.1.0
                repository: {name: config-map, url: "cm://default/%1$s"}
              set: {apiVersion: sro.openshift.io/v1beta1, kind: Values, registryPassword: geheim-1}
            """.formatted(NAME));
    }

    /** One was started again and broke again, one waits for its image, one runs; and the operator has seen it. */
    private static boolean inTrouble(KubeletCluster nodes) {
        Map<String, ContainerStatus> states = nodes.client().pods().inNamespace(NAME).list().getItems().stream()
                .map(Pod::getStatus)
                .flatMap(status -> status.getContainerStatuses().stream())
                .collect(Collectors.toMap(ContainerStatus::getName, status -> status));
        SpecialResourceStatus status = nodes.client()
                .resources(SpecialResource.class)
                .withName(NAME)
                .get()
                .getStatus();
        return states.size() == 3
                && status != null
                && String.valueOf(status.getState()).startsWith("Errored")
                && waits(requireNonNull(states.get("driver"))).equals("CrashLoopBackOff")
                && requireNonNull(states.get("driver")).getRestartCount() > 0
                && waits(requireNonNull(states.get("exporter"))).equals("ImagePullBackOff")
                && Boolean.TRUE.equals(requireNonNull(states.get("firmware")).getReady());
    }

    private static String waits(ContainerStatus container) {
        return Optional.ofNullable(container.getState().getWaiting())
                .map(waiting -> waiting.getReason())
                .orElse("");
    }

    private Map<String, String> gather(KubeletCluster nodes, RealCluster cluster) throws IOException {
        Path out = folder.resolve("out");
        Cli cli = Cli.run(
                "must-gather",
                out.toString(),
                "--namespace",
                cluster.namespace(),
                "--kubeconfig",
                nodes.controlPlane().kubeconfig().toString());
        assertThat(cli.code()).as(cli.out() + cli.err()).isZero();
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(out)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                // What is random in the names of pods is left out.
                String name = out.relativize(file).toString().replaceAll("-[a-z0-9]{5}(?=[/.])", "");
                files.put(name, Files.readString(file));
            }
        }
        return files;
    }

    private static void faultsAreSaid(Map<String, String> files, String node) {
        assertThat(files)
                .containsKeys(
                        "nodes/" + node + ".yaml", "pods/faulty/firmware.yaml", "operands/faulty/Secret-registry.yaml");
        assertThat(files.get("pods/faulty/driver.yaml")).contains("exitCode: 2").containsPattern("restartCount: [1-9]");
        // Which of the two has it depends on whether kubelet waits already, or has only just seen the driver end.
        assertThat(files.get("logs/faulty/driver/driver.log") + files.get("logs/faulty/driver/driver.previous.log"))
                .contains(COMPLAINT);
        assertThat(files.get("logs/faulty/firmware/firmware.log")).contains("REGISTRY_PASSWORD=REDACTED", "ready");
        assertThat(files.get("pods/faulty/exporter.yaml")).contains("ImagePullBackOff", "test/probe:absent: not found");
        assertThat(files.get("specialresources/faulty.yaml")).contains("container driver ended with exit code 2");
        String events = String.valueOf(files.get("events/faulty.tsv"));
        assertThat(events)
                .contains("Back-off restarting failed container driver")
                .contains("test/probe:absent: not found");
        assertThat(events.lines()).as("each with its time").allMatch(line -> line.matches("20\\d\\d-\\d\\d-\\d\\dT.*"));
        assertThat(events.lines().map(line -> line.substring(0, 20)))
                .as("in the order of time")
                .isSorted();
        assertThat(files.get("events/default.tsv")).contains("SpecialResource faulty", "Node " + node);
    }
}
