package dev.sro.testkit.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random policies of admission and configurations of webhooks in both servers, and objects that are made, changed, scaled and deleted under
 * them by several users: what is refused, changed and warned of, in which words, and what webhooks are asked.
 */
@RealControlPlane
class AdmissionDifferentialTest {
    /** Others: {@code -Dsro.differential.seed=1 -Dsro.differential.rounds=50}. */
    private static final long SEED = Long.getLong("sro.differential.seed", 0);

    private static final int ROUNDS = Integer.getInteger("sro.differential.rounds", 8);
    private static final int SHOWN = Integer.getInteger("sro.differential.shown", 20);
    /** How many of a hundred requests may be answered otherwise. */
    private static final int MAY_DIFFER = Integer.getInteger("sro.differential.may", 3);

    private static final int ASKED = 16;
    private static final long PRIME = 1_000_003;
    private static final int CREATED = 201;
    private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";
    /** A real server has read policies and configurations by then. */
    private static final Duration READ = Duration.ofMillis(1500);
    /** The same for the parameters of policies. */
    private static final Duration READ_ALL = Duration.ofSeconds(3);

    private final List<String> differences = new ArrayList<>();
    private final Map<Integer, Integer> answers = new TreeMap<>();
    private int requests;

    @Test
    void bothServersAdmitTheSame(RealCluster cluster, @TempDir Path folder) throws Exception {
        Endpoint real = Endpoint.real(cluster);
        try (EmbeddedCluster own = EmbeddedCluster.builder().build();
                WebhookServer webhooks = WebhookServer.start(folder)) {
            List<Endpoint> servers = List.of(real, new EmbeddedEndpoint(HttpClient.newHttpClient(), own));
            keepParams(servers);
            for (int round = 0; round < ROUNDS; round++) {
                new Round("adm-" + SEED + "-" + round, new Random(SEED * PRIME + round), servers, webhooks).live();
            }
        }
        assertThat(answers.keySet()).contains(200, 201, 422);
        assertThat(differences)
                .as(
                        "%d of %d requests, answers %s, the first: %s",
                        differences.size(),
                        requests,
                        answers,
                        differences.subList(0, Math.min(SHOWN, differences.size())))
                .hasSizeLessThanOrEqualTo(requests * MAY_DIFFER / 100);
    }

    /** A kube-apiserver 1.36 reads parameters no more once no policy has any: there is one for as long as this takes. */
    private static void keepParams(List<Endpoint> servers) {
        ObjectNode policy = RandomAdmission.named("ValidatingAdmissionPolicy", "keep-params-" + SEED);
        ObjectNode spec = policy.putObject("spec");
        spec.putObject("paramKind").put("apiVersion", "v1").put("kind", "ConfigMap");
        ObjectNode rule =
                spec.putObject("matchConstraints").putArray("resourceRules").addObject();
        rule.putArray("apiGroups").add("nobody.example.com");
        rule.putArray("apiVersions").add("v1");
        rule.putArray("operations").add("CREATE");
        rule.putArray("resources").add("things");
        spec.putArray("validations").addObject().put("expression", "true");
        ObjectNode binding = RandomAdmission.named("ValidatingAdmissionPolicyBinding", "keep-params-" + SEED);
        ObjectNode bound = binding.putObject("spec").put("policyName", "keep-params-" + SEED);
        bound.putArray("validationActions").add("Deny");
        bound.putObject("paramRef").put("name", "none").put("parameterNotFoundAction", "Allow");
        for (Endpoint server : servers) {
            server.call(SamplePaths.request("POST", REGISTRATION + "validatingadmissionpolicies", policy));
            server.call(SamplePaths.request("POST", REGISTRATION + "validatingadmissionpolicybindings", binding));
        }
    }

    private final class Round {
        private final String namespace;
        private final Random random;
        private final List<Endpoint> servers;
        private final WebhookServer webhooks;
        private final List<String> configured = new ArrayList<>();
        private final List<String> inForce = new ArrayList<>();
        private final List<String> before = new ArrayList<>();

        Round(String namespace, Random random, List<Endpoint> servers, WebhookServer webhooks) {
            this.namespace = namespace;
            this.random = random;
            this.servers = servers;
            this.webhooks = webhooks;
        }

        private boolean once(int of) {
            return random.nextInt(of) == 0;
        }

        private <T> T pick(List<T> of) {
            return of.get(random.nextInt(of.size()));
        }

        void live() {
            prepare();
            configure();
            if (configured.isEmpty()) {
                return;
            }
            servers.forEach(server -> server.pass(READ_ALL));
            same(SamplePaths.request("POST", core("configmaps"), body("configmaps", "a")));
            same(SamplePaths.request("POST", deployments(), body(deployments(), "a")));
            // After the first difference there are more, as the objects are others.
            for (int i = 0; i < ASKED && same(request()) > 0; i++) {}
            JsonNode none = JsonNodeFactory.instance.nullNode();
            Collections.reverse(configured);
            configured.forEach(
                    path -> servers.forEach(server -> server.call(SamplePaths.request("DELETE", path, none))));
            // Those that a real server has read match what is in no namespace, too.
            servers.forEach(server -> server.pass(READ));
        }

        private void prepare() {
            ObjectNode home = SamplePaths.named(namespace);
            ((ObjectNode) home.path("metadata")).putObject("labels").put("round", namespace);
            call(SamplePaths.request("POST", "/api/v1/namespaces", home));
            ObjectNode params = SamplePaths.named("params");
            ((ObjectNode) params.path("metadata")).putObject("labels").put("params", "yes");
            params.putObject("data").put("max", once(2) ? "3" : "4");
            call(SamplePaths.request("POST", core("configmaps"), params));
        }

        private void call(ObjectNode request) {
            servers.forEach(server ->
                    assertThat(server.call(request).status()).as("%s", request).isEqualTo(CREATED));
        }

        private String core(String plural) {
            return "/api/v1/namespaces/" + namespace + "/" + plural;
        }

        private void configure() {
            RandomMatches matches = new RandomMatches(random, namespace, once(2) ? 0 : 12);
            RandomAdmission source = new RandomAdmission(matches);
            for (int i = random.nextInt(2); i >= 0; i--) {
                boolean mutating = once(3);
                String name = namespace + "-" + i;
                switch (random.nextInt(4)) {
                    case 0 -> {
                        ObjectNode hooks =
                                new RandomWebhooks(matches).next(mutating, name, webhooks.url(), webhooks.caBundle());
                        put(mutating ? "mutatingwebhookconfigurations" : "validatingwebhookconfigurations", hooks);
                    }
                    default -> {
                        String prefix = mutating ? "mutating" : "validating";
                        put(prefix + "admissionpolicies", source.policy(mutating, name));
                        put(prefix + "admissionpolicybindings", source.binding(mutating, name + "-b", name));
                    }
                }
            }
        }

        private void put(String plural, ObjectNode object) {
            String collection = REGISTRATION + plural;
            if (same(SamplePaths.request("POST", collection, object)) == CREATED) {
                configured.add(
                        collection + "/" + object.path("metadata").path("name").asText());
                inForce.add(object.toString());
            }
        }

        private String deployments() {
            return "/apis/apps/v1/namespaces/" + namespace + "/deployments";
        }

        private ObjectNode request() {
            String name = pick(List.of("a", "a", "b", "a", "c" + random.nextInt(9)));
            String collection = pick(List.of(
                    core("configmaps"), core("configmaps"), core("secrets"), core("serviceaccounts"), deployments()));
            ObjectNode body = body(collection, name);
            String item = collection + "/" + name;
            JsonNode none = JsonNodeFactory.instance.nullNode();
            ObjectNode request = switch (random.nextInt(9)) {
                case 0, 1, 2 -> SamplePaths.request("POST", collection, body);
                case 3 -> SamplePaths.request("PUT", item, body);
                case 4 ->
                    SamplePaths.request("PATCH", item, changed(body))
                            .put("contentType", "application/merge-patch+json");
                case 5 ->
                    SamplePaths.request("PATCH", item, typed(body, collection))
                            .put("contentType", "application/apply-patch+yaml");
                case 6 -> SamplePaths.request("DELETE", item, none);
                case 7 -> {
                    ObjectNode all = SamplePaths.request("DELETE", collection, none);
                    // Not those that controllers keep.
                    all.putObject("query").put("labelSelector", "x");
                    yield all;
                }
                default -> scale(name);
            };
            options(request);
            if (once(4)) {
                ObjectNode user = request.putObject("as").put("user", "u" + random.nextInt(2));
                user.putArray("groups").add("system:masters").add("g1");
            }
            return request;
        }

        private void options(ObjectNode request) {
            ObjectNode query = request.withObjectProperty("query");
            if (request.path("contentType").asText().contains("apply")) {
                query.put("fieldManager", "m").put("force", "true");
            } else if (once(5)) {
                query.put("fieldManager", "m");
            }
            if (once(6)) {
                query.put("dryRun", "All");
            }
        }

        private ObjectNode scale(String name) {
            String path = deployments() + "/" + name + "/scale";
            ObjectNode body = JsonNodeFactory.instance.objectNode();
            body.putObject("spec").put("replicas", random.nextInt(4));
            return SamplePaths.request("PATCH", path, body).put("contentType", "application/merge-patch+json");
        }

        private ObjectNode body(String collection, String name) {
            ObjectNode body = SamplePaths.named(name);
            ObjectNode metadata = (ObjectNode) body.path("metadata");
            if (once(2)) {
                metadata.putObject("labels").put("x", once(2) ? "1" : "2");
            }
            if (once(4)) {
                metadata.putObject("annotations").put("note", "kept");
            }
            if (collection.endsWith("deployments")) {
                deployment(body);
            } else if (!collection.endsWith("serviceaccounts") && !once(4)) {
                ObjectNode data = body.putObject(collection.endsWith("secrets") ? "stringData" : "data");
                data.put("k", once(2) ? "v" : "w");
                if (once(3)) {
                    data.put("n", once(4) ? "many" : String.valueOf(random.nextInt(9)));
                }
            }
            return body;
        }

        private void deployment(ObjectNode body) {
            ObjectNode spec = body.putObject("spec").put("replicas", random.nextInt(5));
            spec.putObject("selector").putObject("matchLabels").put("app", "x");
            ObjectNode template = spec.putObject("template");
            template.putObject("metadata").putObject("labels").put("app", "x");
            template.putObject("spec")
                    .putArray("containers")
                    .addObject()
                    .put("name", "c")
                    .put("image", "registry.example/x:1");
        }

        private ObjectNode changed(ObjectNode body) {
            ObjectNode patch = JsonNodeFactory.instance.objectNode();
            body.properties().forEach(field -> patch.set(field.getKey(), field.getValue()));
            ((ObjectNode) patch.path("metadata")).remove("name");
            return patch;
        }

        private ObjectNode typed(ObjectNode body, String collection) {
            String plural = collection.substring(collection.lastIndexOf('/') + 1);
            body.put("apiVersion", plural.equals("deployments") ? "apps/v1" : "v1");
            body.put(
                    "kind",
                    Map.of(
                                    "configmaps", "ConfigMap",
                                    "secrets", "Secret",
                                    "serviceaccounts", "ServiceAccount",
                                    "deployments", "Deployment")
                            .get(plural));
            return body;
        }

        /** The status that both answer with, or -1 if they say different things. */
        private int same(ObjectNode request) {
            requests++;
            List<Judgement> said = new ArrayList<>();
            for (Endpoint server : servers) {
                Judgement judgement = AdmissionJudgements.of(server.call(request));
                List<JsonNode> asked = webhooks.log().take(namespace);
                judgement.said().put("webhooks", AdmissionJudgements.asked(asked));
                said.add(judgement);
            }
            Judgement theirs = said.get(0);
            Judgement ours = said.get(1);
            answers.merge(theirs.status(), 1, Integer::sum);
            if (!theirs.equals(ours)) {
                differences.add("\n" + request + "\n  real     " + theirs.without(ours) + "\n  embedded "
                        + ours.without(theirs) + "\n  after    " + before + "\n  under    " + inForce);
                return -1;
            }
            before.add(request + " = " + theirs.status());
            return theirs.status();
        }
    }
}
