package dev.sro.core.recipe.chart;

import dev.sro.api.Problem;
import dev.sro.core.recipe.gotemplate.FieldReference;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The values that rendered files read and nobody defined: they come out empty, which is seldom meant. Immutable. */
final class UndefinedValues {

    private final SortedMap<String, Set<String>> messages;

    private UndefinedValues(SortedMap<String, Set<String>> messages) {
        this.messages = messages;
    }

    /**
     * Compares reads with values.
     *
     * @param reads of the chart
     * @param given values from outside of the chart
     * @param rendered paths of the files that came out
     */
    static UndefinedValues of(Chart chart, ValueReads reads, Map<String, Object> given, Set<String> rendered) {
        SortedMap<String, Set<String>> messages = new TreeMap<>();
        collect(chart.name(), chart, ChartValues.effective(chart, given), reads, rendered, messages);
        return new UndefinedValues(messages);
    }

    /** Each with file, line and name; sorted by file. */
    List<String> warnings() {
        return messages.values().stream().flatMap(Set::stream).toList();
    }

    /** By file, for those who do not want any. */
    SortedMap<String, Problem> problems(Chart chart) {
        SortedMap<String, Problem> problems = new TreeMap<>();
        messages.forEach((file, lines) -> problems.put(
                file,
                Problem.user(
                        "UndefinedValue",
                        "chart " + chart.label() + ": " + String.join("; ", lines)
                                + "; set it in spec.set, or correct the chart")));
        return problems;
    }

    private static void collect(
            String path,
            Chart chart,
            Map<String, ?> values,
            ValueReads reads,
            Set<String> rendered,
            SortedMap<String, Set<String>> messages) {
        // What is lifted out of charts inside is not known here.
        boolean lifts = chart.metadata().dependencies().stream().anyMatch(ChartMetadata.Dependency::importsValues);
        if (!lifts) {
            for (ChartFile file : chart.templates()) {
                String name = path + "/" + file.path();
                Set<String> lines = reads.byFile().getOrDefault(name, List.of()).stream()
                        .filter(read -> read.requires().stream().allMatch(required -> isDefined(values, required)))
                        .filter(read -> !isDefined(values, read.path()))
                        .map(read -> read.position() + ": .Values." + String.join(".", read.path())
                                + " is not defined and renders empty")
                        .collect(Collectors.toCollection(LinkedHashSet::new));
                if (!lines.isEmpty() && rendered.contains(name)) {
                    messages.put(name, lines);
                }
            }
        }
        for (Chart inside : chart.subcharts()) {
            for (String name : ChartNames.ofValues(chart, inside)) {
                if (values.get(name) instanceof Map<?, ?> own) {
                    collect(path + "/charts/" + name, inside, cast(own), reads, rendered, messages);
                }
            }
        }
    }

    private static boolean isDefined(@Nullable Object value, List<String> path) {
        if (value == null) {
            return false;
        }
        if (path.isEmpty()) {
            return true;
        }
        List<String> rest = path.subList(1, path.size());
        if (path.get(0).equals(FieldReference.ELEMENT)) {
            Collection<?> elements = value instanceof Map<?, ?> map
                    ? map.values()
                    : value instanceof Collection<?> list ? list : List.of();
            // Of nothing, nothing is read.
            return elements.isEmpty() || elements.stream().anyMatch(element -> isDefined(element, rest));
        }
        // A name below something that is no map is an error that the engine reports.
        return !(value instanceof Map<?, ?> map) || isDefined(map.get(path.get(0)), rest);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, ?> cast(Map<?, ?> map) {
        return (Map<String, ?>) map;
    }
}
