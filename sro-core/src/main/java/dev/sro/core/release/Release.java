package dev.sro.core.release;

import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.ChartRelease;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.yaml.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What shall be released: the chart as it came out. Immutable.
 *
 * @param chart the chart and its values
 * @param states what came of it
 * @param key digest of chart, values and hooks that are not kernel-affine
 * @param digest of everything
 */
public record Release(ChartRelease chart, List<DesiredState> states, String key, String digest) {

    /** Copies the states. */
    public Release {
        states = List.copyOf(states);
    }

    /**
     * The release of a recipe.
     *
     * @param states all of the recipe's, as they were rendered
     * @return empty when the recipe is no chart, or not all of it could be rendered: then it is not known what to release
     */
    public static Optional<Release> of(Recipe recipe, List<DesiredState> states) {
        return recipe.release()
                .filter(chart -> states.stream().allMatch(DesiredState::isComplete))
                .map(chart -> of(chart, states));
    }

    private static Release of(ChartRelease chart, List<DesiredState> states) {
        List<Object> hooks = new ArrayList<>();
        List<Object> all = new ArrayList<>();
        for (DesiredState state : states) {
            for (DesiredHook hook : state.hooks()) {
                String line = hook.state() + " " + hook.object().ref() + " " + hook.digest();
                all.add(line);
                if (hook.pool().isEmpty()) {
                    hooks.add(line);
                }
            }
            state.shared().forEach(object -> all.add(line(object)));
            new TreeMap<>(state.byPool()).values().forEach(own -> own.forEach(object -> all.add(line(object))));
        }
        String key = ValueTrees.digest(Map.of(
                "chart", chart.digest(),
                "metadata", Json.text(chart.metadata()),
                "values", Json.text(chart.config()),
                "hooks", hooks));
        return new Release(chart, states, key, ValueTrees.digest(Map.of("key", key, "objects", all)));
    }

    private static String line(Desired desired) {
        return desired.state() + " " + desired.object().ref() + " "
                + desired.object().annotation(MetadataKeys.APPLIED).orElse("");
    }

    /** The name of a release for this special resource: its own, or when that is too long for Helm, its beginning with a hash. */
    public static String name(String specialResource) {
        return MetadataKeys.releaseName(specialResource);
    }

    /** Every hook, in the order of the states. */
    public List<DesiredHook> hooks() {
        return states.stream().flatMap(state -> state.hooks().stream()).toList();
    }
}
