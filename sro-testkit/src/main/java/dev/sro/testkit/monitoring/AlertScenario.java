package dev.sro.testkit.monitoring;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sample series on which an alert fires and ends. Immutable.
 *
 * @param alert its name
 * @param interval between two samples, as Prometheus writes durations
 * @param series samples by series, in promtool's notation
 * @param fires alerts that are there, by the minute after the start
 * @param silent minutes at which the alert is not there
 */
record AlertScenario(
        String alert, String interval, Map<String, String> series, List<Firing> fires, List<Integer> silent) {

    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    /**
     * An alert that is there.
     *
     * @param minute after the start
     * @param labels all of them but {@code severity} and those of the rule
     * @param value as the annotations print it
     */
    record Firing(int minute, Map<String, String> labels, String value) {}

    /**
     * Reads a list of them.
     *
     * @throws IllegalArgumentException when a part is missing or has the wrong form
     */
    static List<AlertScenario> read(String yaml) {
        List<AlertScenario> scenarios = new ArrayList<>();
        for (Object item : list(YAML.unmarshal(yaml, Object.class), "a file of scenarios")) {
            Map<String, Object> map = map(item, "a scenario");
            String alert = text(map.get("alert"), "alert");
            List<Firing> fires = new ArrayList<>();
            for (Object firing : list(map.get("fires"), alert + ".fires")) {
                Map<String, Object> one = map(firing, alert + ".fires");
                fires.add(new Firing(
                        minute(one.get("at"), alert),
                        texts(one.getOrDefault("labels", Map.of()), alert + ".labels"),
                        one.containsKey("value") ? text(one.get("value"), alert + ".value") : ""));
            }
            scenarios.add(new AlertScenario(
                    alert,
                    map.containsKey("interval") ? text(map.get("interval"), alert + ".interval") : "1m",
                    texts(map.get("series"), alert + ".series"),
                    fires,
                    list(map.get("silent"), alert + ".silent").stream()
                            .map(minute -> minute(minute, alert))
                            .toList()));
        }
        return scenarios;
    }

    /** Whether there is a silence before an alert and one after it. */
    boolean beginsAndEnds() {
        return fires.stream()
                .anyMatch(firing -> silent.stream().anyMatch(minute -> minute < firing.minute())
                        && silent.stream().anyMatch(minute -> minute > firing.minute()));
    }

    private static int minute(@Nullable Object value, String alert) {
        String text = text(value, alert);
        if (!text.matches("[0-9]+m")) {
            throw new IllegalArgumentException(alert + ": \"" + text + "\" must be minutes, for example 12m");
        }
        return Integer.parseInt(text.substring(0, text.length() - 1));
    }

    private static String text(@Nullable Object value, String where) {
        if (value instanceof String || value instanceof Number) {
            return value.toString();
        }
        throw new IllegalArgumentException(where + ": a text is missing");
    }

    private static List<?> list(@Nullable Object value, String where) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException(where + ": a list is missing");
    }

    private static Map<String, Object> map(@Nullable Object value, String where) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, content) -> copy.put(key.toString(), Objects.requireNonNull(content)));
            return copy;
        }
        throw new IllegalArgumentException(where + ": a map is missing");
    }

    private static Map<String, String> texts(@Nullable Object value, String where) {
        Map<String, String> texts = new LinkedHashMap<>();
        map(value, where).forEach((key, content) -> texts.put(key, text(content, where + "." + key)));
        return texts;
    }
}
