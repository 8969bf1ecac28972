package dev.sro.plugins.nvidia.monitoring;

import dev.sro.api.Checks;
import dev.sro.api.InvalidRecipeException;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.operation.Monitoring;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The settings {@code spec.plugin.config.monitoring}, with what holds where nothing is said. Immutable. */
final class MonitoringSettings {

    /** The key of {@code spec.plugin.config}. */
    static final String KEY = "monitoring";

    private static final String WHERE = "spec.plugin.config." + KEY;
    private static final String VGPU_GUESTS = "vgpuGuests";
    private static final String RUNBOOKS = "runbooks";
    private static final String LABELS = "labels";
    private static final String GRAFANA = "grafanaSelector";
    private static final String CLUSTER_MONITORING = "clusterMonitoring";

    /** Where each alert has its paragraph. */
    private static final String DEFAULT_RUNBOOKS = "docs/reference/alerts-nvidia.md";

    /** A whole number among the settings, with its unit at the end of its name. */
    enum Limit {
        GPU_CELSIUS("gpuCelsius", 85, 40, 150),
        GPU_CRITICAL_CELSIUS("gpuCriticalCelsius", 92, 40, 150),
        MEMORY_CELSIUS("memoryCelsius", 95, 40, 150),
        THERMAL_THROTTLING_PERCENT("thermalThrottlingPercent", 10, 1, 100),
        POWER_THROTTLING_PERCENT("powerThrottlingPercent", 50, 1, 100),
        CORRECTED_ECC_PER_HOUR("correctedEccPerHour", 1000, 1, 1_000_000_000),
        PCIE_REPLAYS_PER_MINUTE("pcieReplaysPerMinute", 10, 1, 1_000_000),
        NVLINK_ERRORS_PER_HOUR("nvlinkErrorsPerHour", 100, 1, 1_000_000_000),
        LOST_AFTER_MINUTES("lostAfterMinutes", 10, 1, 60),
        LOST_FOR_HOURS("lostForHours", 6, 2, 168),
        NOT_READY_MINUTES("notReadyMinutes", 30, 1, 1440),
        EXPORTER_DOWN_MINUTES("exporterDownMinutes", 10, 1, 1440);

        private final String key;
        private final int fallback;
        private final int min;
        private final int max;

        Limit(String key, int fallback, int min, int max) {
            this.key = key;
            this.fallback = fallback;
            this.min = min;
            this.max = max;
        }

        String key() {
            return key;
        }

        int fallback() {
            return fallback;
        }

        String range() {
            return min + " to " + max;
        }
    }

    private final Map<Limit, Integer> limits = new EnumMap<>(Limit.class);
    private final List<String> problems = new ArrayList<>();
    private final boolean vgpuGuests;
    private final String runbooks;
    private final Map<String, String> labels;
    private final Map<String, String> grafana;
    private final boolean clusterMonitoring;

    private MonitoringSettings(Map<?, ?> config) {
        for (Limit limit : Limit.values()) {
            limits.put(limit, number(limit, config.get(limit.key)));
        }
        this.vgpuGuests = flag(VGPU_GUESTS, config.get(VGPU_GUESTS));
        this.clusterMonitoring = flag(CLUSTER_MONITORING, config.get(CLUSTER_MONITORING));
        this.labels = labels(LABELS, config.get(LABELS), Map.of());
        this.grafana = labels(GRAFANA, config.get(GRAFANA), Monitoring.DEFAULT_GRAFANA);
        this.runbooks = text(config.get(RUNBOOKS));
        TreeSet<String> unknown = new TreeSet<>();
        config.keySet().forEach(key -> unknown.add(String.valueOf(key)));
        for (Limit limit : Limit.values()) {
            unknown.remove(limit.key);
        }
        unknown.removeAll(List.of(VGPU_GUESTS, RUNBOOKS, LABELS, GRAFANA, CLUSTER_MONITORING));
        unknown.forEach(key -> problems.add(WHERE + "." + key + ": there is no such setting; remove it"));
        if (limit(Limit.GPU_CRITICAL_CELSIUS) <= limit(Limit.GPU_CELSIUS)) {
            problems.add(WHERE + "." + Limit.GPU_CRITICAL_CELSIUS.key + ": must be more than " + Limit.GPU_CELSIUS.key
                    + ", which is " + limit(Limit.GPU_CELSIUS));
        }
    }

    private static MonitoringSettings read(RecipeContext context) {
        Object config = context.config().getOrDefault(KEY, Map.of());
        if (config instanceof Map<?, ?> map) {
            return new MonitoringSettings(map);
        }
        MonitoringSettings settings = new MonitoringSettings(Map.of());
        if (config != null) {
            settings.problems.add(WHERE + ": must be a map of settings");
        }
        return settings;
    }

    /**
     * Reads them.
     *
     * @throws InvalidRecipeException naming all that is wrong
     */
    static MonitoringSettings of(RecipeContext context) {
        MonitoringSettings settings = read(context);
        if (!settings.problems.isEmpty()) {
            throw new InvalidRecipeException(String.join("; ", settings.problems));
        }
        return settings;
    }

    /** All that is wrong with them. */
    static List<Problem> problems(RecipeContext context) {
        return read(context).problems.stream()
                .map(problem -> Problem.user("NvidiaInvalidField", problem))
                .toList();
    }

    int limit(Limit limit) {
        return limits.getOrDefault(limit, limit.fallback);
    }

    /** Whether the nodes are virtual machines with virtual GPUs, which need a licence. */
    boolean vgpuGuests() {
        return vgpuGuests;
    }

    /** By which Prometheus and Grafana select what is theirs. */
    Map<String, String> labels() {
        return labels;
    }

    /** Labels of the instances of Grafana that get the dashboards. */
    Map<String, String> grafana() {
        return grafana;
    }

    /** Whether the Prometheus of OpenShift's platform reads the metrics. */
    boolean clusterMonitoring() {
        return clusterMonitoring;
    }

    /** Where the paragraph of an alert is. */
    String runbook(String alert) {
        return runbooks + "#" + alert.toLowerCase(Locale.ROOT);
    }

    private int number(Limit limit, @Nullable Object value) {
        if (value == null) {
            return limit.fallback;
        }
        boolean whole = value instanceof Integer || value instanceof Long;
        if (!whole || ((Number) value).longValue() < limit.min || ((Number) value).longValue() > limit.max) {
            problems.add(WHERE + "." + limit.key + ": \"" + value + "\" must be a whole number from " + limit.range());
            return limit.fallback;
        }
        return ((Number) value).intValue();
    }

    private boolean flag(String key, @Nullable Object value) {
        if (value != null && !(value instanceof Boolean)) {
            problems.add(WHERE + "." + key + ": \"" + value + "\" must be true or false");
        }
        return Boolean.TRUE.equals(value);
    }

    private Map<String, String> labels(String key, @Nullable Object value, Map<String, String> fallback) {
        if (value == null) {
            return fallback;
        }
        Map<String, String> labels = new TreeMap<>();
        try {
            if (!(value instanceof Map<?, ?> map)) {
                throw new IllegalArgumentException("must be a map of labels");
            }
            map.forEach((name, content) -> {
                Checks.qualifiedName("name", String.valueOf(name));
                Checks.labelValue("value of " + name, String.valueOf(content));
                labels.put(String.valueOf(name), String.valueOf(content));
            });
        } catch (IllegalArgumentException e) {
            problems.add(WHERE + "." + key + ": " + e.getMessage());
            return fallback;
        }
        return labels;
    }

    private String text(@Nullable Object value) {
        if (value == null) {
            return DEFAULT_RUNBOOKS;
        }
        if (!(value instanceof String url) || url.isBlank() || url.contains("#")) {
            problems.add(WHERE + "." + RUNBOOKS + ": \"" + value
                    + "\" must be the address of a page, without #, for example https://wiki.example/gpu-alerts");
            return DEFAULT_RUNBOOKS;
        }
        return url;
    }
}
