package dev.sro.testkit.monitoring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.api.ClusterFacts;
import dev.sro.api.RecipeContext;
import dev.sro.api.operation.AlertRule;
import dev.sro.api.operation.Monitoring;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.monitoring.MonitoringObjects;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Files for promtool. JSON is YAML, and it has one way to quote. */
final class RuleFiles {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern TEMPLATE = Pattern.compile("\\{\\{(.*?)}}");
    private static final Pattern LABEL = Pattern.compile("\\s*\\$labels\\.(\\w+)\\s*");

    private RuleFiles() {}

    /** Rules as Prometheus reads them: those that SRO writes for a plugin. */
    static String rules(Monitoring monitoring) {
        SpecialResource resource = new SpecialResource();
        resource.setMetadata(new ObjectMetaBuilder().withName("device").build());
        RecipeContext context =
                new RecipeContext(resource, ClusterFacts.builder().build());
        return MonitoringObjects.render(context, monitoring).stream()
                .filter(object -> object.ref().kind().equals("PrometheusRule"))
                .findFirst()
                .map(object -> json(object.tree().getOrDefault("spec", Map.of())))
                .orElse("{}");
    }

    private static Map<String, String> labels(AlertRule alert) {
        Map<String, String> labels = new TreeMap<>(alert.labels());
        labels.put("severity", alert.severity().name().toLowerCase(Locale.ROOT));
        return labels;
    }

    private static Map<String, String> annotations(AlertRule alert) {
        Map<String, String> annotations = new TreeMap<>();
        annotations.put("summary", alert.summary());
        alert.description().ifPresent(text -> annotations.put("description", text));
        alert.runbook().ifPresent(url -> annotations.put("runbook_url", url));
        return annotations;
    }

    /** Unit tests for promtool. */
    static String tests(String rulesFile, List<Object> tests) {
        return json(Map.of("rule_files", List.of(rulesFile), "evaluation_interval", "1m", "tests", tests));
    }

    /** A scenario as a unit test. */
    static Map<String, Object> test(String name, AlertScenario scenario, AlertRule alert) {
        Map<Integer, List<Object>> expected = new TreeMap<>();
        scenario.silent().forEach(minute -> expected.put(minute, new ArrayList<>()));
        for (AlertScenario.Firing firing : scenario.fires()) {
            Map<String, String> all = new TreeMap<>(firing.labels());
            all.putAll(labels(alert));
            Map<String, String> said = new TreeMap<>();
            annotations(alert).forEach((key, template) -> said.put(key, filled(template, all, firing.value())));
            expected.computeIfAbsent(firing.minute(), minute -> new ArrayList<>())
                    .add(Map.of("exp_labels", all, "exp_annotations", said));
        }
        List<Object> samples = new ArrayList<>();
        scenario.series().forEach((series, values) -> samples.add(Map.of("series", series, "values", values)));
        List<Object> checks = new ArrayList<>();
        expected.forEach((minute, alerts) ->
                checks.add(Map.of("eval_time", minute + "m", "alertname", scenario.alert(), "exp_alerts", alerts)));
        return Map.of(
                "name", name, "interval", scenario.interval(), "input_series", samples, "alert_rule_test", checks);
    }

    /** The two things that our templates do: a label, and the value in whatever form. */
    private static String filled(String template, Map<String, String> labels, String value) {
        return TEMPLATE.matcher(template).replaceAll(found -> {
            Matcher label = LABEL.matcher(found.group(1));
            return Matcher.quoteReplacement(label.matches() ? labels.getOrDefault(label.group(1), "") : value);
        });
    }

    /** Labels that the texts of an alert speak of. */
    static List<String> mentioned(AlertRule alert) {
        List<String> mentioned = new ArrayList<>();
        annotations(alert).values().forEach(text -> {
            Matcher templates = TEMPLATE.matcher(text);
            while (templates.find()) {
                Matcher label = LABEL.matcher(templates.group(1));
                if (label.matches()) {
                    mentioned.add(label.group(1));
                }
            }
        });
        return mentioned;
    }

    private static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
