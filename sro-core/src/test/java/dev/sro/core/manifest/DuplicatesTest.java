package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.fixture.Recipes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.Recipe;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** One object in several states of a recipe whose original applied one after the other. */
class DuplicatesTest {

    private static final String NAMESPACE = """
        apiVersion: v1
        kind: Namespace
        metadata: {name: shared, labels: {from: %s}}
        """;

    private static final String CONFIG = """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: own-%s}
        """;

    private static final String DAEMON_SET = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: ds}
        spec:
          selector: {matchLabels: {app: ds}}
          template:
            metadata: {labels: {app: ds}}
            spec: {containers: [{name: c, image: "registry.example.com/i:%s"}]}
        """;

    private static Recipe recipe(String... texts) {
        Map<String, String> files = new TreeMap<>();
        for (int i = 0; i < texts.length; i++) {
            files.put(i + "000-state.yaml", texts[i]);
        }
        return Recipes.files(Recipes.resource("kmod"), Resources.CLUSTER, files);
    }

    private static List<String> names(DesiredState state) {
        return Recipes.objects(List.of(state)).stream()
                .map(object -> object.ref().name())
                .toList();
    }

    @Test
    void equalOnesAreOneInTheFirstState() {
        Recipe recipe = recipe(
                NAMESPACE.formatted("a"),
                NAMESPACE.formatted("a") + "---\n" + CONFIG.formatted("b"),
                NAMESPACE.formatted("a"));
        List<DesiredState> states = Recipes.rendered(recipe);
        assertThat(states).allMatch(DesiredState::isComplete);
        assertThat(names(states.get(0))).containsExactly("shared");
        assertThat(names(states.get(1))).containsExactly("own-b");
        assertThat(names(states.get(2))).isEmpty();
        assertThat(recipe.warnings()).isEmpty();
    }

    /** They differ by the label of the state before, which is none of the recipe's. */
    @Test
    void equalDaemonSetsAreOneInTheFirstState() {
        Recipe recipe =
                recipe(DAEMON_SET.formatted("a"), CONFIG.formatted("x"), DAEMON_SET.formatted("a"), "# nothing\n");
        List<DesiredState> states = Recipes.rendered(recipe);
        assertThat(names(states.get(0))).containsExactly("ds");
        assertThat(names(states.get(2))).isEmpty();
        assertThat(recipe.warnings()).isEmpty();
    }

    @Test
    void ofUnequalOnesTheLaterCountsFromTheFirstStateOnWithAWarning() {
        Recipe recipe = recipe(NAMESPACE.formatted("a"), CONFIG.formatted("x"), NAMESPACE.formatted("b"));
        List<DesiredState> states = Recipes.rendered(recipe);
        assertThat(states).allMatch(DesiredState::isComplete);
        KubeObject namespace = Recipes.objects(List.of(states.get(0))).get(0);
        assertThat(namespace.label("from")).contains("b");
        assertThat(namespace.annotation(MetadataKeys.STATE)).contains("0000-state");
        assertThat(AppliedDigest.stamp(namespace.edit(tree ->
                        ValueTrees.ensureMap(tree, "metadata", "annotations").remove(MetadataKeys.APPLIED))))
                .isEqualTo(namespace);
        assertThat(names(states.get(2))).isEmpty();
        assertThat(recipe.warnings()).singleElement().asString().contains("Namespace", "0000-state", "2000-state");
    }

    @Test
    void aWorkloadOfWhichTheLaterCountsComesInTheLaterState() {
        Recipe recipe = recipe(DAEMON_SET.formatted("1"), CONFIG.formatted("x"), DAEMON_SET.formatted("2"));
        List<DesiredState> states = Recipes.rendered(recipe);
        assertThat(names(states.get(0))).isEmpty();
        assertThat(names(states.get(2))).containsExactly("ds");
        assertThat(recipe.warnings()).hasSize(1);
    }

    @Test
    void twiceInOneStateTheLaterCounts() {
        Recipe recipe = recipe(NAMESPACE.formatted("a") + "---\n" + NAMESPACE.formatted("b"));
        List<DesiredState> states = Recipes.rendered(recipe);
        assertThat(states.get(0).isComplete()).isTrue();
        assertThat(Recipes.objects(states))
                .singleElement()
                .satisfies(object -> assertThat(object.label("from")).contains("b"));
        assertThat(recipe.warnings()).singleElement().asString().contains("0000-state", "Namespace");
    }

    @Test
    void aKeyThatIsThereTwiceIsAWarningOfTheRecipe() {
        Recipe recipe = recipe(CONFIG.formatted("x") + "data: {a: '1'}\ndata: {a: '2'}\n");
        assertThat(Recipes.objects(Recipes.rendered(recipe)).get(0).map("data")).containsEntry("a", "2");
        assertThat(recipe.warnings()).singleElement().asString().contains("0000-state.yaml, line 5", "data");
    }
}
