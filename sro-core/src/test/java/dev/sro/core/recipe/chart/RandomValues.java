package dev.sro.core.recipe.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.chart.ChartExpectation.Thing;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** What templates made at random when an object was made first, by its uid; it stays whatever others make. Not thread-safe. */
final class RandomValues {
    private final Map<String, String> made = new TreeMap<>();

    /** What is wanted of a thing, with what is random in the object that is there, which has to be what it was. */
    Map<String, Object> in(Thing thing, KubeObject live) {
        Map<String, Object> tree = ValueTrees.mutableCopy(thing.tree());
        if (ValueTrees.map(tree, "data").containsKey("random")) {
            String value = ValueTrees.text(live.tree(), "data", "random");
            assertThat(value).as("random value of " + thing.name()).matches("[A-Za-z0-9]{9}");
            assertThat(made.getOrDefault(live.uid(), value))
                    .as("random value of " + thing.name())
                    .isEqualTo(value);
            ValueTrees.ensureMap(tree, "data").put("random", value);
        }
        return tree;
    }

    /** Keeps what is there for the next look. */
    void remember(Collection<KubeObject> objects) {
        objects.forEach(live -> {
            String value = ValueTrees.text(live.tree(), "data", "random");
            if (!value.isEmpty()) {
                made.putIfAbsent(live.uid(), value);
            }
        });
    }
}
