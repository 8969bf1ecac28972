package dev.sro.runtime.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.chart.HelmRenderer;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example of the Special Resource Operator that depends on another chart, as published. Of that other chart there is a stand-in
 * here: the same kinds, its value {@code installCRDs}, and its hook.
 */
@EnabledIf(value = "corpusIsHere", disabledReason = "no corpus here: set SRO_CORPUS to the folder that has charts/")
class CorpusPingPongTest {
    private static final Duration LIMIT = Duration.ofMinutes(30);

    private static final String DEFINITION = """
        ---
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: %ss.cert-manager.io}
        spec:
          group: cert-manager.io
          scope: Namespaced
          names: {kind: %s, plural: %ss, singular: %s}
          versions:
          - name: v1
            served: true
            storage: true
            schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
        """;

    @TempDir
    private Path folder;

    private final ChartLoader loader = new ChartLoader();
    private final HelmRenderer renderer = new HelmRenderer();
    private final SroSandbox sandbox = SroSandbox.create(true, Plugins.of());

    static boolean corpusIsHere() {
        return CorpusChartsTest.corpusIsHere();
    }

    @BeforeEach
    void operatorWithCharts() throws IOException {
        Files.createDirectories(folder.resolve("templates"));
        Files.writeString(folder.resolve("Chart.yaml"), "{apiVersion: v2, name: cert-manager, version: 1.5.0}");
        Files.writeString(folder.resolve("values.yaml"), "installCRDs: false");
        Files.writeString(
                folder.resolve("templates/crds.yaml"),
                "{{- if .Values.installCRDs }}\n" + DEFINITION.formatted("issuer", "Issuer", "issuer", "issuer")
                        + DEFINITION.formatted("certificate", "Certificate", "certificate", "certificate")
                        + "{{- end }}\n");
        Files.writeString(folder.resolve("templates/deployment.yaml"), """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: {{ .Release.Name }}, namespace: {{ .Release.Namespace }}}
            spec:
              selector: {matchLabels: {app: cert-manager}}
              template:
                metadata: {labels: {app: cert-manager}}
                spec: {containers: [{name: c, image: "registry.example.com/cert-manager:v1.5.0"}]}
            """);
        Files.writeString(folder.resolve("templates/check.yaml"), """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: {{ .Release.Name }}-startupapicheck
              annotations: {helm.sh/hook: post-install, helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded"}
            spec:
              template:
                spec: {restartPolicy: Never, containers: [{name: c, image: "registry.example.com/check:v1.5.0"}]}
            """);
        Path pingPong = CorpusChartsTest.corpus().orElseThrow().resolve("charts/ping-pong");
        ChartFetcher published =
                reference -> new ChartFetcher.Fetched(loader.fromDirectory("ping-pong", pingPong), List.of());
        ChartFetcher standIn =
                reference -> new ChartFetcher.Fetched(loader.fromDirectory("cert-manager", folder), List.of());
        sandbox.kill();
        sandbox.charts(Map.of("cm", published, "https", standIn), renderer);
        sandbox.nodes().create("one", NodeProfile.of(OsRelease.RHCOS_8).withRole("worker"));
        sandbox.start();
        sandbox.cluster().recording().start();
        sandbox.apply(Files.readString(pingPong.resolve("ping-pong.yaml")));
    }

    @AfterEach
    void close() {
        sandbox.close();
        renderer.close();
    }

    @Test
    void certManagerComesFirstAndStaysWhenItsParentGoes() {
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("ping-pong")))
                .as(() -> sandbox.state("ping-pong") + " / " + sandbox.state("cert-manager"))
                .isTrue();

        List<String> made = sandbox
                .cluster()
                .recording()
                .entries(e -> e.userAgent().equals("sro") && e.isWrite() && e.status() == 201)
                .stream()
                .map(CorpusPingPongTest::text)
                .toList();
        assertThat(made)
                .containsSubsequence(
                        "customresourcedefinitions certificates.cert-manager.io",
                        "deployments cert-manager",
                        "jobs cert-manager-startupapicheck",
                        "secrets ping-pong-ca-key-pair",
                        "issuers ping-pong-ca-issuer",
                        "certificates ping-pong-client-cert",
                        "deployments ping-pong-server",
                        "deployments ping-pong-client")
                .doesNotHaveDuplicates();

        sandbox.run(Duration.ofMinutes(1));
        sandbox.cluster().recording().start();
        sandbox.run(Duration.ofHours(2));
        assertThat(sandbox.cluster()
                        .recording()
                        .entries(e -> e.userAgent().equals("sro") && !e.verb().equals("watch")))
                .as("requests when nothing changes")
                .isEmpty();

        sandbox.client().resources(SpecialResource.class).withName("ping-pong").delete();
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.get("ping-pong").isEmpty()))
                .isTrue();
        assertThat(sandbox.isReady("cert-manager")).isTrue();
    }

    private static String text(Recording.Entry entry) {
        return entry.resource().replaceAll("[./].*", "") + " " + entry.name();
    }
}
