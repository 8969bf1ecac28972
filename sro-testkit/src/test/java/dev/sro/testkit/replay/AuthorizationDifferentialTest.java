package dev.sro.testkit.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Random roles and bindings in both servers, and users who ask what they may do, do it, and try to give away more than they have: who is let
 * through, and in which words others are refused.
 */
@RealControlPlane
class AuthorizationDifferentialTest {
    /** Others: {@code -Dsro.differential.seed=1 -Dsro.differential.rounds=50}. */
    private static final long SEED = Long.getLong("sro.differential.seed", 0);

    private static final int ROUNDS = Integer.getInteger("sro.differential.rounds", 6);
    private static final int SHOWN = Integer.getInteger("sro.differential.shown", 20);
    /** How many of a hundred requests may be answered otherwise: 38 when this was first tried. */
    private static final int MAY_DIFFER = Integer.getInteger("sro.differential.may", 1);

    private static final int ASKED = 25;
    private static final long PRIME = 1_000_003;
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
    private static final List<String> GROUPS = List.of("", "apps", "*", "rbac.authorization.k8s.io", "example.com");
    private static final List<String> RESOURCES = List.of(
            "configmaps",
            "secrets",
            "pods",
            "pods/log",
            "*",
            "*/status",
            "deployments",
            "deployments/scale",
            "nodes",
            "roles",
            "rolebindings",
            "bad/*",
            "Pods");
    private static final List<String> VERBS = List.of(
            "get",
            "list",
            "watch",
            "create",
            "update",
            "patch",
            "delete",
            "deletecollection",
            "*",
            "bind",
            "escalate",
            "impersonate");

    private static final Pattern LIST = Pattern.compile("RBAC: \\[(.*)]");

    private final Random random = new Random(SEED * PRIME);
    private final List<String> differences = new ArrayList<>();
    private final Map<Integer, Integer> answers = new TreeMap<>();
    private int requests;

    @Test
    void bothServersLetTheSameThrough(RealCluster cluster) throws Exception {
        Endpoint real = Endpoint.real(cluster);
        try (EmbeddedCluster own = EmbeddedCluster.builder().build()) {
            List<Endpoint> servers = List.of(real, new EmbeddedEndpoint(HttpClient.newHttpClient(), own));
            for (int round = 0; round < ROUNDS; round++) {
                round("rights-" + SEED + "-" + round, servers);
            }
        }
        assertThat(answers.keySet()).contains(200, 201, 403);
        assertThat(differences)
                .as(
                        "%d of %d requests, answers %s, the first: %s",
                        differences.size(),
                        requests,
                        answers,
                        differences.subList(0, Math.min(SHOWN, differences.size())))
                .hasSizeLessThanOrEqualTo(requests * MAY_DIFFER / 100);
    }

    private void round(String namespace, List<Endpoint> servers) {
        servers.forEach(
                server -> server.call(SamplePaths.request("POST", "/api/v1/namespaces", SamplePaths.named(namespace))));
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            boolean cluster = once(2);
            String collection = cluster ? RBAC + "/clusterroles" : RBAC + "/namespaces/" + namespace + "/roles";
            String name = cluster ? namespace + "-r" + i : "r" + i;
            compare(SamplePaths.request("POST", collection, role(cluster, name)), servers);
            made.add(cluster ? collection + "/" + name : "");
        }
        for (int i = 0; i < 5; i++) {
            boolean cluster = once(4);
            String collection =
                    cluster ? RBAC + "/clusterrolebindings" : RBAC + "/namespaces/" + namespace + "/rolebindings";
            String name = cluster ? namespace + "-b" + i : "b" + i;
            compare(SamplePaths.request("POST", collection, binding(cluster, name, namespace)), servers);
            made.add(cluster ? collection + "/" + name : "");
        }
        // Until a real server's authorizer has heard of them.
        servers.forEach(server -> server.pass(Duration.ofMillis(600)));
        for (int i = 0; i < ASKED; i++) {
            switch (random.nextInt(5)) {
                case 0 -> compare(review(namespace), servers);
                case 1 -> compare(grant(namespace, i), servers);
                default -> compare(request(namespace, i), servers);
            }
        }
        made.stream()
                .filter(path -> !path.isEmpty())
                .forEach(path -> servers.forEach(server ->
                        server.call(SamplePaths.request("DELETE", path, JsonNodeFactory.instance.nullNode()))));
    }

    private void compare(ObjectNode request, List<Endpoint> servers) {
        requests++;
        Endpoint.Reply reply = servers.get(0).call(request);
        answers.merge(reply.status(), 1, Integer::sum);
        Judgement theirs = judgement(reply);
        Judgement ours = judgement(servers.get(1).call(request));
        if (!theirs.equals(ours)) {
            differences.add(
                    "\n" + request + "\n  real     " + theirs.without(ours) + "\n  embedded " + ours.without(theirs));
        }
    }

    /** A real server goes through bindings in any order. */
    private static Judgement judgement(Endpoint.Reply reply) {
        if (reply.body() instanceof ObjectNode body) {
            ordered(body, "message");
            if (body.path("status") instanceof ObjectNode status) {
                ordered(status, "reason");
            }
        }
        return Judgement.ofAny(reply);
    }

    private static void ordered(ObjectNode node, String field) {
        Matcher list = LIST.matcher(node.path(field).asText(""));
        if (list.find()) {
            String[] roles = list.group(1).split(", ", -1);
            Arrays.sort(roles);
            node.put(field, list.replaceFirst(Matcher.quoteReplacement("RBAC: [" + String.join(", ", roles) + "]")));
        }
    }

    private boolean once(int of) {
        return random.nextInt(of) == 0;
    }

    private String pick(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private void some(ArrayNode into, List<String> of) {
        for (int i = random.nextInt(2); i >= 0; i--) {
            into.add(pick(of));
        }
    }

    private ObjectNode rules(ObjectNode role, boolean cluster) {
        ArrayNode rules = role.putArray("rules");
        for (int i = random.nextInt(3); i >= 0; i--) {
            ObjectNode rule = rules.addObject();
            if ((cluster && once(4)) || once(20)) {
                some(rule.putArray("nonResourceURLs"), List.of("/healthz", "/metrics*", "*", "/apis/*", "bad"));
            } else {
                some(rule.putArray("apiGroups"), GROUPS);
                some(rule.putArray("resources"), RESOURCES);
                if (once(5)) {
                    some(rule.putArray("resourceNames"), List.of("a", "b", "r0"));
                }
            }
            if (!once(20)) {
                some(rule.putArray("verbs"), VERBS);
            }
        }
        return role;
    }

    private static ObjectNode object(String kind, String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", "rbac.authorization.k8s.io/v1").put("kind", kind);
        object.putObject("metadata").put("name", name);
        return object;
    }

    private ObjectNode role(boolean cluster, String name) {
        return rules(object(cluster ? "ClusterRole" : "Role", name), cluster);
    }

    private ObjectNode binding(boolean cluster, String name, String namespace) {
        ObjectNode binding = object(cluster ? "ClusterRoleBinding" : "RoleBinding", name);
        boolean toCluster = cluster || once(3);
        int number = random.nextInt(5);
        ObjectNode role = binding.putObject("roleRef");
        role.put("apiGroup", once(20) ? "" : "rbac.authorization.k8s.io");
        role.put("kind", once(30) ? "Rule" : toCluster ? "ClusterRole" : "Role");
        role.put("name", toCluster ? namespace + "-r" + number : "r" + number);
        ArrayNode subjects = binding.putArray("subjects");
        for (int i = random.nextInt(2); i >= 0; i--) {
            ObjectNode subject = subjects.addObject();
            switch (random.nextInt(4)) {
                case 0 ->
                    subject.put("kind", "ServiceAccount").put("name", "robot").put("namespace", namespace);
                case 1 -> subject.put("kind", "Group").put("name", "g1").put("apiGroup", "rbac.authorization.k8s.io");
                default -> subject.put("kind", "User").put("name", "u" + random.nextInt(2));
            }
            if (once(20)) {
                subject.put("kind", "Robot");
            }
        }
        return binding;
    }

    private ObjectNode as(ObjectNode request, String namespace) {
        ObjectNode user = request.putObject("as");
        if (once(4)) {
            user.put("user", "system:serviceaccount:" + namespace + ":robot");
        } else {
            user.put("user", "u" + random.nextInt(3));
            if (once(2)) {
                user.putArray("groups").add(once(4) ? "system:masters" : "g1");
            }
        }
        return request;
    }

    /** Somebody does something. */
    private ObjectNode request(String namespace, int number) {
        String root = pick(List.of(
                "/api/v1/namespaces/" + namespace + "/configmaps",
                "/api/v1/namespaces/" + namespace + "/secrets",
                "/api/v1/namespaces/" + namespace + "/pods",
                "/apis/apps/v1/namespaces/" + namespace + "/deployments",
                "/api/v1/nodes",
                "/api/v1/configmaps",
                "/apis/example.com/v1/namespaces/" + namespace + "/things",
                RBAC + "/namespaces/" + namespace + "/roles"));
        JsonNode none = JsonNodeFactory.instance.nullNode();
        ObjectNode body = SamplePaths.named("a");
        String item = root + "/a" + (once(6) ? pick(List.of("/status", "/log", "/scale", "/bogus")) : "");
        ObjectNode request = switch (random.nextInt(9)) {
            case 0 -> SamplePaths.request("GET", root, none);
            case 1 -> {
                ObjectNode watch = SamplePaths.request("GET", root, none);
                watch.putObject("query").put("labelSelector", "x=1").put("limit", "5");
                yield watch;
            }
            case 2 -> SamplePaths.request("GET", item, none);
            case 3 -> SamplePaths.request("POST", root, SamplePaths.named("c" + number));
            case 4 -> SamplePaths.request("PUT", item, body);
            case 5 -> SamplePaths.request("PATCH", item, body).put("contentType", "application/merge-patch+json");
            case 6 -> SamplePaths.request("DELETE", item, none);
            case 7 -> SamplePaths.request("DELETE", root, none);
            default -> SamplePaths.request("GET", pick(List.of("/healthz", "/metrics/x", "/apis/none", "/logs")), none);
        };
        return as(request, namespace);
    }

    /** Somebody gives rights to somebody. */
    private ObjectNode grant(String namespace, int number) {
        boolean binding = once(2);
        ObjectNode body = binding ? binding(false, "n" + number, namespace) : role(false, "n" + number);
        String plural = binding ? "rolebindings" : "roles";
        return as(SamplePaths.request("POST", RBAC + "/namespaces/" + namespace + "/" + plural, body), namespace);
    }

    /** Somebody asks what somebody may do. */
    private ObjectNode review(String namespace) {
        boolean own = once(3);
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("apiVersion", "authorization.k8s.io/v1")
                .put("kind", own ? "SelfSubjectAccessReview" : "SubjectAccessReview");
        ObjectNode spec = body.putObject("spec");
        if (!own) {
            if (!once(10)) {
                spec.put("user", "u" + random.nextInt(3));
            }
            if (once(3)) {
                spec.putArray("groups").add("g1");
            }
        }
        if (!once(4)) {
            ObjectNode attributes = spec.putObject("resourceAttributes");
            attributes.put("verb", pick(VERBS)).put("resource", pick(RESOURCES).replaceAll("/.*", ""));
            attributes.put("group", pick(GROUPS));
            if (!once(4)) {
                attributes.put("namespace", namespace);
            }
            if (once(3)) {
                attributes.put("name", pick(List.of("a", "b", "r0")));
            }
            if (once(5)) {
                attributes.put("subresource", pick(List.of("status", "log", "scale")));
            }
        }
        if (once(4)) {
            spec.putObject("nonResourceAttributes")
                    .put("path", pick(List.of("/healthz", "/metrics/x", "/apis/a")))
                    .put("verb", "get");
        }
        String plural = own ? "selfsubjectaccessreviews" : "subjectaccessreviews";
        ObjectNode request = SamplePaths.request("POST", "/apis/authorization.k8s.io/v1/" + plural, body);
        return own ? as(request, namespace) : request;
    }
}
