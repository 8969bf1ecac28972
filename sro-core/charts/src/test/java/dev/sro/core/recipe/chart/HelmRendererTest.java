package dev.sro.core.recipe.chart;

import static dev.sro.core.recipe.chart.Fixtures.CHART_YAML;
import static dev.sro.core.recipe.chart.Fixtures.chart;
import static dev.sro.core.recipe.chart.Rendering.data;
import static dev.sro.core.recipe.chart.Rendering.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.sro.api.Problem;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the engine makes of the fixtures; that it equals Helm is {@code HelmTemplateTest}'s. */
@EnabledIf(
        value = "dev.sro.core.recipe.chart.Rendering#engineIsHere",
        disabledReason = "helm-java has no library for this machine")
class HelmRendererTest {
    private static final HelmRenderer RENDERER = new HelmRenderer();

    @AfterAll
    static void close() {
        RENDERER.close();
    }

    @Test
    void rendersEachFileByItself() {
        RenderedChart rendered = RENDERER.render(request(chart("states")));
        assertThat(rendered.problems()).isEmpty();
        assertThat(rendered.texts().keySet())
                .containsExactly(
                        "states/templates/0000-config.yaml",
                        "states/templates/1000_driver.yaml",
                        "states/templates/empty.yaml",
                        "states/templates/nested/0500-late.yaml",
                        "states/templates/rest.yml");
        String config = rendered.texts().get("states/templates/0000-config.yaml");
        assertThat(data(config))
                .contains(
                        entry("kernel", "5.14.0-427.el9.x86_64"),
                        entry("template", "states/templates/0000-config.yaml"),
                        entry("base", "states/templates"),
                        entry("undefined", ""));
        assertThat(config).contains("# Nothing but a comment.").contains("app: states-my-device");
        assertThat(rendered.texts().get("states/templates/empty.yaml")).isBlank();
    }

    @Test
    void whatIsTooLongIsRefusedAndTheNextChartIsRendered() {
        Chart large = chart(
                "Chart.yaml",
                CHART_YAML,
                "templates/a.yaml",
                "{{ range until 350 }}# {{ repeat 100000 \"x\" }}\n{{ end }}");

        assertThatThrownBy(() -> RENDERER.render(request(large)))
                .isInstanceOfSatisfying(
                        ChartException.class,
                        refused -> assertThat(refused.problem().message())
                                .contains(
                                        "characters, and " + HelmWorker.MAX_CHARACTERS + " are allowed",
                                        "make fewer objects"));
        assertThat(RENDERER.render(request(chart("states"))).problems()).isEmpty();
    }

    @Test
    void hooksAreThere() {
        RenderedChart rendered = RENDERER.render(request(chart("functions")));
        assertThat(rendered.texts().get("functions/templates/hooks/pre.yaml"))
                .contains("\"helm.sh/hook\": pre-install,pre-upgrade", "name: not-a-hook", "name: post");
        assertThat(rendered.texts()).containsKey("functions/templates/tests/connection.yaml");
        assertThat(rendered.crds().keySet()).containsExactly("functions/crds/things.yaml");
        assertThat(rendered.crds().get("functions/crds/things.yaml")).contains("# {{ not a template }}");
    }

    @Test
    void capabilitiesAreThoseOfTheCluster() {
        String text = RENDERER.render(request(chart("functions"))).texts().get("functions/templates/cluster.yaml");
        assertThat(data(text))
                .contains(
                        entry("version", "v1.30.1 1.30"),
                        entry("routes", "false"),
                        entry("deployments", "true"),
                        entry("known", "one"),
                        entry("with", "true"),
                        entry("variable", "true"),
                        entry("piped", "true"),
                        entry("has", "true"),
                        entry("range", "example.com/v1"));
    }

    @Test
    void filesShareTheirContextInTheOrderOfHelm() {
        RenderedChart rendered = RENDERER.render(request(chart("order"), Map.of()));
        assertThat(data(rendered.texts().get("order/templates/0000-a.yaml")))
                .contains(entry("seen", "sub/0000-c zz 1000-b 0000-a"), entry("mark", "++++"));
        assertThat(data(rendered.texts().get("order/templates/zz.yaml"))).contains(entry("seen", "sub/0000-c zz"));
    }

    @Test
    void chartsInsideHaveTheirOwnScope() {
        RenderedChart rendered = RENDERER.render(request(chart("dependencies")));
        assertThat(rendered.texts().keySet())
                .containsExactly(
                        "dependencies/charts/first/charts/inner/templates/leaf.yaml",
                        "dependencies/charts/first/templates/work.yaml",
                        "dependencies/charts/second/charts/leaf/templates/leaf.yaml",
                        "dependencies/charts/second/templates/work.yaml",
                        "dependencies/templates/parent.yaml");
        assertThat(rendered.crds().keySet())
                .containsExactly(
                        "dependencies/charts/first/charts/inner/crds/leaf.yaml",
                        "dependencies/charts/second/charts/leaf/crds/leaf.yaml");
        assertThat(data(rendered.texts().get("dependencies/charts/first/templates/work.yaml")))
                .contains(
                        entry("template", "dependencies/charts/first/templates/work.yaml"),
                        entry("base", "dependencies/charts/first/templates"),
                        entry("served", "true"),
                        entry("file", "of the worker\n"));
    }

    @Test
    void oneFileThatFailsDoesNotHoldUpTheOthers() {
        RenderedChart rendered = RENDERER.render(request(chart("failures"), Map.of()));
        assertThat(rendered.texts().keySet())
                .containsExactly(
                        "failures/templates/0000-good.yaml",
                        "failures/templates/4000-yaml.yaml",
                        "failures/templates/5000-good.yaml",
                        "failures/templates/rest.yaml");
        assertThat(rendered.problems().values()).extracting(Problem::code).containsOnly("TemplateFailed");
        assertThat(rendered.problems().values())
                .extracting(Problem::message)
                .containsExactly(
                        "chart failures 0.1.0: execution error at (failures/templates/1000-required.yaml:3:21): set"
                                + " .Values.needed",
                        "chart failures 0.1.0: template: failures/templates/2000-nil.yaml:4:18: executing"
                                + " \"failures/templates/2000-nil.yaml\" at <.Values.one.two.three>: nil pointer evaluating"
                                + " interface {}.two",
                        "chart failures 0.1.0: execution error at (failures/templates/3000-fail.yaml:1:3): never: on this"
                                + " cluster");
        assertThat(rendered.problems().values())
                .extracting(Problem::owner)
                .containsExactly(Problem.Owner.USER, Problem.Owner.VENDOR, Problem.Owner.USER);
    }

    @Test
    void aFileThatCannotBeParsedDoesNotHoldUpTheOthers() {
        RenderedChart rendered = RENDERER.render(request(chart("unparsable"), Map.of()));
        assertThat(rendered.texts().keySet()).containsExactly("unparsable/templates/0000-good.yaml");
        assertThat(rendered.problems().get("unparsable/templates/1000-bad.yaml"))
                .isNotNull()
                .extracting(Problem::message)
                .isEqualTo(
                        "chart unparsable 0.1.0: parse error at (unparsable/templates/1000-bad.yaml:4): unexpected EOF");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "templates/_h.tpl | {{ if }} | ChartNotRendered | parse error at (c/templates/_h.tpl:1)",
                "values.schema.json | {\"required\": [\"needed\"]} | ValuesRefused | needed",
            })
    void whatConcernsAllIsRefused(String path, String text, String code, String message) {
        Chart chart = chart("Chart.yaml", CHART_YAML, path, text, "templates/a.yaml", "kind: A");
        assertThatThrownBy(() -> RENDERER.render(request(chart)))
                .isInstanceOfSatisfying(
                        ChartException.class,
                        e -> assertThat(e.problem().code()).isEqualTo(code))
                .hasMessageStartingWith("chart c 0.1.0: ")
                .hasMessageContaining(message);
    }

    @Test
    void aChartForAnotherKubernetesIsRefused() {
        Chart chart = chart("Chart.yaml", CHART_YAML + "kubeVersion: '>=1.31.0-0'", "templates/a.yaml", "kind: A");
        assertThatThrownBy(() -> RENDERER.render(request(chart)))
                .isInstanceOfSatisfying(
                        ChartException.class,
                        e -> assertThat(e.problem().code()).isEqualTo("KubeVersionRefused"))
                .hasMessageContaining("requires kubeVersion: >=1.31.0-0 which is incompatible with Kubernetes v1.30.1");
    }

    @Test
    void aLibraryIsRefused() {
        Chart chart = chart("Chart.yaml", CHART_YAML + "type: library", "templates/a.yaml", "kind: A");
        assertThatThrownBy(() -> RENDERER.render(request(chart)))
                .hasMessageContaining("library charts are not installable");
    }

    @Test
    void anyTextGoesInAndComesOutUnchanged() {
        StringBuilder all = new StringBuilder("\"quoted\" \\n \\ <b>&amp; <no val ue> 'x' {{ }} ---\n# Source: x\n");
        for (int c = 1; c < 0x3000; c += c < 0x300 ? 1 : 97) {
            all.append((char) c);
        }
        String text = all + "\ud83d\ude00\ufeff\u2028";
        Chart chart = chart("Chart.yaml", CHART_YAML, "templates/a\"ü.yaml", "{{ .Values.text }}|{{ .Template.Name }}");
        assertThat(RENDERER.render(request(chart, Map.of("text", text))).texts())
                .containsExactly(entry("c/templates/a\"ü.yaml", text + "|c/templates/a\"ü.yaml"));
    }

    @Test
    void typesOfValuesAreKept() {
        Chart chart = chart("Chart.yaml", CHART_YAML, "templates/a.yaml", "{{ toJson .Values }}");
        Map<String, Object> values = Map.of(
                "b", true, "s", "true", "i", 7, "d", 1.5, "l", List.of("1", 1, Map.of()), "o", "0755", "n", "null");
        assertThat(RENDERER.render(request(chart, values)).texts().values())
                .containsExactly(
                        "{\"b\":true,\"d\":1.5,\"i\":7,\"l\":[\"1\",1,{}],\"n\":\"null\",\"o\":\"0755\",\"s\":\"true\"}");
    }

    @Test
    void undefinedValuesAreReportedWithFileAndLine() {
        RenderedChart rendered = RENDERER.render(request(chart("states")));
        assertThat(rendered.warnings())
                .containsExactly("states/templates/0000-config.yaml:12:18: .Values.KernelFullVersion is not defined and"
                        + " renders empty");
        RenderRequest strict = new RenderRequest(
                chart("states"), Rendering.VALUES, new RenderRequest.Release("rel", "ns"), Rendering.CLUSTER, true);
        RenderedChart refused = RENDERER.render(strict);
        assertThat(refused.texts())
                .doesNotContainKey("states/templates/0000-config.yaml")
                .hasSize(4);
        assertThat(refused.problems().get("states/templates/0000-config.yaml"))
                .isNotNull()
                .extracting(Problem::code)
                .isEqualTo("UndefinedValue");
    }

    @Test
    void valuesOfHelpersAndListsAreFollowed() {
        Chart chart = chart(
                "Chart.yaml",
                CHART_YAML,
                "values.yaml",
                "list: [{a: 1}, {a: 2}]\nempty: []\nmap: {x: {y: 1}}",
                "templates/_h.tpl",
                "{{ define \"h\" }}{{ .Values.inHelper }}{{ end }}{{ define \"m\" }}{{ .y }}{{ .z }}{{ end }}",
                "templates/a.yaml",
                """
                {{ include "h" . }}
                {{ range .Values.list }}{{ .a }}{{ .b }}{{ end }}{{ range .Values.empty }}{{ .c }}{{ end }}
                {{ if .Values.guard }}{{ .Values.guard.x }}{{ end }}{{ default "d" .Values.def }}
                {{ with .Values.map.x }}{{ template "m" . }}{{ end }}
                {{ if .Values.map }}{{ .Values.other }}{{ end }}
                """);
        assertThat(RENDERER.render(request(chart, Map.of())).warnings())
                .extracting(warning -> warning.replaceFirst(" is not.*", ""))
                .containsExactlyInAnyOrder(
                        "c/templates/_h.tpl:1:20: .Values.inHelper",
                        "c/templates/a.yaml:2:36: .Values.list.*.b",
                        "c/templates/_h.tpl:1:75: .Values.map.x.z",
                        "c/templates/a.yaml:5:24: .Values.other");
    }
}
