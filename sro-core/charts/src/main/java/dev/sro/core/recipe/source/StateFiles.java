package dev.sro.core.recipe.source;

import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.core.model.Code;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Port: where numbered manifests with Go templates are, the recipes of the first generations of the Special Resource Operator: a
 * ConfigMap or a directory. Answers from memory and never waits for the cluster. Implementations are thread-safe.
 */
public interface StateFiles {

    /** What is known of the files of a special resource now. */
    sealed interface Answer permits Found, Pending, Failed {
        /** What comes of it, in each of the cases that there are. */
        <R> R map(Function<Found, R> found, Function<Pending, R> pending, Function<Failed, R> failed);
    }

    /**
     * The files are there.
     *
     * @param from what messages call the place: {@code ConfigMap recipes/0000-acme}
     * @param files text by name; a name is {@code NNNN-name.yaml}, or {@code state-name/file.yaml} in a directory of folders
     * @param nodeFeature key of the label that a node must have with the value {@code true}; empty for none
     * @param hardware what the recipe calls the hardware; empty for the name of the special resource
     * @param rerendered whether what the templates make is a template again, so that fields of the special resource may be ones
     * @param placeholders values for words in objects that ask for them with the annotation {@code callback}
     * @param warnings what the user should know
     */
    record Found(
            String from,
            SortedMap<String, String> files,
            String nodeFeature,
            String hardware,
            boolean rerendered,
            Map<String, String> placeholders,
            List<String> warnings)
            implements Answer {
        /** Copies. */
        public Found {
            files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
            placeholders = Map.copyOf(placeholders);
            warnings = List.copyOf(warnings);
        }

        @Override
        public <R> R map(Function<Found, R> found, Function<Pending, R> pending, Function<Failed, R> failed) {
            return found.apply(this);
        }
    }

    /**
     * It is being looked for; the special resource is reconciled again when that is over.
     *
     * @param from where, for people
     */
    record Pending(String from) implements Answer {
        @Override
        public <R> R map(Function<Found, R> found, Function<Pending, R> pending, Function<Failed, R> failed) {
            return pending.apply(this);
        }
    }

    /**
     * There are none.
     *
     * @param problem why
     */
    record Failed(Problem problem) implements Answer {
        @Override
        public <R> R map(Function<Found, R> found, Function<Pending, R> pending, Function<Failed, R> failed) {
            return failed.apply(this);
        }
    }

    /** For embedders that run plugins or charts only. */
    StateFiles NONE = context -> new Failed(Problem.user(
            Code.NO_RECIPE.text(),
            "spec: a recipe is needed: set spec.plugin.name to a plugin"
                    + " (recipes in ConfigMaps and directories are switched off here)"));

    /** The files of this special resource. */
    Answer find(RecipeContext context);
}
