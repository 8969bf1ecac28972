package dev.sro.core.recipe.gotemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateRendererTest {
    private static TemplateRenderer.Builder of(String text) {
        return TemplateRenderer.builder().template(GoTemplate.parse("t", text));
    }

    private static String render(String text, @Nullable Object data) {
        return of(text).build().render("t", data);
    }

    @ParameterizedTest
    @CsvSource({"evaluation.yaml, 241", "missing-keys.yaml, 69", "printf.yaml, 600", "random.yaml, 400"})
    void givesWhatGoGives(String file, int atLeast) {
        List<Map<String, Object>> vectors = Vectors.withData(file);
        assertThat(vectors.size()).isGreaterThanOrEqualTo(atLeast);
        for (Map<String, Object> vector : vectors) {
            String expected =
                    vector.containsKey("fails") ? "fails at t:" + vector.get("fails") + ":" : vector.get("gives") + "";
            assertThat(rendered(vector)).as("%s", vector).isEqualTo(expected);
        }
    }

    private static String rendered(Map<String, Object> vector) {
        String missing = (String) vector.getOrDefault("missing", "NO_VALUE");
        try {
            return of(Vectors.string(vector, "text"))
                    .missingKeys(MissingKeys.valueOf(missing))
                    .build()
                    .render("t", vector.get("data"));
        } catch (TemplateException e) {
            return "fails at " + e.position() + ":";
        }
    }

    @Test
    void takesTheNumbersAndCollectionsOfJava() {
        Map<String, @Nullable Object> data = new HashMap<>();
        data.put("numbers", Arrays.asList(1, 2L, (short) 3, (byte) 4, 1.5f, BigInteger.TEN, new BigDecimal("2.50")));
        data.put("huge", BigInteger.ONE.shiftLeft(64));
        data.put("set", new TreeSet<>(Set.of("b", "a")));
        data.put("array", new String[] {"x", "y"});
        data.put("text", CharBuffer.wrap("sb"));
        data.put("other", new Object());
        assertThat(render("{{.numbers}} {{.huge}} {{.set}} {{.array}} {{.text}} {{eq (index .numbers 0) 1}}", data))
                .isEqualTo("[1 2 3 4 1.5 10 2.5] 1.8446744073709552e+19 [a b] [x y] sb true");
        assertThatThrownBy(() -> render("{{.other}}", data))
                .hasMessage("t:1:3: at <.other>: a value of Java's type java.lang.Object is no data for templates");
    }

    @Test
    void callsTheFunctionsOfItsCaller() {
        TemplateRenderer renderer = of("{{ quote .a }} {{ .a | quote | len }} {{ quote (default \"d\" .none) }}")
                .function("quote", arguments -> "'" + arguments.get(0) + "'")
                .function("default", arguments -> arguments.get(1) == null ? arguments.get(0) : arguments.get(1))
                .build();
        assertThat(renderer.render("t", Map.of("a", "x"))).isEqualTo("'x' 3 'd'");
    }

    @Test
    void functionsInDataAreMethods() {
        TemplateFunction has = arguments -> arguments.equals(List.of("v1"));
        TemplateFunction version = arguments -> Map.of("Major", 1);
        Map<String, Object> data = Map.of("Capabilities", Map.of("Has", has, "Version", version));
        String text =
                "{{ .Capabilities.Has \"v1\" }} {{ \"v2\" | $.Capabilities.Has }} {{ .Capabilities.Version.Major }}";
        assertThat(render(text, data)).isEqualTo("true false 1");
        assertThatThrownBy(() -> render("{{ .Capabilities.Version.Major 1 }}", data))
                .hasMessageContaining("Major is not a method but has arguments");
    }

    @Test
    void saysWhatAFunctionSaysIsWrong() {
        TemplateFunction fails = arguments -> {
            throw new IllegalArgumentException("no such disk");
        };
        assertThatThrownBy(() ->
                        of("a\n{{ disk 1 }}").function("disk", fails).build().render("t", null))
                .hasMessage("t:2:4: at <disk 1>: error calling disk: no such disk")
                .hasRootCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesTemplatesWithUnknownFunctions() {
        assertThatThrownBy(() ->
                        of("{{ if false }}\n{{ .a | nindent 4 }}{{ end }}").build())
                .isInstanceOf(TemplateException.class)
                .hasMessage("t:2:9: function \"nindent\" not defined");
    }

    @Test
    void laterFilesReplaceWhatEarlierOnesDefine() {
        GoTemplate first = GoTemplate.parse(
                "first", "{{define \"a\"}}1{{end}}{{define \"b\"}}1{{end}}{{template \"a\"}}{{template \"b\"}}");
        GoTemplate second = GoTemplate.parse("second", "{{define \"a\"}}2{{end}}{{define \"b\"}} {{end}}");
        TemplateRenderer renderer =
                TemplateRenderer.builder().template(first).template(second).build();
        assertThat(renderer.render("first", null)).isEqualTo("21");
        assertThat(renderer.render("a", null)).isEqualTo("2");
        assertThat(renderer.render("second", null)).isEmpty();
        assertThatThrownBy(() -> renderer.render("third", null)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void positionsAreInTheFileThatHasTheTemplate() {
        GoTemplate helper = GoTemplate.parse("helper", "\n{{define \"a\"}}{{index . 9}}{{end}}");
        GoTemplate main = GoTemplate.parse("main", "{{template \"a\" .}}");
        TemplateRenderer renderer =
                TemplateRenderer.builder().template(helper).template(main).build();
        assertThatThrownBy(() -> renderer.render("main", List.of()))
                .hasMessage("helper:2:17: at <index . 9>: index out of range: 9 of 0");
    }

    @Test
    void tellsOfEachPlaceThatAsksForAMissingKey() {
        List<MissingKey> missing = new ArrayList<>();
        String text =
                "{{ range .l }}{{ $.Values.a.b }}{{ end }}\n{{ with .Values }}{{ .c }}{{ end }}{{ if .d }}{{ end }}"
                        + "{{ or .e .f }}{{ .Values.there }}{{ .Values.nil }}";
        Map<String, @Nullable Object> values = new HashMap<>(Map.of("there", 1));
        values.put("nil", null);
        String result = of(text).missingKeys(MissingKeys.NO_VALUE)
                .onMissing(missing::add)
                .build()
                .render("t", Map.of("l", List.of(1, 2), "Values", values));
        assertThat(result).isEqualTo("<no value><no value>\n<no value><no value>1<no value>");
        assertThat(missing)
                .extracting(key -> key.position() + " " + String.join(".", key.path()) + (key.guarded() ? "?" : ""))
                .containsExactly("t:1:18 Values.a.b", "t:2:22 Values.c", "t:2:42 d?", "t:2:62 e?", "t:2:65 f?");
    }

    @Test
    void oneRendererServesManyThreads() {
        TemplateRenderer renderer = of("{{ range $i, $x := .l }}{{ $i }}{{ $x }}{{ $.none }};{{ end }}")
                .missingKeys(MissingKeys.EMPTY)
                .build();
        assertThat(IntStream.range(0, 500).parallel().boxed())
                .allSatisfy(i -> assertThat(renderer.render("t", Map.of("l", List.of("a", i))))
                        .isEqualTo("0a;1" + i + ";"));
    }
}
