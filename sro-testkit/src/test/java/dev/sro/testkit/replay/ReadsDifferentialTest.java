package dev.sro.testkit.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sro.core.yaml.Yaml;
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

/** Discovery, objects, lists and tables are read from both servers at random, in all forms and with all mistakes. */
@RealControlPlane(needs = Feature.RESTART)
class ReadsDifferentialTest {
    /** Others: {@code -Dsro.differential.seed=1 -Dsro.differential.count=5000}. */
    private static final long SEED = Long.getLong("sro.differential.seed", 0);

    private static final int COUNT = Integer.getInteger("sro.differential.count", 600);
    private static final int SHOWN = Integer.getInteger("sro.differential.shown", 20);
    private static final int MAY_DIFFER = Integer.getInteger("sro.differential.may", 1);
    private static final int CREATED = 201;

    private final List<String> differences = new ArrayList<>();
    private final Map<Integer, Integer> answers = new TreeMap<>();

    @Test
    void bothServersAnswerAlike(RealCluster cluster) throws Exception {
        try (LonelyServer lonely = LonelyServer.start(cluster);
                EmbeddedCluster own = EmbeddedCluster.builder().build()) {
            Endpoint real = lonely.endpoint();
            Endpoint embedded = new EmbeddedEndpoint(HttpClient.newHttpClient(), own);
            Random random = new Random(SEED);
            new ReadObjects(random)
                    .requests()
                    .forEach(request -> List.of(real, embedded).forEach(server -> make(server, request)));
            RandomReads reads = new RandomReads(random);
            for (int i = 0; i < COUNT; i++) {
                compare(reads.next(), real, embedded);
            }
        }
        assertThat(answers.keySet()).contains(200, 400, 404, 405, 406);
        assertThat(differences)
                .as(
                        "%d of %d requests, answers %s, the first: %s",
                        differences.size(), COUNT, answers, differences.subList(0, Math.min(SHOWN, differences.size())))
                .hasSizeLessThanOrEqualTo(COUNT * MAY_DIFFER / 100);
    }

    /** What a definition brings is served a moment later. */
    static void make(Endpoint server, ObjectNode request) {
        for (int i = 0; i < 100; i++) {
            Endpoint.Reply reply = server.call(request);
            if (reply.status() == CREATED) {
                return;
            }
            assertThat(reply.status()).as("%s %s", request, reply.body()).isIn(404, 409);
            if (reply.status() == 409) {
                return;
            }
            server.pass(Duration.ofMillis(100));
        }
        throw new AssertionError(request + " is not taken");
    }

    private void compare(ObjectNode request, Endpoint real, Endpoint embedded) {
        Endpoint.Reply reply = real.call(request);
        answers.merge(reply.status(), 1, Integer::sum);
        Judgement theirs = judged(reply);
        Judgement ours = judged(embedded.call(request));
        if (!theirs.equals(ours)) {
            differences.add(
                    "\n" + request + "\n  real     " + theirs.without(ours) + "\n  embedded " + ours.without(theirs));
        }
    }

    /** The server lists types of custom resources as its maps have them. */
    private static ArrayNode sorted(ArrayNode resources) {
        List<JsonNode> all = new ArrayList<>();
        resources.forEach(all::add);
        all.sort(Comparator.comparing(resource -> resource.path("name").asText()));
        return Endpoint.JSON.createArrayNode().addAll(all);
    }

    /** Takes away what each server has of its own. */
    private static void removeOthers(ArrayNode items) {
        for (int i = items.size() - 1; i >= 0; i--) {
            JsonNode metadata = items.get(i).has("object")
                    ? items.get(i).path("object").path("metadata")
                    : items.get(i).path("metadata");
            String name = metadata.path("name").asText();
            boolean own = metadata.has("namespace")
                    ? metadata.path("namespace").asText().startsWith("reads-") && !name.equals("kube-root-ca.crt")
                    : name.matches("n[0-9]|reads-.*|.*reads\\.example\\.com");
            if (!own && !metadata.isMissingNode()) {
                items.remove(i);
            }
        }
    }

    /** What is written in YAML is compared like JSON; tokens of pages and addresses of servers are their own. */
    private static Judgement judged(Endpoint.Reply given) {
        Endpoint.Reply reply = given;
        if (reply.contentType().startsWith("application/yaml") && reply.body() != null) {
            JsonNode tree = Endpoint.JSON.valueToTree(
                    Yaml.documents("answer", reply.body().asText()).get(0));
            reply = new Endpoint.Reply(reply.status(), tree, reply.contentType(), reply.warnings());
        }
        if (reply.body() != null && reply.body().path("metadata") instanceof ObjectNode metadata) {
            if (!metadata.path("continue").asText().isEmpty()) {
                metadata.set("continue", TextNode.valueOf("token"));
            }
        }
        if (reply.body() instanceof ObjectNode body) {
            if (body.path("resources") instanceof ArrayNode resources) {
                body.set("resources", sorted(resources));
            }
            body.remove(List.of("serverAddressByClientCIDRs", "gitCommit", "goVersion", "compiler"));
            for (String list : List.of("items", "rows")) {
                if (!body.path("kind").asText().endsWith("DiscoveryList")
                        && body.path(list) instanceof ArrayNode items) {
                    removeOthers(items);
                }
            }
        }
        Judgement judgement = Judgement.ofAny(reply);
        judgement.said().put("type", reply.contentType());
        if (reply.body() != null && reply.body().isTextual()) {
            judgement.said().put("text", reply.body().asText());
        }
        return judgement;
    }
}
