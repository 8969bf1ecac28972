package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.embed.OperatorEnd;
import dev.sro.testkit.server.Recording;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replicas of the operator over HTTP, in real time. */
class OperatorRunTest {
    @TempDir
    private Path folder;

    private HttpCluster on;

    @BeforeEach
    void start() throws IOException {
        on = new HttpCluster(folder);
    }

    @AfterEach
    void close() {
        on.close();
    }

    private static HttpResponse<String> get(OperatorRun run, String path) throws IOException, InterruptedException {
        return send(run, "GET", path);
    }

    private static HttpResponse<String> send(OperatorRun run, String method, String path)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + run.port().orElseThrow() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private Lease lease() {
        return Objects.requireNonNull(on.admin
                .leases()
                .inNamespace(HttpCluster.NAMESPACE)
                .withName("sro")
                .get());
    }

    private List<Recording.Entry> writes() {
        return on.cluster
                .recording()
                .entries(entry -> entry.userAgent().startsWith("sro/")
                        && !List.of("get", "list", "watch").contains(entry.verb()));
    }

    @Test
    void bringsASpecialResourceToReadyAndTakesItAway() throws Exception {
        on.installDefinition();
        OperatorRun run = on.start("one");
        on.applySpecialResource();
        on.awaitReady();

        HttpResponse<String> ready = get(run, "/readyz");
        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(ready.body()).endsWith("[+]caches ok\nok\n");
        assertThat(get(run, "/livez").body()).isEqualTo("[+]timers ok\nok\n");
        HttpCluster.await(
                "its metrics",
                () -> get(run, "/metrics")
                        .body()
                        .contains("sro_special_resource_ready{special_resource=\"simple-kmod\"} 1.0"));
        assertThat(get(run, "/metrics").body())
                .contains("sro_nodes{special_resource=\"simple-kmod\"} 2.0")
                .contains("sro_states_completed_info{specialresource=\"simple-kmod\",state=\"0000-driver-build\"} 1\n")
                .contains("sro_managed_resources_total 1\n")
                .containsPattern(
                        "sro_kind_completed_info\\{specialresource=\"simple-kmod\",kind=\"DaemonSet\",name=\"simple-kmod-[^\"]+\",namespace=\"simple-kmod\"}"
                                + " 1\n")
                .containsPattern(
                        "sro_used_nodes\\{cr=\"simple-kmod\",kind=\"DaemonSet\",name=\"simple-kmod-[^\"]+\",namespace=\"simple-kmod\"}"
                                + " [12]\n")
                .contains("sro_leader 1.0")
                .contains("sro_api_requests_total{code=\"201\",resource=\"daemonsets.apps\",verb=\"patch\"} 2.0")
                .contains("jvm_memory_used_bytes");
        String measured = get(run, "/metrics").body();
        assertThat(DocumentedMetric.all())
                .filteredOn(metric -> !metric.name().startsWith("sro_upgrade_")
                        && !metric.name().contains("throttled"))
                .hasSizeGreaterThan(10)
                .allSatisfy(metric -> assertThat(metric.series())
                        .allSatisfy(series -> assertThat(measured)
                                .containsPattern("(?m)^" + series
                                        + metric.labels().stream()
                                                .map(label -> "(?=\\{[^}]*\\b" + label + "=)")
                                                .collect(Collectors.joining()))));
        assertThat(get(run, "/metrics/x").statusCode()).isEqualTo(404);
        assertThat(get(run, "/").statusCode()).isEqualTo(404);
        assertThat(send(run, "POST", "/metrics").statusCode()).isEqualTo(405);

        on.admin.resources(SpecialResource.class).withName("simple-kmod").delete();
        HttpCluster.await(
                "its end",
                () -> on.admin
                        .resources(SpecialResource.class)
                        .list()
                        .getItems()
                        .isEmpty());
        HttpCluster.await(
                "the end of its metrics", () -> !get(run, "/metrics").body().contains("simple-kmod"));
        assertThat(on.admin.namespaces().withName("simple-kmod").get()).isNull();
    }

    @Test
    void anotherReplicaTakesOverWhenOneStops() throws Exception {
        on.installDefinition();
        OperatorRun one = on.start("one");
        HttpCluster.await("a leader", () -> get(one, "/metrics").body().contains("sro_leader 1.0"));
        OperatorRun two = on.start("two");
        HttpCluster.await("a second that stands by", () -> get(two, "/readyz").statusCode() == 200);
        assertThat(get(two, "/metrics").body()).contains("sro_leader 0.0");

        one.close();

        HttpCluster.await("a leader", () -> get(two, "/metrics").body().contains("sro_leader 1.0"));
        assertThat(lease().getSpec().getHolderIdentity()).isEqualTo("two");
        assertThat(lease().getSpec().getLeaseTransitions()).isPositive();
        two.close();
        assertThat(lease().getSpec().getLeaseDurationSeconds()).as("given back").isEqualTo(1);
        on.start("three");
        on.applySpecialResource();
        on.awaitReady();
    }

    @Test
    void aReplicaThatLostTheLeaseWritesNothingMore() throws Exception {
        on.installDefinition();
        OperatorRun run = on.start("one");
        HttpCluster.await("a leader", () -> get(run, "/metrics").body().contains("sro_leader 1.0"));
        // Not an update, which a renewal that is under way makes stale.
        on.admin
                .leases()
                .inNamespace(HttpCluster.NAMESPACE)
                .withName("sro")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"holderIdentity\": \"somebody\"}}");

        assertThat(run.await()).isEqualTo(OperatorEnd.LEASE_LOST);
        on.cluster.recording().start();
        on.applySpecialResource();
        Thread.sleep(1_000);

        assertThat(writes()).isEmpty();
        assertThat(on.isReady()).isFalse();
    }

    @Test
    void saysThatTheDefinitionIsMissingAndGoesOnWhenItIsThere() throws Exception {
        OperatorRun run = on.start("one");
        HttpCluster.await("its complaint", () -> get(run, "/readyz").body().contains("install what provides it"));
        HttpResponse<String> ready = get(run, "/readyz");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).contains("[-]caches failed: ").contains("sro.openshift.io/v1beta1/SpecialResource");
        assertThat(get(run, "/livez").statusCode()).isEqualTo(200);

        on.installDefinition();
        on.applySpecialResource();

        on.awaitReady();
    }
}
