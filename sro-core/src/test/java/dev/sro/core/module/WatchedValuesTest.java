package dev.sro.core.module;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Problem;
import dev.sro.api.resource.ModuleSelector;
import dev.sro.api.resource.ModuleWatch;
import dev.sro.core.model.KubeObject;
import dev.sro.core.yaml.Yaml;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchedValuesTest {
    private final List<Problem> problems = new ArrayList<>();

    private static KubeObject object(String name, String more) {
        return KubeObject.of(Yaml.documents("test", """
            apiVersion: example.com/v1
            kind: Thing
            metadata: {name: %s, namespace: ns}
            %s
            """.formatted(name, more)).get(0));
    }

    private static ModuleWatch watch(String path, ModuleSelector... selectors) {
        ModuleWatch watch = new ModuleWatch();
        watch.setApiVersion("example.com/v1");
        watch.setKind("Thing");
        watch.setPath(path);
        watch.setSelector(List.of(selectors));
        return watch;
    }

    private static ModuleSelector selector(String path, String value, boolean exclude) {
        ModuleSelector selector = new ModuleSelector();
        selector.setPath(path);
        selector.setValue(value);
        selector.setExclude(exclude);
        return selector;
    }

    /** F9. */
    @Test
    void orderAndRepetitionDoNotCount() {
        List<KubeObject> one = List.of(object("a", "v: [x, 'y']"), object("b", "v: x"));
        List<KubeObject> other = List.of(object("b", "v: ['y', x]"), object("c", "v: 'y'"));

        assertThat(WatchedValues.values(watch("$.v"), one, problems))
                .isEqualTo(WatchedValues.values(watch("$.v"), other, problems))
                .containsExactly("x", "y");
        assertThat(problems).isEmpty();
    }

    @Test
    void whatIsNoTextIsSaidAndTheOthersCount() {
        assertThat(WatchedValues.values(watch("$.v"), List.of(object("a", "v: [x, 3, {k: z}]")), problems))
                .containsExactly("x");
        assertThat(problems).hasSize(2).allSatisfy(problem -> {
            assertThat(problem.code()).isEqualTo("InvalidWatch");
            assertThat(problem.message()).contains("Thing", "ns/a");
        });
    }

    @Test
    void oneSelectorHasToFitAndNoneThatExcludes() {
        List<KubeObject> all =
                List.of(object("a", "v: a\nenv: prod"), object("b", "v: b\nenv: test"), object("c", "v: c\nenv: dev"));
        ModuleSelector prod = selector("$.env", "prod", false);
        ModuleSelector test = selector("$.env", "test", false);
        ModuleSelector notB = selector("$.metadata.name", "b", true);

        assertThat(WatchedValues.values(watch("$.v", prod, test), all, problems))
                .containsExactly("a", "b");
        assertThat(WatchedValues.values(watch("$.v", prod, test, notB), all, problems))
                .containsExactly("a");
        assertThat(WatchedValues.values(watch("$.v", notB), all, problems)).containsExactly("a", "c");
    }

    @Test
    void nameAndNamespaceNarrow() {
        ModuleWatch named = watch("$.v");
        named.setName("a");
        ModuleWatch elsewhere = watch("$.v");
        elsewhere.setNamespace("other");
        List<KubeObject> all = List.of(object("a", "v: a"), object("b", "v: b"));

        assertThat(WatchedValues.values(named, all, problems)).containsExactly("a");
        assertThat(WatchedValues.values(elsewhere, all, problems)).isEmpty();
    }
}
