package dev.sro.testkit.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Ways around the account of a recipe: what SRO writes by its own rights because a recipe asks for it. */
class RecipeEscapesScenarioTest extends RecipeAccountWorld {
    private static final String DAEMON_SET = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: mine, annotations: {sro.dev/ready-label: %s}}
        spec:
          selector: {matchLabels: {app: mine}}
          template:
            metadata: {labels: {app: mine}}
            spec: {containers: [{name: c, image: "registry.example.com/c:1"}]}
        """;
    private static final String OWN = "specialresource.openshift.io/mine";
    private static final String INFRA = "node-role.kubernetes.io/infra";

    private Map<String, String> namespaceLabels() {
        return sandbox.client()
                .namespaces()
                .withName("operands")
                .get()
                .getMetadata()
                .getLabels();
    }

    private void inNamespaceOfItsOwn(String recipe) {
        namespace("recipes");
        put(map("recipes", "kmod", Map.of("1000-state.yaml", recipe)));
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: kmod}
            spec: {namespace: operands, recipe: {configMap: {name: kmod, namespace: recipes}}}
            """);
    }

    @Test
    void aRecipeGivesNodesNoLabelsOfOthers() {
        recipe(DAEMON_SET.formatted(INFRA));
        sandbox.run(LIMIT);

        assertThat(label("one", INFRA)).isEqualTo("null");
        assertThat(reason()).isEqualTo("ReadyLabelNotAllowed");
        assertThat(message()).contains("DaemonSet mine", INFRA, "specialresource.openshift.io/<name>");
    }

    @Test
    void anEditedDaemonSetGivesNodesNoLabelsOfOthers() {
        recipe(DAEMON_SET.formatted(OWN));
        awaitReady("kmod");
        assertThat(label("one", OWN)).isEqualTo("ready");

        put(map("kmod", "kmod", Map.of("1000-state.yaml", DAEMON_SET.formatted(INFRA))));
        sandbox.run(LIMIT);
        sandbox.client()
                .apps()
                .daemonSets()
                .inNamespace("kmod")
                .withName("mine")
                .edit(set -> {
                    set.getMetadata().getAnnotations().put("sro.dev/ready-label", INFRA);
                    return set;
                });
        sandbox.run(LIMIT);

        assertThat(label("one", INFRA)).isEqualTo("null");
    }

    @Test
    void whatDecidesWhatPodsMayDoIsNotTakenFromARecipe() {
        inNamespaceOfItsOwn("""
            apiVersion: v1
            kind: Namespace
            metadata:
              name: operands
              finalizers: [example.com/for-ever]
              labels:
                mine: really
                app.kubernetes.io/part-of: mine
                openshift.io/cluster-monitoring: "true"
                pod-security.kubernetes.io/enforce: privileged
                openshift.io/run-level: "0"
                resource.kubernetes.io/admin-access: "true"
                istio-injection: disabled
              annotations: {openshift.io/node-selector: ""}
            ---
            """ + SETTINGS);
        awaitReady("kmod");

        assertThat(namespaceLabels())
                .containsEntry("mine", "really")
                .containsEntry("app.kubernetes.io/part-of", "mine")
                .containsEntry("openshift.io/cluster-monitoring", "true")
                .doesNotContainKeys(
                        "pod-security.kubernetes.io/enforce",
                        "openshift.io/run-level",
                        "resource.kubernetes.io/admin-access",
                        "istio-injection");
        assertThat(sandbox.client().namespaces().withName("operands").get().getMetadata())
                .satisfies(metadata -> assertThat(metadata.getFinalizers()).isEmpty())
                .satisfies(metadata ->
                        assertThat(metadata.getAnnotations()).doesNotContainKey("openshift.io/node-selector"));
        assertThat(condition("kmod", "Warning").orElseThrow().getMessage())
                .contains("kubectl label namespace operands istio-injection=disabled");
    }

    @Test
    void whatAnAdministratorPutOnTheNamespaceStays() {
        inNamespaceOfItsOwn("{apiVersion: v1, kind: Namespace, metadata: {name: operands}}\n---\n" + SETTINGS);
        awaitReady("kmod");
        sandbox.client().namespaces().withName("operands").edit(namespace -> {
            namespace.getMetadata().getLabels().put("pod-security.kubernetes.io/enforce", "privileged");
            return namespace;
        });
        sandbox.run(LIMIT);

        assertThat(namespaceLabels()).containsEntry("pod-security.kubernetes.io/enforce", "privileged");
    }

    @Test
    void aTemplateOfClaimsOpensNoNamespaceForAdminAccess() {
        recipe(SETTINGS, """
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata: {name: everything}
            spec: {spec: {devices: {requests: [{name: all, exactly: {deviceClassName: gpu, adminAccess: true}}]}}}
            """);
        sandbox.run(LIMIT);

        assertThat(settings()).isNotNull();
        assertThat(Optional.ofNullable(sandbox.client()
                        .namespaces()
                        .withName("kmod")
                        .get()
                        .getMetadata()
                        .getLabels()))
                .satisfies(labels ->
                        assertThat(labels.orElse(Map.of())).doesNotContainKey("resource.kubernetes.io/admin-access"));
    }

    @Test
    void noAccountIsMadeAmongThoseOfTheCluster() {
        put(map("kube-system", "kmod", Map.of("1000-state.yaml", SETTINGS)));
        String special = """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: kmod}
            spec: {namespace: kube-system%s}
            """;
        sandbox.apply(special.formatted(""));
        sandbox.run(LIMIT);

        assertThat(reason()).isEqualTo("NamespaceReserved");
        assertThat(message()).contains("spec.namespace: \"kube-system\"", "spec.serviceAccountName");
        assertThat(sandbox.client()
                        .serviceAccounts()
                        .inNamespace("kube-system")
                        .withName("sro-recipe")
                        .get())
                .isNull();

        sandbox.apply(special.formatted(", serviceAccountName: mine"));
        sandbox.run(LIMIT);
        assertThat(reason()).as("who names one knows what it may").isEqualTo("ForbiddenToRecipe");
    }

    @Test
    void aRecipeDoesNotChangeItsOwnAccount() {
        recipe(SETTINGS, """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: sro-recipe-rights}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: special-resource-operator-recipes}
            subjects: [{kind: ServiceAccount, name: somebody, namespace: elsewhere}]
            """);
        sandbox.run(LIMIT);

        assertThat(sandbox.client()
                        .rbac()
                        .roleBindings()
                        .inNamespace("kmod")
                        .withName("sro-recipe-rights")
                        .get()
                        .getSubjects())
                .extracting(subject -> subject.getName())
                .containsExactly("sro-recipe");
        assertThat(reason()).isEqualTo("DuplicateObject");
        assertThat(settings()).isNotNull();
    }
}
