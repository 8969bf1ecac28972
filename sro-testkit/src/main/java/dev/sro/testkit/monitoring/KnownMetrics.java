package dev.sro.testkit.monitoring;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Metrics that there are, with their labels: what an expression can be held against. Immutable. */
public final class KnownMetrics {

    /** Labels of every series that is scraped by way of a Service. */
    public static final Set<String> TARGET_LABELS =
            Set.of("job", "instance", "namespace", "pod", "container", "service", "endpoint", "node");

    private final Map<String, Set<String>> labels;

    private KnownMetrics(Map<String, Set<String>> labels) {
        this.labels = Map.copyOf(labels);
    }

    /** Nothing but {@code up}. */
    public static KnownMetrics none() {
        return new KnownMetrics(Map.of("up", TARGET_LABELS));
    }

    /** These as well, each with these labels beside {@link #TARGET_LABELS}. */
    public KnownMetrics and(Collection<String> metrics, String... theirs) {
        Map<String, Set<String>> all = new LinkedHashMap<>(labels);
        Set<String> own = new LinkedHashSet<>(TARGET_LABELS);
        own.addAll(List.of(theirs));
        metrics.forEach(metric -> all.merge(metric, Set.copyOf(own), KnownMetrics::union));
        return new KnownMetrics(all);
    }

    private static Set<String> union(Set<String> a, Set<String> b) {
        Set<String> both = new LinkedHashSet<>(a);
        both.addAll(b);
        return Set.copyOf(both);
    }

    /** Names of all metrics. */
    public Set<String> names() {
        return labels.keySet();
    }

    /** What an expression asks for and does not get; empty when all of it is there. */
    public List<String> missing(String expression) {
        PromQuery query;
        try {
            query = PromQuery.of(expression);
        } catch (IllegalArgumentException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
        List<String> missing = new ArrayList<>();
        for (PromQuery.Use use : query.uses()) {
            Set<String> there = labels.get(use.metric());
            if (there == null) {
                missing.add("nothing emits " + use.metric());
                continue;
            }
            Set<String> wanted = new LinkedHashSet<>(use.labels());
            wanted.removeAll(query.addedLabels());
            wanted.removeAll(there);
            wanted.forEach(label -> missing.add(use.metric() + " has no label " + label));
        }
        return missing;
    }

    /** Whether one of the metrics of an expression has a label, or the expression brings it in. */
    boolean reaches(String expression, String label) {
        PromQuery query = PromQuery.of(expression);
        return query.addedLabels().contains(label)
                || query.uses().stream()
                        .anyMatch(use ->
                                labels.getOrDefault(use.metric(), Set.of()).contains(label));
    }
}
