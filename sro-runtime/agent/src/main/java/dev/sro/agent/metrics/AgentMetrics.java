package dev.sro.agent.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Counts, gauges and times of the agent, and their text. Names and labels are in {@code docs/reference/metrics.md}. Thread-safe. */
public final class AgentMetrics {
    private static final double[] SECONDS = {0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30};
    private static final double NANOS = 1e9;

    /** A label with its value, which may have quotes behind a backslash. */
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"(?:[^\"\\\\]|\\\\.)*\"");

    private final Map<String, Family> families = new TreeMap<>();

    /**
     * What is said of a metric, whether or not there is a value. Immutable.
     *
     * @param type as Prometheus names it
     * @param help one sentence
     * @param labels names, in their order; none where there is one value
     */
    public record Metric(String name, String type, String help, List<String> labels) {
        /** Copies. */
        public Metric {
            labels = List.copyOf(labels);
        }
    }

    /** Of one name: values by labels. */
    private static final class Family {
        final Metric metric;
        final Map<String, double[]> values = new TreeMap<>();

        Family(Metric metric) {
            this.metric = metric;
        }
    }

    /** With all names, so that they are there before anything happened. */
    public AgentMetrics() {
        define(
                "sro_agent_device_seconds",
                "histogram",
                "How long calls of the driver took, by operation.",
                "operation");
        define(
                "sro_agent_device_failures_total",
                "counter",
                "Calls of the driver that failed, by operation and kind.",
                "operation",
                "kind");
        define(
                "sro_agent_refusals_total",
                "counter",
                "Claims that did not get what they were allocated, by reason.",
                "reason");
        define("sro_agent_repairs_total", "counter", "What was put right.");
        define("sro_agent_not_repaired", "gauge", "What could not be put right in the last look.");
        define("sro_agent_quarantined", "gauge", "Slices that are nobody's and could not be destroyed.");
        define("sro_agent_gpus_ill", "gauge", "GPUs that take nothing new because of an error.");
        define(
                "sro_agent_free_places",
                "gauge",
                "Places that can be had now, by profile; they may overlap.",
                "profile");
        define("sro_agent_free_units", "gauge", "Memory units of GPUs that nobody has.");
        define(
                "sro_agent_fragmentation_ratio",
                "gauge",
                "Share of the free memory units that the widest slice which fits on each GPU leaves over.");
        add("sro_agent_repairs_total", "", 0);
    }

    private void define(String name, String type, String help, String... labels) {
        families.put(name, new Family(new Metric(name, type, help, List.of(labels))));
    }

    /** All metrics, by name. */
    public List<Metric> all() {
        return families.values().stream().map(family -> family.metric).toList();
    }

    private Family family(String name, String labels) {
        Family family = families.get(name);
        if (family == null) {
            throw new IllegalArgumentException(name);
        }
        List<String> names =
                LABEL.matcher(labels).results().map(found -> found.group(1)).toList();
        if (!names.equals(family.metric.labels())) {
            throw new IllegalArgumentException(name + " has the labels " + family.metric.labels() + ", not " + names);
        }
        return family;
    }

    /** A label and its value, as text. */
    public static String label(String name, String value) {
        return name + "=\"" + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    /**
     * Adds to a counter.
     *
     * @param labels {@link #label}s with commas between, or nothing
     */
    public synchronized void add(String name, String labels, double amount) {
        family(name, labels).values.computeIfAbsent(labels, key -> new double[1])[0] += amount;
    }

    /** Has a gauge with these values by labels, and no others. */
    public synchronized void set(String name, Map<String, Double> values) {
        values.keySet().forEach(labels -> family(name, labels));
        Family family = families.get(name);
        if (family == null) {
            throw new IllegalArgumentException(name);
        }
        family.values.clear();
        values.forEach((labels, value) -> family.values.put(labels, new double[] {value}));
    }

    /** As the other one, without labels. */
    public void set(String name, double value) {
        set(name, Map.of("", value));
    }

    /** Measured one time. */
    public synchronized void observe(String name, String labels, Duration time) {
        double[] buckets = family(name, labels).values.computeIfAbsent(labels, key -> new double[SECONDS.length + 2]);
        double seconds = time.toNanos() / NANOS;
        for (int i = 0; i < SECONDS.length; i++) {
            buckets[i] += seconds <= SECONDS[i] ? 1 : 0;
        }
        buckets[SECONDS.length]++;
        buckets[SECONDS.length + 1] += seconds;
    }

    /** All of it, in Prometheus' text format 0.0.4. */
    public synchronized String text() {
        StringBuilder text = new StringBuilder();
        families.forEach((name, family) -> {
            text.append("# HELP ")
                    .append(name)
                    .append(' ')
                    .append(family.metric.help())
                    .append('\n');
            text.append("# TYPE ")
                    .append(name)
                    .append(' ')
                    .append(family.metric.type())
                    .append('\n');
            family.values.forEach((labels, values) -> {
                if (family.metric.type().equals("histogram")) {
                    histogram(text, name, labels, values);
                } else {
                    line(text, name, labels, values[0]);
                }
            });
        });
        return text.toString();
    }

    private static void histogram(StringBuilder text, String name, String labels, double[] values) {
        String before = labels.isEmpty() ? "" : labels + ",";
        for (int i = 0; i < SECONDS.length; i++) {
            line(text, name + "_bucket", before + label("le", number(SECONDS[i])), values[i]);
        }
        line(text, name + "_bucket", before + label("le", "+Inf"), values[SECONDS.length]);
        line(text, name + "_sum", labels, values[SECONDS.length + 1]);
        line(text, name + "_count", labels, values[SECONDS.length]);
    }

    private static void line(StringBuilder text, String name, String labels, double value) {
        text.append(name);
        if (!labels.isEmpty()) {
            text.append('{').append(labels).append('}');
        }
        text.append(' ').append(number(value)).append('\n');
    }

    private static String number(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) : Double.toString(value);
    }
}
