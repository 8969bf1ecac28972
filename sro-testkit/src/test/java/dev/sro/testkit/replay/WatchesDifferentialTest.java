package dev.sro.testkit.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Watches are opened at both servers with random options, then objects change at random: both have to tell the same. */
@RealControlPlane(needs = Feature.RESTART)
class WatchesDifferentialTest {
    /** Others: {@code -Dsro.differential.seed=1 -Dsro.differential.rounds=200}. */
    private static final long SEED = Long.getLong("sro.differential.seed", 0);

    private static final int ROUNDS = Integer.getInteger("sro.differential.rounds", 12);
    private static final int SHOWN = Integer.getInteger("sro.differential.shown", 20);
    private static final int MAY_DIFFER = Integer.getInteger("sro.differential.may", 2);

    private static final int WATCHES = 10;
    private static final int CHANGES = 12;
    private static final Duration QUIET = Duration.ofMillis(400);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private record Pair(ObjectNode request, WatchStream real, WatchStream embedded) {}

    private final List<String> differences = new ArrayList<>();
    private final Map<String, Integer> seen = new TreeMap<>();

    @Test
    void bothServersTellTheSame(RealCluster cluster) throws Exception {
        try (LonelyServer lonely = LonelyServer.start(cluster);
                EmbeddedCluster own = EmbeddedCluster.builder().build()) {
            List<Endpoint> servers = List.of(lonely.endpoint(), new EmbeddedEndpoint(HttpClient.newHttpClient(), own));
            for (int round = 0; round < ROUNDS; round++) {
                Random random = new Random(SEED * 1_000_003 + round);
                new ReadObjects(random)
                        .requests()
                        .forEach(request -> servers.forEach(server -> ReadsDifferentialTest.make(server, request)));
                round(new RandomWatches(random), servers);
            }
        }
        assertThat(seen.keySet()).contains("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "refused");
        int all = ROUNDS * WATCHES;
        assertThat(differences)
                .as(
                        "%d of %d watches, %s, the first: %s",
                        differences.size(), all, seen, differences.subList(0, Math.min(SHOWN, differences.size())))
                .hasSizeLessThanOrEqualTo(all * MAY_DIFFER / 100);
    }

    private void round(RandomWatches source, List<Endpoint> servers) {
        List<Pair> watches = new ArrayList<>();
        for (int i = 0; i < WATCHES; i++) {
            ObjectNode request = source.watch();
            watches.add(new Pair(
                    request,
                    servers.get(0).watch(at(request, servers.get(0))),
                    servers.get(1).watch(at(request, servers.get(1)))));
            for (int change = 0; change < CHANGES / WATCHES + 1; change++) {
                ObjectNode next = source.change();
                servers.forEach(server -> server.call(next));
            }
        }
        for (int change = 0; change < CHANGES; change++) {
            ObjectNode next = source.change();
            servers.forEach(server -> server.call(next));
        }
        watches.forEach(WatchesDifferentialTest::await);
        watches.forEach(this::compare);
    }

    /** Until nothing has come for a while; where one server told more than the other, longer, as machines may be busy. */
    private static void await(Pair watch) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isQuiet(watch, QUIET)
                || (told(watch.real()).size() != told(watch.embedded()).size() && System.nanoTime() < end)) {
            Endpoint.sleep(Duration.ofMillis(20));
        }
    }

    private static boolean isQuiet(Pair watch, Duration time) {
        return watch.real().quiet().compareTo(time) >= 0
                && watch.embedded().quiet().compareTo(time) >= 0;
    }

    /** The watch with the version that the collection has at a server. */
    private static ObjectNode at(ObjectNode request, Endpoint server) {
        if (!request.path("query").path("resourceVersion").asText().equals("<rv>")) {
            return request;
        }
        String path = request.path("path").asText().replaceFirst("/watch/", "/");
        JsonNode list = server.call(SamplePaths.request("GET", path, Endpoint.JSON.nullNode()))
                .body();
        ObjectNode own = request.deepCopy();
        ((ObjectNode) own.path("query"))
                .put(
                        "resourceVersion",
                        list == null
                                ? ""
                                : list.path("metadata").path("resourceVersion").asText());
        return own;
    }

    private void compare(Pair watch) {
        watch.real().stop();
        watch.embedded().stop();
        List<JsonNode> theirs = told(watch.real());
        List<JsonNode> ours = told(watch.embedded());
        theirs.forEach(event -> seen.merge(event.path("type").asText("refused"), 1, Integer::sum));
        for (int i = 0; i < Math.max(theirs.size(), ours.size()); i++) {
            JsonNode their = i < theirs.size() ? theirs.get(i) : Endpoint.JSON.missingNode();
            JsonNode our = i < ours.size() ? ours.get(i) : Endpoint.JSON.missingNode();
            if (!their.equals(our)) {
                differences.add("\n" + watch.request() + " event " + i + "\n  real     " + JsonDifference.of(their, our)
                        + "\n  embedded " + JsonDifference.of(our, their));
                return;
            }
        }
    }

    private static List<JsonNode> told(WatchStream stream) {
        List<JsonNode> told = new ArrayList<>();
        Endpoint.Reply refused = stream.refused();
        if (refused != null) {
            told.add(Endpoint.JSON.valueToTree(Judgement.ofAny(refused).said()));
        }
        JsonNode columns = Endpoint.JSON.missingNode();
        for (JsonNode event : stream.events()) {
            ObjectNode copy = event.deepCopy();
            JsonNode own = copy.path("object").path("columnDefinitions");
            columns = own.isArray() ? own : columns;
            boolean marks = copy.path("type").asText().equals("BOOKMARK");
            boolean nowAndThen = marks && !copy.path("object").path("metadata").has("annotations");
            if (nowAndThen || copy.toString().contains("\"kube-root-ca.crt\"")) {
                // The latter is a controller's, which the real one is without.
                continue;
            }
            if (columns.isArray() && copy.path("object") instanceof ObjectNode table) {
                // They come with the first event, also if that is one that is left out here.
                table.set("columnDefinitions", columns);
                columns = Endpoint.JSON.missingNode();
            }
            Judgement.mask(copy);
            owners(copy);
            if (marks && copy.path("object") instanceof ObjectNode mark) {
                // What Go writes of a structure with nothing in it.
                mark.retain("kind", "apiVersion", "metadata");
            }
            told.add(copy);
        }
        return told;
    }

    /** They are in the order of the seconds in which they were written. */
    private static void owners(JsonNode node) {
        if (node.path("managedFields") instanceof ArrayNode fields) {
            List<JsonNode> sorted = new ArrayList<>();
            fields.forEach(sorted::add);
            sorted.sort(Comparator.comparing(JsonNode::toString));
            ((ObjectNode) node)
                    .set("managedFields", Endpoint.JSON.createArrayNode().addAll(sorted));
        }
        node.forEach(WatchesDifferentialTest::owners);
    }
}
