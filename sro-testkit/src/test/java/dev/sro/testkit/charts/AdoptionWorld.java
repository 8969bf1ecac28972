package dev.sro.testkit.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.FileCharts;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A cluster as the original operator left it. */
abstract class AdoptionWorld {
    static final Duration LIMIT = Duration.ofMinutes(10);
    static final String K1 = "4.18.0-305.45.1.el8_4.x86_64";
    static final String DRIVER = "kmod-driver-b657a71de7fad62f";
    static final String OLD_DRIVER = "kmod-driver-e383247e62b56585";
    static final String STATE_LABEL = "specialresource.openshift.io/state-kmod-1000";

    @TempDir
    Path charts;

    final SroSandbox sandbox = SroSandbox.create(false, Plugins.of());
    /** The program of the operator before us. */
    final KubernetesClient manager = sandbox.cluster().newClient("manager/v0.0.0");

    String uid = "";

    @BeforeEach
    void whatIsThere() throws IOException {
        sandbox.kill();
        sandbox.charts(Map.of("file", new FileCharts(new ChartLoader())), new PathRenderer());
        sandbox.nodes()
                .create("one", NodeProfile.of(OsRelease.RHCOS_8).withKernel(K1).withRole("worker"));
        chart("1.0.0", "env: [{name: OLD, value: \"1\"}]");
        chart("2.0.0", "env: []");
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata:
              name: kmod
              finalizers: [sro.openshift.io/finalizer, finalizer.sro.openshift.io]
            spec:
              namespace: kmod
              nodeSelector: {node-role.kubernetes.io/worker: ""}
              chart: {name: kmod, version: 1.0.0, repository: {name: example, url: "%s"}}
            """.formatted(charts.toUri()));
        uid = sandbox.get("kmod").orElseThrow().getMetadata().getUid();
        theirs();
        sandbox.run(Duration.ofMinutes(1));
    }

    @AfterEach
    void close() {
        manager.close();
        sandbox.close();
    }

    void chart(String version, String env) throws IOException {
        Path folder = charts.resolve("kmod-" + version);
        Files.createDirectories(folder.resolve("templates"));
        Files.writeString(folder.resolve("Chart.yaml"), "{apiVersion: v2, name: kmod, version: " + version + "}");
        Files.writeString(folder.resolve("templates/0500-job.yaml"), """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: prepare, annotations: {specialresource.openshift.io/wait: "true"}}
            spec:
              template:
                spec: {restartPolicy: Never, containers: [{name: c, image: "registry.example.com/prepare:1"}]}
            """);
        Files.writeString(folder.resolve("templates/1000-driver.yaml"), """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata:
              name: kmod-driver
              labels: {app: kmod-driver}
              annotations:
                specialresource.openshift.io/kernel-affine: "true"
                specialresource.openshift.io/wait: "true"
            spec:
              selector: {matchLabels: {app: kmod-driver}}
              template:
                metadata: {labels: {app: kmod-driver}}
                spec:
                  containers:
                  - name: driver
                    image: registry.example.com/kmod:1
                    %s
            """.formatted(env));
        Files.writeString(folder.resolve("templates/2000-rest.yaml"), """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: settings}
            data: {a: "1"}
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: exporter, annotations: {specialresource.openshift.io/wait: "true"}}
            spec:
              replicas: 2
              selector: {matchLabels: {app: exporter}}
              template:
                metadata: {labels: {app: exporter}}
                spec: {containers: [{name: c, image: "registry.example.com/exporter:1"}]}
            """);
    }

    /** Objects as they come out of the original: with its labels, annotations, suffixes and owner references. */
    void theirs() {
        make("""
            apiVersion: v1
            kind: Namespace
            metadata: {name: kmod, labels: {specialresource.openshift.io/owned: "true"}}
            """);
        make("ConfigMap", "v1", "settings", "data: {a: \"1\"}");
        make("Job", "batch/v1", "prepare", """
            spec:
              template:
                spec: {restartPolicy: Never, containers: [{name: c, image: "registry.example.com/prepare:1"}]}
            """);
        driver(DRIVER, K1);
        driver(OLD_DRIVER, "4.18.0-305.40.2.el8_4.x86_64");
        make("Deployment", "apps/v1", "exporter", """
            spec:
              replicas: 2
              selector: {matchLabels: {app: exporter}}
              template:
                metadata: {labels: {app: exporter}}
                spec:
                  nodeSelector: {node-role.kubernetes.io/worker: ""}
                  containers: [{name: c, image: "registry.example.com/exporter:1"}]
            """);
        manager.nodes().withName("one").edit(node -> {
            node.getMetadata().getLabels().put(STATE_LABEL, "Ready");
            node.getMetadata().getLabels().put("specialresource.openshift.io/state-kmod-9999", "Ready");
            node.getMetadata().getLabels().put("specialresource.openshift.io/state-kmod-two-1000", "Ready");
            node.getMetadata().getLabels().put("feature.node.kubernetes.io/kernel-version.full", K1);
            return node;
        });
    }

    void driver(String name, String kernel) {
        make("DaemonSet", "apps/v1", name, """
            spec:
              selector: {matchLabels: {app: %s}}
              template:
                metadata: {labels: {app: %s, specialresource.openshift.io/owned: "true"}}
                spec:
                  nodeSelector:
                    node-role.kubernetes.io/worker: ""
                    feature.node.kubernetes.io/kernel-version.full: %s
                  containers:
                  - name: driver
                    image: registry.example.com/kmod:1
                    env: [{name: OLD, value: "1"}]
            """.formatted(name, name, kernel));
    }

    void make(String kind, String version, String name, String content) {
        make("""
            apiVersion: %s
            kind: %s
            metadata:
              name: %s
              namespace: kmod
              labels:
                app: %s
                specialresource.openshift.io/owned: "true"
                app.kubernetes.io/managed-by: Helm
              annotations:
                meta.helm.sh/release-name: kmod
                meta.helm.sh/release-namespace: kmod
                specialresource.openshift.io/hash: "12161962213042174405"
              ownerReferences:
              - apiVersion: sro.openshift.io/v1beta1
                kind: SpecialResource
                name: kmod
                uid: %s
                controller: true
                blockOwnerDeletion: true
            %s
            """.formatted(version, kind, name, name, uid, content));
    }

    void make(String yaml) {
        manager.resource(yaml).create();
    }

    Set<String> names(Gvr type) {
        return sandbox.cluster().api().list(type).stream()
                .filter(object -> object.at("/metadata/namespace").asText().equals("kmod"))
                .map(object -> object.at("/metadata/name").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What tells a restart: every pod, and the generation of DaemonSets. */
    Set<String> running() {
        Set<String> running = new TreeSet<>();
        for (Gvr type : List.of(Gvr.PODS, Gvr.DEPLOYMENTS, Gvr.JOBS, Gvr.DAEMONSETS)) {
            sandbox.cluster().api().list(type).stream()
                    .filter(object -> !object.at("/metadata/name").asText().startsWith(OLD_DRIVER))
                    .forEach(object -> running.add(object.at("/metadata/name").asText() + " "
                            + object.at("/metadata/uid").asText() + " "
                            // That of a Deployment counts annotations, too.
                            + (type.equals(Gvr.DAEMONSETS)
                                    ? object.at("/metadata/generation").asText()
                                    : "")));
        }
        return running;
    }

    void awaitReady() {
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("kmod")))
                .as(() -> sandbox.state("kmod"))
                .isTrue();
        sandbox.run(Duration.ofMinutes(1));
    }

    HasMetadata driver() {
        return sandbox.client()
                .apps()
                .daemonSets()
                .inNamespace("kmod")
                .withName(DRIVER)
                .get();
    }
}
