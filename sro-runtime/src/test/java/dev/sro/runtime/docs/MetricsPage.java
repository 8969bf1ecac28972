package dev.sro.runtime.docs;

import dev.sro.agent.metrics.AgentMetrics;
import dev.sro.core.claim.PodExplanation.State;
import dev.sro.runtime.allocator.MoveMetrics;
import dev.sro.runtime.operator.MetricSample;
import dev.sro.runtime.waiting.ExplainerMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The page with all metrics of the operator, of the agent, of the allocator and of what tells why pods wait. Stateless. */
final class MetricsPage {
    private static final Pattern ABOUT = Pattern.compile("# (HELP|TYPE) (\\S+) (.*)");
    private static final Pattern SERIES = Pattern.compile("(sro_\\w+)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"[^\"]*\"");

    private MetricsPage() {}

    /** Of the operator, by name: what a scrape says of each, with the labels of its series. */
    static List<AgentMetrics.Metric> ofTheOperator() {
        return of(MetricSample.text());
    }

    /** Likewise of what tells why pods wait. */
    static List<AgentMetrics.Metric> ofTheExplainer() {
        ExplainerMetrics metrics = new ExplainerMetrics(() -> true);
        metrics.explained(State.NO_ROOM);
        metrics.wrote("event", true);
        metrics.waiting(Map.of(State.NO_ROOM, 1));
        return of(metrics.text());
    }

    private static List<AgentMetrics.Metric> of(String scrape) {
        Map<String, String> help = new TreeMap<>();
        Map<String, String> type = new TreeMap<>();
        Map<String, Set<String>> labels = new TreeMap<>();
        scrape.lines().forEach(line -> {
            Matcher about = ABOUT.matcher(line);
            Matcher series = SERIES.matcher(line);
            if (about.matches()) {
                (about.group(1).equals("HELP") ? help : type).put(about.group(2), about.group(3));
            } else if (series.matches()) {
                String name = series.group(1).replaceFirst("_seconds_(count|sum)$", "_seconds");
                Set<String> names = labels.computeIfAbsent(name, key -> new TreeSet<>());
                if (series.group(2) != null) {
                    LABEL.matcher(series.group(2)).results().forEach(label -> names.add(label.group(1)));
                }
            }
        });
        List<AgentMetrics.Metric> metrics = new ArrayList<>();
        labels.forEach((name, names) -> {
            String kind = type.getOrDefault(name, "untyped");
            String text = help.getOrDefault(name, "");
            metrics.add(new AgentMetrics.Metric(name, kind, text, List.copyOf(names)));
        });
        return metrics;
    }

    static String write() {
        return """
                # Metrics

                All metrics of SRO's own, with what Prometheus is told of them; it is written from the code. Names and labels are a contract: they stay. Where they are served, and to whom: [the operator's](../admins/operator.md#probes-and-metrics), [the agent's](../slicing/agent.md#events-and-metrics), [the allocator's](../slicing/authoritative.md#making-room), [the explainer's](../slicing/dra.md#told-without-being-asked). Alerts on them: [Monitoring](../admins/monitoring.md).

                ## Of the operator

                %s
                Of a summary there are `_count` and `_sum`; its longest of late is a gauge of its own, `_max`. Besides there is what the JVM says of itself, with names that begin with `jvm_`, `process_` or `system_`.

                ## Of the agent

                %s
                ## Of the allocator

                %s
                ## Of the explainer

                %s
                """.formatted(
                        table(ofTheOperator()),
                        table(new AgentMetrics().all()),
                        table(of(MoveMetrics.text())),
                        table(ofTheExplainer()).stripTrailing());
    }

    private static String table(List<AgentMetrics.Metric> metrics) {
        return metrics.stream()
                .map(metric -> "| `" + metric.name() + "` | " + metric.type() + " | "
                        + metric.labels().stream()
                                .map(label -> "`" + label + "`")
                                .collect(Collectors.joining(", "))
                        + " | " + metric.help() + " |\n")
                .collect(Collectors.joining("", "| metric | type | labels | what it is |\n|---|---|---|---|\n", ""));
    }
}
