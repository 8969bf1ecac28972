package dev.sro.testkit.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DashboardChecksTest {

    private static final KnownMetrics METRICS = KnownMetrics.none().and(List.of("acme_celsius"), "device");

    private static final String GOOD = """
        {"uid": "acme", "title": "Acme", "schemaVersion": 39,
         "templating": {"list": [
           {"name": "datasource", "type": "datasource", "query": "prometheus"},
           {"name": "node", "type": "query", "datasource": {"type": "prometheus", "uid": "${datasource}"},
            "query": {"query": "label_values(acme_celsius, node)"}}]},
         "panels": [
           {"id": 1, "type": "row", "title": "All", "gridPos": {"x": 0, "y": 0, "w": 24, "h": 1}},
           {"id": 2, "type": "timeseries", "title": "Heat", "gridPos": {"x": 0, "y": 1, "w": 12, "h": 8},
            "datasource": {"type": "prometheus", "uid": "${datasource}"},
            "fieldConfig": {"defaults": {"unit": "celsius"}},
            "targets": [{"refId": "A", "expr": "avg_over_time(acme_celsius{node=~\\"$node\\"}[$__rate_interval])",
                         "legendFormat": "{{node}} {{device}}"}]}]}
        """;

    private static List<String> problems(String what, String instead) {
        assertThat(GOOD).contains(what);
        return DashboardChecks.problems(GOOD.replace(what, instead), METRICS);
    }

    @Test
    void acceptWhatWorks() {
        assertThat(DashboardChecks.problems(GOOD, METRICS)).isEmpty();
        assertThat(DashboardChecks.uid(GOOD)).isEqualTo("acme");
    }

    @Test
    void findQueriesForWhatIsNotThere() {
        assertThat(problems("(acme_celsius{", "(acme_kelvin{"))
                .containsExactly("panel \"Heat\": nothing emits acme_kelvin");
        assertThat(problems("{node=~", "{rack=~")).containsExactly("panel \"Heat\": acme_celsius has no label rack");
        assertThat(problems("$node", "$rack"))
                .containsExactly(
                        "panel \"Heat\" uses the unknown variable rack", "has variables that nothing uses: [node]");
        assertThat(problems("{{device}}", "{{fan}}"))
                .containsExactly("panel \"Heat\": no metric in it has the label fan of its legend");
        assertThat(problems("celsius, node)", "celsius, rack)"))
                .containsExactly("variable node: no metric in it has a label rack");
        assertThat(problems("label_values(acme_celsius, node)", "acme_celsius")).hasSize(1);
    }

    @Test
    void findPanelsThatDoNotWork() {
        assertThat(problems("\"id\": 2", "\"id\": 1")).containsExactly("panel \"Heat\" has no id of its own");
        assertThat(problems("\"unit\": \"celsius\"", "\"min\": 0")).containsExactly("panel \"Heat\" has no unit");
        assertThat(problems("\"y\": 1", "\"y\": 0"))
                .containsExactly("panel \"Heat\" has no place of its own on the grid");
        assertThat(problems("\"w\": 12", "\"w\": 25"))
                .containsExactly("panel \"Heat\" has no place of its own on the grid");
        assertThat(problems("\"schemaVersion\": 39,", "\"id\": 7,"))
                .containsExactly("has no schemaVersion", "has an id, which only one Grafana knows");
        assertThat(DashboardChecks.problems(GOOD.replace("${datasource}", "abc"), METRICS))
                .hasSize(2);
        assertThat(DashboardChecks.problems("{", METRICS))
                .singleElement()
                .asString()
                .startsWith("is no JSON: ");
        assertThat(DashboardChecks.problems("{}", METRICS)).contains("has no panels", "has no variable \"datasource\"");
    }
}
