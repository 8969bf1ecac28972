package dev.sro.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.VirtualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes, with answers as a kube-apiserver 1.36 was recorded to give them. */
class WriteTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PODS = "/api/v1/namespaces/default/pods";

    private final ApiServer server =
            ApiServer.create(VirtualClock.stepped(Instant.parse("2026-01-01T00:00:00Z")), false, 1, 100);

    @BeforeEach
    void namespaces() {
        server.createSystemNamespaces();
    }

    private ApiResponse send(String method, String path, String body) {
        return send(server, method, path, "application/json", body);
    }

    private static ApiResponse send(ApiServer to, String method, String path, String type, String body) {
        return to.handle(ApiRequest.of(method, path, type, body.getBytes(StandardCharsets.UTF_8)));
    }

    private List<String> watchPods() {
        List<String> events = new ArrayList<>();
        server.watch(ApiRequest.of("GET", PODS + "?watch=true"), new WatchSink() {
            @Override
            public void event(WatchEvent event) {
                try {
                    JsonNode json = JSON.readTree(event.bytes());
                    JsonNode object = json.path("object");
                    events.add(json.path("type").asText()
                            + " node=" + object.at("/spec/nodeName").asText()
                            + " scheduled="
                            + object.at("/status/conditions/0/type").asText()
                            + " grace="
                            + object.at("/metadata/deletionGracePeriodSeconds").asText());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public void end() {}
        });
        return events;
    }

    private void pod(String name) {
        assertThat(send("POST", PODS, """
                                {"metadata": {"name": "%s"}, "spec": {"containers": [{"name": "c", "image": "i:1"}]}}
                                """.formatted(name)).status()).isEqualTo(201);
    }

    private ApiResponse bind(String pod, String node) {
        return send("POST", PODS + "/" + pod + "/binding", """
                {"metadata": {"name": "%s"}, "target": {"kind": "Node", "name": "%s"}}
                """.formatted(pod, node));
    }

    @Test
    void aBindingWritesTheNodeAndTheConditionAtOnce() {
        List<String> events = watchPods();
        pod("a");

        assertThat(bind("a", "n1").status()).isEqualTo(201);

        assertThat(events)
                .containsExactly("ADDED node= scheduled= grace=", "MODIFIED node=n1 scheduled=PodScheduled grace=");
    }

    @Test
    void aSecondBindingIsAConflict() {
        pod("a");
        bind("a", "n1");

        ApiResponse answer = bind("a", "n2");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().path("message").asText())
                .isEqualTo("Operation cannot be fulfilled on pods/binding \"a\": pod a is already assigned to node"
                        + " \"n1\"");
    }

    @Test
    void aPodThatGoesAtOnceIsMarkedFirst() {
        pod("a");
        bind("a", "n1");
        List<String> events = watchPods();
        events.clear();

        send("DELETE", PODS + "/a", "{\"gracePeriodSeconds\": 0}");

        assertThat(events)
                .containsExactly(
                        "MODIFIED node=n1 scheduled=PodScheduled grace=0",
                        "DELETED node=n1 scheduled=PodScheduled grace=0");
    }

    @Test
    void whatDoesNotGoGracefullyIsNotMarked() {
        send("POST", "/api/v1/namespaces/default/configmaps", "{\"metadata\": {\"name\": \"a\"}}");
        long before = server.api().resourceVersion();

        send("DELETE", "/api/v1/namespaces/default/configmaps/a", "{}");

        assertThat(server.api().resourceVersion()).isEqualTo(before + 1);
    }

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: widgets.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
              versions:
              - name: v1
                served: true
                storage: true
                subresources: {status: {}}
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec: {type: object, properties: {size: {type: integer}}}
                      status: {type: object, properties: {ready: {type: integer}}}
            """;

    private static final String TWICE = """
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"},
             "data": {"k": "1", "k": "2"}, "data": {"k": "3"}}""";

    @Test
    void aFieldThatIsThereTwiceIsRefusedWhenStrict() {
        ApiResponse answer = send("POST", "/api/v1/namespaces/default/configmaps?fieldValidation=Strict", TWICE);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("message").asText())
                .isEqualTo("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error:"
                        + " duplicate field \"data.k\", duplicate field \"data\"");
    }

    @Test
    void aFieldThatIsThereTwiceIsWarnedOfAndTheLastOneCounts() {
        ApiResponse answer = send("POST", "/api/v1/namespaces/default/configmaps", TWICE);

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.headers().get("Warning"))
                .containsExactly("299 - \"duplicate field \\\"data.k\\\"\"", "299 - \"duplicate field \\\"data\\\"\"");
        assertThat(answer.json().path("data").toString()).isEqualTo("{\"k\":\"3\"}");
    }

    @Test
    void namesPlacesInListsToo() throws IOException {
        assertThat(DuplicateFields.in(
                        "{\"a\":[1,{\"b\":{},\"c\":[],\"b\":{}}],\"d\":{\"b\":1}}".getBytes(StandardCharsets.UTF_8)))
                .containsExactly("a[1].b");
    }

    @Test
    void theStatusSubresourceJudgesTheStatusAlone() {
        try (EmbeddedCluster cluster = EmbeddedCluster.create()) {
            String crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
            String widget = "/apis/example.com/v1/namespaces/default/widgets/a";
            assertThat(send(cluster.server(), "POST", crds, "application/yaml", DEFINITION)
                            .text())
                    .contains("\"uid\"");
            cluster.settle();
            ApiResponse made = send(cluster.server(), "POST", widget.replaceFirst("/a$", ""), "application/json", """
                    {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {}}
                    """);
            assertThat(made.status()).as(made.text()).isEqualTo(201);
            cluster.api().update(Gvr.CUSTOMRESOURCEDEFINITIONS, null, "widgets.example.com", null, crd -> {
                crd.withObject("/spec/versions/0/schema/openAPIV3Schema/properties/spec")
                        .put("maxProperties", 1)
                        .put("minProperties", 1);
                return crd;
            });
            cluster.settle();
            String merge = "application/merge-patch+json";
            String status = widget + "/status";

            ApiResponse bad = send(cluster.server(), "PATCH", status, merge, "{\"status\": {\"ready\": \"many\"}}");
            ApiResponse good = send(cluster.server(), "PATCH", status, merge, "{\"status\": {\"ready\": 3}}");
            ApiResponse whole = send(cluster.server(), "PATCH", widget, merge, "{\"spec\": {\"size\": \"big\"}}");

            assertThat(bad.status()).isEqualTo(422);
            assertThat(bad.json().at("/details/causes").toString()).contains("status.ready");
            assertThat(good.status()).as(good.text()).isEqualTo(200);
            assertThat(whole.status()).isEqualTo(422);
        }
    }

    @Test
    void answersAreYamlForAClientThatLikesItBest() {
        String path = "/api/v1/namespaces/default/configmaps";
        send(
                "POST",
                path,
                "{\"metadata\":{\"name\":\"a\"},\"data\":{\"n\":\"1\",\"t\":\"x\",\"b\":\"true\",\"m\":\"a\\nb\\n\"}}");
        ApiRequest get =
                new ApiRequest("GET", path + "/a", Map.of(), null, "application/yaml, */*", "test", null, null);

        ApiResponse answer = server.handle(get);

        assertThat(answer.contentType()).isEqualTo("application/yaml");
        assertThat(answer.text())
                .startsWith(
                        "apiVersion: v1\ndata:\n  b: \"true\"\n  m: |\n    a\n    b\n  \"n\": \"1\"\n  t: x\nkind: ConfigMap\n")
                .contains("creationTimestamp: \"2026-01-01T00:00:00Z\"\n");
    }

    @Test
    void anErrorIsYamlTooForSuchAClient() {
        ApiRequest get = new ApiRequest(
                "GET",
                "/api/v1/namespaces/default/configmaps/none",
                Map.of(),
                null,
                "application/yaml",
                "test",
                null,
                null);

        assertThat(server.handle(get).text())
                .contains("message: configmaps \"none\" not found")
                .contains("code: 404\n");
    }
}
