package dev.sro.testkit.monitoring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks for what is wrong with a dashboard of Grafana, which would show nothing or the wrong thing and not say why. */
final class DashboardChecks {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int COLUMNS = 24;
    private static final int MAX_UID = 40;

    /** Where dashboards ask their questions: a variable, as nobody knows what the data source is called elsewhere. */
    private static final String SOURCE = "${datasource}";

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(?::\\w+)?}|\\$(\\w+)|\\[\\[(\\w+)]]");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{\\s*(\\w+)\\s*}}");

    /** Variables of Grafana itself that stand where a duration does. */
    private static final Map<String, String> DURATIONS =
            Map.of("__rate_interval", "5m", "__interval", "1m", "__range", "1h");

    private final List<String> problems = new ArrayList<>();
    private final KnownMetrics metrics;
    private final Set<String> declared = new LinkedHashSet<>();
    private final Set<String> used = new LinkedHashSet<>();
    private final Set<Integer> ids = new LinkedHashSet<>();

    private DashboardChecks(KnownMetrics metrics) {
        this.metrics = metrics;
    }

    /** All that is wrong with a dashboard; empty when nothing is. */
    static List<String> problems(String json, KnownMetrics metrics) {
        DashboardChecks checks = new DashboardChecks(metrics);
        try {
            checks.dashboard(JSON.readTree(json));
        } catch (JsonProcessingException e) {
            checks.problems.add("is no JSON: " + e.getOriginalMessage());
        }
        return checks.problems;
    }

    /** {@code uid} of a dashboard. */
    static String uid(String json) {
        try {
            return JSON.readTree(json).path("uid").asText();
        } catch (JsonProcessingException e) {
            return "";
        }
    }

    private void dashboard(JsonNode dashboard) {
        String uid = dashboard.path("uid").asText();
        require(!dashboard.path("title").asText().isBlank(), "has no title");
        require(!uid.isBlank() && uid.length() <= MAX_UID, "needs a uid of at most " + MAX_UID + " characters");
        require(dashboard.path("schemaVersion").asInt() > 0, "has no schemaVersion");
        require(!dashboard.has("id") || dashboard.path("id").isNull(), "has an id, which only one Grafana knows");
        dashboard.path("templating").path("list").forEach(this::variable);
        require(declared.contains("datasource"), "has no variable \"datasource\"");
        List<JsonNode> panels = new ArrayList<>();
        dashboard.path("panels").forEach(panel -> {
            panels.add(panel);
            panel.path("panels").forEach(panels::add);
        });
        require(!panels.isEmpty(), "has no panels");
        panels.forEach(this::panel);
        overlaps(panels);
        Set<String> idle = new LinkedHashSet<>(declared);
        idle.removeAll(used);
        require(idle.isEmpty(), "has variables that nothing uses: " + idle);
    }

    private void variable(JsonNode variable) {
        String name = variable.path("name").asText();
        require(declared.add(name), "has two variables " + name);
        String type = variable.path("type").asText();
        if (type.equals("datasource")) {
            require(variable.path("query").asText().equals("prometheus"), "variable " + name + " is for no Prometheus");
            return;
        }
        String where = "variable " + name;
        if (type.equals("query")) {
            source(variable, where);
            JsonNode query = variable.path("query");
            values(where, query.isObject() ? query.path("query").asText() : query.asText());
        }
    }

    /** {@code label_values(expression, label)}: a function of Grafana, not of Prometheus. */
    private void values(String where, String query) {
        int comma = query.lastIndexOf(',');
        if (!query.startsWith("label_values(") || !query.endsWith(")") || comma < 0) {
            problems.add(where + " asks for no label_values(metric, label): " + query);
            return;
        }
        String expression = query.substring("label_values(".length(), comma);
        String label = query.substring(comma + 1, query.length() - 1).strip();
        expression(where, expression);
        if (metrics.missing(filled(expression)).isEmpty()) {
            require(metrics.reaches(filled(expression), label), where + ": no metric in it has a label " + label);
        }
    }

    private void panel(JsonNode panel) {
        String where = "panel \"" + panel.path("title").asText() + "\"";
        require(panel.path("id").asInt() > 0 && ids.add(panel.path("id").asInt()), where + " has no id of its own");
        require(!panel.path("title").asText().isBlank(), where + " has no title");
        String type = panel.path("type").asText();
        if (type.equals("row") || type.equals("text")) {
            return;
        }
        source(panel, where);
        require(!unit(panel).isBlank(), where + " has no unit");
        require(panel.path("targets").size() > 0, where + " asks for nothing");
        Set<String> letters = new LinkedHashSet<>();
        panel.path("targets").forEach(target -> {
            require(letters.add(target.path("refId").asText()), where + " has two queries with the same refId");
            String expression = target.path("expr").asText();
            expression(where, expression);
            legend(where, expression, target.path("legendFormat").asText());
        });
    }

    private static String unit(JsonNode panel) {
        return panel.path("fieldConfig").path("defaults").path("unit").asText();
    }

    private void source(JsonNode owner, String where) {
        JsonNode source = owner.path("datasource");
        used.add("datasource");
        require(
                source.path("type").asText().equals("prometheus")
                        && source.path("uid").asText().equals(SOURCE),
                where + " does not ask the data source " + SOURCE);
    }

    private void expression(String where, String expression) {
        Matcher variables = VARIABLE.matcher(expression);
        while (variables.find()) {
            String name = name(variables);
            used.add(name);
            require(name.startsWith("__") || declared.contains(name), where + " uses the unknown variable " + name);
        }
        metrics.missing(filled(expression)).forEach(missing -> problems.add(where + ": " + missing));
    }

    private void legend(String where, String expression, String format) {
        if (!metrics.missing(filled(expression)).isEmpty()) {
            return;
        }
        Matcher labels = LEGEND.matcher(format);
        while (labels.find()) {
            String label = labels.group(1);
            require(
                    metrics.reaches(filled(expression), label),
                    where + ": no metric in it has the label " + label + " of its legend");
        }
    }

    private static String filled(String expression) {
        return VARIABLE.matcher(expression).replaceAll(found -> DURATIONS.getOrDefault(name((Matcher) found), "x"));
    }

    private static String name(Matcher variable) {
        for (int group = 1; group <= variable.groupCount(); group++) {
            String name = variable.group(group);
            if (name != null) {
                return name;
            }
        }
        throw new IllegalStateException("a variable without a name");
    }

    /** Panels that lie on one another are moved by Grafana, each time to another place. */
    private void overlaps(List<JsonNode> panels) {
        Set<String> cells = new LinkedHashSet<>();
        for (JsonNode panel : panels) {
            JsonNode grid = panel.path("gridPos");
            int right = grid.path("x").asInt() + grid.path("w").asInt();
            boolean placed = grid.path("w").asInt() > 0 && grid.path("h").asInt() > 0 && right <= COLUMNS;
            boolean free = placed;
            for (int x = grid.path("x").asInt(); placed && x < right; x++) {
                for (int y = 0; y < grid.path("h").asInt(); y++) {
                    free &= cells.add(x + "," + (grid.path("y").asInt() + y));
                }
            }
            require(free, "panel \"" + panel.path("title").asText() + "\" has no place of its own on the grid");
        }
    }

    private void require(boolean holds, String problem) {
        if (!holds) {
            problems.add(problem);
        }
    }
}
