package dev.sro.core.recipe.gotemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GoTemplateTest {
    private static GoTemplate parse(String text) {
        return GoTemplate.parse("t.yaml", text);
    }

    static List<Map<String, Object>> syntaxErrors() {
        return Vectors.of("syntax-errors.yaml");
    }

    @ParameterizedTest
    @MethodSource("syntaxErrors")
    void saysWhereATemplateIsWrongAndWhatIsExpected(Map<String, Object> vector) {
        assertThatThrownBy(() -> parse(Vectors.string(vector, "text")))
                .isInstanceOf(TemplateException.class)
                .hasMessageStartingWith("t.yaml:" + vector.get("at") + ": ")
                .hasMessageContaining(Vectors.string(vector, "says"));
    }

    static List<Map<String, Object>> references() {
        return Vectors.of("references.yaml");
    }

    @ParameterizedTest
    @MethodSource("references")
    void findsFieldsAndWhatGuardsThem(Map<String, Object> vector) {
        GoTemplate template = parse(Vectors.string(vector, "text"));
        assertThat(template.references()).extracting(GoTemplateTest::shortForm).isEqualTo(vector.get("reads"));
    }

    private static String shortForm(FieldReference reference) {
        return String.join(".", reference.path())
                + (reference.guarded() ? "?" : "")
                + reference.requires().stream()
                        .map(path -> "<" + String.join(".", path))
                        .collect(Collectors.joining());
    }

    @Test
    void saysWhichFieldsMayBeMissing() {
        GoTemplate template = parse("{{ if .a }}{{ .a.b }}{{ end }}{{ .c.d }}{{ .e | default 1 }}");
        assertThat(missing(template, List.of("c", "d"))).isEmpty();
        assertThat(missing(template, List.of("a"))).containsExactly(".a.b", ".c.d");
        assertThat(missing(template, List.of())).containsExactly(".c.d");
    }

    @Test
    void saysWhereAFieldIsRead() {
        GoTemplate template = parse("é: {{ .a }}\n😀 {{ with .b }}{{ print .c.d }}{{ end }}");
        assertThat(template.references())
                .extracting(each -> each.position() + " " + each.extent().of(template.text()) + " " + each.dotted())
                .containsExactly("t.yaml:1:7 .a .a", "t.yaml:2:11 .b .b", "t.yaml:2:25 .c.d .b.c.d");
    }

    private static List<String> missing(GoTemplate template, List<String> defined) {
        return template.references().stream()
                .filter(reference -> reference.mayBeMissing(defined::equals))
                .map(FieldReference::dotted)
                .toList();
    }

    @Test
    void findsCallsWithTheirArguments() {
        GoTemplate template = parse("{{ .x | quote }}\n {{ $v := .Capabilities.APIVersions }}{{ if $v.Has \"v1\" }}"
                + "{{ printf \"%s\" (lookup \"v1\" .k \"\" `n`).name | upper }}{{ end }}");
        assertThat(template.calls())
                .extracting(Call::name)
                .containsExactly("quote", "Has", "printf", "upper", "lookup");
        Call has = template.calls().get(1);
        assertThat(has.isMethod()).isTrue();
        assertThat(has.names()).containsExactly("Has");
        assertThat(has.path()).contains(List.of("Capabilities", "APIVersions", "Has"));
        assertThat(has.receiver(1)).isEqualTo("$v");
        assertThat(has.position()).hasToString("t.yaml:2:45");
        assertThat(has.extent().of(template.text())).isEqualTo("$v.Has \"v1\"");
        Call lookup = template.calls().get(4);
        assertThat(lookup.arguments())
                .extracting(Argument::literal)
                .map(each -> each.orElse(null))
                .containsExactly("v1", null, "", "n");
        assertThat(lookup.arguments().get(1).path()).contains(List.of("k"));
        Call quote = template.calls().get(0);
        assertThat(quote.isPiped()).isTrue();
        assertThat(quote.arguments()).hasToString("[.x]");
        assertThat(quote.path()).isEmpty();
        assertThat(template.calls().get(3).arguments())
                .hasToString("[(printf \"%s\" (lookup \"v1\" .k \"\" `n`).name)]");
    }

    @Test
    void givesTheReceiverOfAChainWithoutItsLastNames() {
        Call call = parse("{{ $.a.b.Has 1 }}").calls().get(0);
        assertThat(Stream.of(1, 2, 3).map(call::receiver)).containsExactly("$.a.b", "$.a", "$");
        assertThat(parse("{{ .a.Has 1 }}").calls().get(0).receiver(1)).isEqualTo(".a");
        assertThatThrownBy(() -> call.receiver(4)).isInstanceOf(IllegalArgumentException.class);
        Call function = parse("{{ f 1 }}").calls().get(0);
        assertThatThrownBy(() -> function.receiver(1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void findsDefinitionsAndWhereTheyAreUsed() {
        GoTemplate template = parse("{{ define \"a\" }}{{ template \"b\" }}{{ end }}\n"
                + "{{ include \"a\" .Values | indent 2 }}{{ block \"c\" $ }}{{ \"a\" | include }}{{ end }}{{"
                + " template `a` .x.y }}{{ include .name . }}");
        assertThat(template.definitions())
                .hasToString("[Definition[name=a, block=false, position=t.yaml:1:11, "
                        + "extent=TextSpan[start=0, end=43]], Definition[name=c, block=true, position=t.yaml:2:46, "
                        + "extent=TextSpan[start=80, end=125]]]");
        assertThat(template.inclusions())
                .extracting(each -> each.kind() + " " + each.name() + " in " + each.template() + " with "
                        + each.argument()
                                .map(path -> "." + String.join(".", path))
                                .orElse("?"))
                .containsExactly(
                        "TEMPLATE b in a with ?",
                        "INCLUDE a in t.yaml with .Values",
                        "BLOCK c in t.yaml with .",
                        "TEMPLATE a in t.yaml with .x.y");
    }

    static List<Map<String, Object>> rewriting() {
        return Vectors.of("rewriting.yaml");
    }

    @ParameterizedTest
    @MethodSource("rewriting")
    void replacesCallsAndLeavesTheRestAsItIs(Map<String, Object> vector) {
        assertThat(parse(Vectors.string(vector, "text")).rewrite(GoTemplateTest::withoutCluster))
                .isEqualTo(vector.get("becomes"));
    }

    private static @Nullable String withoutCluster(Call call) {
        if (!call.isMethod()) {
            return call.name().equals("lookup") ? "dict" : null;
        }
        List<String> has = List.of("Capabilities", "APIVersions", "Has");
        if (call.names().equals(has)) {
            return "(has " + call.receiver(3) + " " + call.arguments().get(0) + ")";
        }
        return call.path().filter(has::equals).isPresent()
                ? "(has $ " + call.arguments().get(0) + ")"
                : null;
    }

    @Test
    void refusesReplacementsThatMakeNoTemplate() {
        assertThatThrownBy(() -> parse("{{ f }}").rewrite(call -> "(g"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("t.yaml:1:7: unclosed left paren");
    }

    @Test
    void endsAtLimitsWithAMessage() {
        assertThatThrownBy(() -> parse("{{" + "(".repeat(100_000)))
                .hasMessageContaining("t.yaml:1:203: nested deeper than 200 levels");
        assertThatThrownBy(() -> parse("{{if 1}}".repeat(100_000)))
                .hasMessageContaining("nested deeper than 200 levels");
        assertThatThrownBy(() -> parse("{{ 1" + " | f".repeat(100_000) + " }}"))
                .hasMessageContaining("more than 1000 commands");
        assertThatThrownBy(() -> parse("{{ " + "1".repeat(100_000) + " }}"))
                .hasMessageContaining("a number with more than 1000 characters");
    }

    @Test
    void readsLongChainsOfElseIf() {
        String text = "{{if .a}}1" + "{{else if .b}}2".repeat(20_000) + "{{end}}";
        assertThat(parse(text).references()).hasSize(20_001);
    }
}
