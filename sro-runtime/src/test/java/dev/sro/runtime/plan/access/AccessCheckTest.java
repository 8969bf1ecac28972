package dev.sro.runtime.plan.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.yaml.Yaml;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What would be refused, as the API server decides about roles, bindings and objects by name. */
class AccessCheckTest {

    private static final RecipeAccount ACCOUNT = new RecipeAccount("acme", "sro-recipe");
    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final List<PolicyRule> PODS = List.of(new PolicyRuleBuilder()
            .withApiGroups("")
            .withResources("pods")
            .withVerbs("get")
            .build());

    /** The API server: what is allowed, as "verb resource name namespace", and which roles there are. */
    private static final class Server implements Access {
        private final Set<String> allowed;
        private final Map<String, List<PolicyRule>> roles;
        private final List<Right> asked = new ArrayList<>();

        Server(Set<String> allowed, Map<String, List<PolicyRule>> roles) {
            this.allowed = allowed;
            this.roles = roles;
        }

        @Override
        public boolean may(RecipeAccount account, Right right) {
            asked.add(right);
            return allowed.contains("%s %s %s %s"
                            .formatted(right.verb(), right.what(), right.namespace(), "")
                            .strip())
                    || allowed.contains(right.verb() + " " + right.group());
        }

        @Override
        public Optional<List<PolicyRule>> role(String namespace, String name) {
            return Optional.ofNullable(roles.get(namespace + "/" + name));
        }

        @Override
        public Optional<String> plural(ObjectRef object) {
            return Optional.empty();
        }
    }

    private static Server server(Map<String, List<PolicyRule>> roles, String... allowed) {
        return new Server(Set.of(allowed), roles);
    }

    private static KubeObject object(String yaml) throws Exception {
        return KubeObject.of(Yaml.documents("test", yaml).get(0));
    }

    private static KubeObject binding(String kind, String role) throws Exception {
        return object("{apiVersion: " + RBAC + "/v1, kind: RoleBinding, metadata: {name: b, namespace: acme}, roleRef:"
                + " {apiGroup: " + RBAC + ", kind: " + kind + ", name: " + role + "}}");
    }

    private static List<String> refused(Access access, KubeObject... objects) {
        List<Intent> intents = new ArrayList<>();
        for (KubeObject object : objects) {
            intents.add(Intent.change(object, ACCOUNT));
        }
        return AccessCheck.check(access, intents, List.of()).refused().values().stream()
                .flatMap(List::stream)
                .map(Lack::right)
                .toList();
    }

    @Test
    void aRoleOfTheClusterIsBoundByWhoHasWhatItGives() throws Exception {
        KubeObject binding = binding("ClusterRole", "view");
        Map<String, List<PolicyRule>> roles = Map.of("/view", PODS);

        assertThat(refused(server(roles, "patch " + RBAC), binding)).containsExactly("get pods in namespace acme");
        assertThat(refused(server(roles, "patch " + RBAC, "get pods acme"), binding))
                .isEmpty();
    }

    @Test
    void whoMayBindARoleByItsNameMayBindThatOneAlone() throws Exception {
        Server server = server(Map.of(), "patch " + RBAC, "bind clusterroles." + RBAC + " view acme");

        assertThat(refused(server, binding("ClusterRole", "view"))).isEmpty();
        assertThat(refused(server, binding("ClusterRole", "edit")))
                .containsExactly("bind clusterroles." + RBAC + " edit in namespace acme");
    }

    @Test
    void aRoleOfTheRecipeIsReadAsItWillBe() throws Exception {
        KubeObject role =
                object("{apiVersion: " + RBAC + "/v1, kind: Role, metadata: {name: r, namespace: acme}, rules:"
                        + " [{apiGroups: [''], resources: [pods], verbs: [get]}]}");
        Map<String, List<PolicyRule>> before = Map.of("acme/r", List.of());

        assertThat(refused(server(before, "patch " + RBAC, "get pods acme"), role, binding("Role", "r")))
                .isEmpty();
        assertThat(refused(server(before, "patch " + RBAC), role, binding("Role", "r")))
                .containsExactly("get pods in namespace acme", "get pods in namespace acme");
    }

    @Test
    void whoMayEscalatePutsAnythingIntoARole() throws Exception {
        KubeObject role = object("{apiVersion: " + RBAC + "/v1, kind: ClusterRole, metadata: {name: r}, rules:"
                + " [{nonResourceURLs: [/metrics], verbs: [get]}]}");

        assertThat(refused(server(Map.of(), "patch " + RBAC), role))
                .containsExactly("get /metrics at the cluster scope");
        assertThat(refused(server(Map.of(), "patch " + RBAC, "escalate " + RBAC), role))
                .isEmpty();
    }

    @Test
    void whatIsBoundToTheAccountFirstCountsAndNobodyIsAskedAboutIt() throws Exception {
        Server server = server(Map.of("/" + AccountManifests.ROLE, PODS));
        KubeObject pod = object("{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: acme}}");
        Intent reads = new Intent(pod.ref(), ACCOUNT, List.of("get"), pod);

        assertThat(AccessCheck.check(server, List.of(reads), List.of(AccountManifests.binding(ACCOUNT)))
                        .refused())
                .isEmpty();
        assertThat(server.asked).isEmpty();
        assertThat(AccessCheck.check(server, List.of(reads), List.of()).refused())
                .containsOnlyKeys(pod.ref());
        assertThat(server.asked).extracting(Right::name).containsExactly("", "p");
    }

    @Test
    void kindsThatTheRecipeDefinesAreNamedAsTheirDefinitionSays() throws Exception {
        KubeObject definition = object("{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata:"
                + " {name: mice.acme.com}, spec: {group: acme.com, names: {kind: Mouse, plural: mice}}}");
        KubeObject mouse = object("{apiVersion: acme.com/v1, kind: Mouse, metadata: {name: m, namespace: acme}}");

        assertThat(refused(server(Map.of(), "patch apiextensions.k8s.io"), definition, mouse))
                .containsExactly("patch mice.acme.com in namespace acme");
    }
}
