package dev.sro.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.VirtualClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatchTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ApiServer server =
            ApiServer.create(VirtualClock.stepped(Instant.parse("2026-01-01T00:00:00Z")), false, 1, 5);
    private final List<String> events = new ArrayList<>();

    @BeforeEach
    void namespaces() {
        server.createSystemNamespaces();
    }

    private final class Sink implements WatchSink {
        @Override
        public void event(WatchEvent event) {
            try {
                JsonNode json = JSON.readTree(event.bytes());
                JsonNode object = json.path("object");
                String what = object.path("kind").asText().equals("Status")
                        ? object.path("code").asText()
                        : object.path("metadata").path("name").asText();
                events.add(json.path("type").asText() + " " + what + " "
                        + object.path("metadata").path("labels"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void end() {
            events.add("end");
        }
    }

    private void label(String name, String value) {
        server.api().update(Gvr.NODES, null, name, null, n -> {
            n.withObject("/metadata/labels").put("x", value);
            return n;
        });
    }

    private void node(String name) {
        ObjectNode node = JSON.createObjectNode();
        node.putObject("metadata").put("name", name);
        server.api().create(Gvr.NODES, node);
    }

    @Test
    void enteringAndLeavingASelectorLooksLikeComingAndGoing() throws Exception {
        server.watch(ApiRequest.of("GET", "/api/v1/nodes?watch=true&labelSelector=x=1"), new Sink());
        node("n");
        label("n", "1");
        label("n", "2");

        assertThat(events).containsExactly("ADDED n {\"x\":\"1\"}", "DELETED n {\"x\":\"1\"}");
    }

    @Test
    void aWatchFromAVersionReplaysWhatCameAfterIt() {
        node("a");
        long version = server.api().resourceVersion();
        node("b");
        label("b", "1");

        server.watch(ApiRequest.of("GET", "/api/v1/nodes?watch=true&resourceVersion=" + version), new Sink());

        assertThat(events).containsExactly("ADDED b ", "MODIFIED b {\"x\":\"1\"}");
    }

    @Test
    void aWatchEndsWithTheDefinitionOfItsKind() throws Exception {
        List<Controller> controllers = server.controllers();
        server.api().create(Gvr.CUSTOMRESOURCEDEFINITIONS, (ObjectNode) JSON.readTree("""
            {"metadata": {"name": "gadgets.example.com"}, "spec": {"group": "example.com", "scope": "Cluster",
             "names": {"kind": "Gadget", "plural": "gadgets", "singular": "gadget", "listKind": "GadgetList"},
             "versions": [{"name": "v1", "served": true, "storage": true,
              "schema": {"openAPIV3Schema": {"type": "object"}}}]}}
            """));
        settle(controllers);
        server.watch(ApiRequest.of("GET", "/apis/example.com/v1/gadgets?watch=true"), new Sink());
        assertThat(server.openWatches(null)).isEqualTo(1);

        server.api().delete(Gvr.CUSTOMRESOURCEDEFINITIONS, null, "gadgets.example.com", DeleteOptions.DEFAULT);
        settle(controllers);

        assertThat(events).containsExactly("end");
        assertThat(server.openWatches(null)).isZero();
    }

    private static void settle(List<Controller> controllers) {
        boolean any = true;
        while (any) {
            any = false;
            for (Controller controller : controllers) {
                any |= controller.work();
            }
        }
    }

    @Test
    void aWatchFromForgottenVersionsIsGone() {
        node("a");
        for (int i = 0; i < 9; i++) {
            label("a", "v" + i);
        }

        server.watch(ApiRequest.of("GET", "/api/v1/nodes?watch=true&resourceVersion=1"), new Sink());

        assertThat(events).containsExactly("ERROR 410 ", "end");
    }

    @Test
    void theInitialStateEndsWithABookmarkForThoseWhoWantIt() {
        node("a");

        server.watch(
                ApiRequest.of("GET", "/api/v1/nodes?watch=true&resourceVersion=0&allowWatchBookmarks=true"),
                new Sink());

        assertThat(events).containsExactly("ADDED a ", "BOOKMARK  ");
    }

    @Test
    void aClosedWatchGetsNothingMore() {
        ApiServer.Watch watch = server.watch(ApiRequest.of("GET", "/api/v1/nodes?watch=true"), new Sink());
        watch.close();
        node("a");

        assertThat(events).isEmpty();
    }
}
