package dev.sro.testkit.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.RecipeAccount;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whoever writes a recipe can do what the account may by whose rights it is applied, and not what SRO may. */
class RecipeAccountScenarioTest extends RecipeAccountWorld {
    private static final String ADMIN = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: everything}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
        subjects: [{kind: ServiceAccount, name: default, namespace: kmod}]
        """;
    private static final String CLASS = """
        {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: mine}, value: 5}
        """;
    private static final String ELSEWHERE =
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: kube-system}}";

    @Test
    void whatRecipesCommonlyNeedInTheirNamespaceNeedsNoGrant() {
        recipe(SETTINGS);
        awaitReady("kmod");

        assertThat(settings().getMetadata().getAnnotations()).containsEntry(MetadataKeys.ACCOUNT, "kmod/sro-recipe");
        assertThat(settings().getMetadata().getOwnerReferences().get(0).getBlockOwnerDeletion())
                .as("for that a right is needed, where it is policed")
                .isFalse();
        assertThat(sandbox.client()
                        .serviceAccounts()
                        .inNamespace("kmod")
                        .withName("sro-recipe")
                        .get())
                .isNotNull();
    }

    @Test
    void aRecipeDoesNotGiveItselfTheRightsOfTheOperator() {
        recipe(SETTINGS, ADMIN);
        sandbox.run(LIMIT);

        assertThat(settings()).isNotNull();
        assertThat(sandbox.client()
                        .rbac()
                        .clusterRoleBindings()
                        .withName("everything")
                        .get())
                .isNull();
        assertThat(reason()).isEqualTo("ForbiddenToRecipe");
        assertThat(message())
                .contains(
                        "ServiceAccount kmod/sro-recipe",
                        "may not get clusterrolebindings.rbac.authorization.k8s.io at the cluster scope",
                        "sro rbac --for special-resource.yaml");
    }

    @Test
    void aRecipeWritesIntoNoOtherNamespace() {
        recipe(ELSEWHERE);
        sandbox.run(LIMIT);

        assertThat(reason()).isEqualTo("ForbiddenToRecipe");
        assertThat(message()).contains("configmaps in namespace kube-system");
        assertThat(sandbox.client()
                        .configMaps()
                        .inNamespace("kube-system")
                        .withName("settings")
                        .get())
                .isNull();
    }

    @Test
    void aRecipeMarkedAsSomebodyElsesIsAppliedByItsOwnAccount() {
        recipe("""
            {apiVersion: v1, kind: ConfigMap, metadata: {name: settings, namespace: kube-system, annotations: {sro.dev/account: ""}}}
            """);
        sandbox.run(LIMIT);

        assertThat(reason()).isEqualTo("ForbiddenToRecipe");
    }

    @Test
    void whatIsGrantedIsDoneAndTakenAwayAgain() {
        recipe(SETTINGS, CLASS);
        sandbox.run(LIMIT);
        assertThat(reason()).isEqualTo("ForbiddenToRecipe");

        role(
                "classes",
                new PolicyRuleBuilder()
                        .withApiGroups("scheduling.k8s.io")
                        .withResources("priorityclasses")
                        .withVerbs("get", "create", "patch", "delete")
                        .build());
        sandbox.client()
                .resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("classes")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "classes")
                        .addNewSubject("", "ServiceAccount", "sro-recipe", "kmod")
                        .build())
                .create();
        awaitReady("kmod");

        sandbox.client().resources(SpecialResource.class).withName("kmod").delete();
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.get("kmod").isEmpty())).isTrue();
        assertThat(sandbox.client()
                        .scheduling()
                        .v1()
                        .priorityClasses()
                        .withName("mine")
                        .get())
                .isNull();
        assertThat(settings()).isNull();
        assertThat(sandbox.client()
                        .serviceAccounts()
                        .inNamespace("kmod")
                        .withName("sro-recipe")
                        .get())
                .as("the account goes last")
                .isNull();
    }

    @Test
    void anAccountThatIsNamedIsNotMade() {
        special("kmod", ", serviceAccountName: mine", SETTINGS);
        sandbox.run(LIMIT);

        assertThat(reason()).isEqualTo("ForbiddenToRecipe");
        assertThat(message()).contains("ServiceAccount kmod/mine");
        assertThat(sandbox.client().serviceAccounts().inNamespace("kmod").list().getItems())
                .noneMatch(account -> account.getMetadata().getName().equals("mine")
                        || account.getMetadata().getName().equals("sro-recipe"));
    }

    @Test
    void twoInOneNamespaceShareTheAccount() {
        recipe(SETTINGS);
        special("other", "", SETTINGS.replace("settings", "more"));
        awaitReady("kmod");
        awaitReady("other");

        sandbox.client().resources(SpecialResource.class).withName("kmod").delete();
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.get("kmod").isEmpty())).isTrue();
        sandbox.run(Duration.ofMinutes(5));
        special("other", "", SETTINGS.replace("settings", "fresh"));
        awaitReady("other");
        assertThat(sandbox.client()
                        .configMaps()
                        .inNamespace("kmod")
                        .withName("more")
                        .get())
                .as("still has the right to take away")
                .isNull();

        sandbox.client().resources(SpecialResource.class).withName("other").delete();
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.get("other").isEmpty()))
                .isTrue();
    }

    @Test
    void bothInOneNamespaceGoTogether() {
        recipe(SETTINGS);
        special("other", "", SETTINGS.replace("settings", "more"));
        awaitReady("kmod");
        awaitReady("other");

        sandbox.client().resources(SpecialResource.class).delete();

        assertThat(sandbox.runUntil(
                        LIMIT,
                        () -> sandbox.get("other").isEmpty()
                                && sandbox.get("kmod").isEmpty()))
                .as(() -> sandbox.get("kmod") + " " + sandbox.get("other"))
                .isTrue();
    }

    @Test
    void theNamespaceOfTheOperandsMayBeInTheRecipe() {
        Map<String, String> files = Map.of(
                "1000-state.yaml",
                "{apiVersion: v1, kind: Namespace, metadata: {name: operands, labels: {mine: really}}}\n---\n"
                        + SETTINGS);
        namespace("recipes");
        put(map("recipes", "kmod", files));
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: kmod}
            spec: {namespace: operands, recipe: {configMap: {name: kmod, namespace: recipes}}}
            """);
        awaitReady("kmod");

        assertThat(sandbox.client()
                        .namespaces()
                        .withName("operands")
                        .get()
                        .getMetadata()
                        .getLabels())
                .containsEntry("mine", "really");
    }

    @Test
    void theRecipeOfAnOperatorWithoutAccountsIsTakenOver() {
        sandbox.recipeAccount("");
        sandbox.kill();
        sandbox.start();
        recipe(SETTINGS);
        awaitReady("kmod");
        assertThat(settings().getMetadata().getAnnotations()).doesNotContainKey(MetadataKeys.ACCOUNT);

        sandbox.recipeAccount(RecipeAccount.DEFAULT);
        sandbox.kill();
        sandbox.start();
        sandbox.run(LIMIT);
        awaitReady("kmod");
        assertThat(settings().getMetadata().getAnnotations()).containsEntry(MetadataKeys.ACCOUNT, "kmod/sro-recipe");

        sandbox.recipeAccount("");
        sandbox.kill();
        sandbox.start();
        sandbox.run(LIMIT);
        awaitReady("kmod");
        assertThat(settings().getMetadata().getAnnotations())
                .as("and back: the administrator is alone")
                .doesNotContainKey(MetadataKeys.ACCOUNT);
        assertThat(sandbox.client()
                        .serviceAccounts()
                        .inNamespace("kmod")
                        .withName("sro-recipe")
                        .get())
                .isNull();
    }
}
