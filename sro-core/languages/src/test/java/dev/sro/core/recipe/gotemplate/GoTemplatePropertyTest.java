package dev.sro.core.recipe.gotemplate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

class GoTemplatePropertyTest {
    private static final List<String> PIECES = List.of(
            "{{",
            "}}",
            "{{-",
            "-}}",
            "{{- ",
            " -}}",
            "{{/*",
            "*/}}",
            " ",
            "\n",
            "\t",
            "if",
            "else",
            "end",
            "with",
            "range",
            "define",
            "block",
            "template",
            "break",
            "continue",
            "nil",
            "true",
            ".",
            ".a",
            ".b.c",
            "$",
            "$x",
            "$x :=",
            "$i, $x :=",
            "=",
            "|",
            "(",
            ")",
            ",",
            "\"a\"",
            "\"",
            "`",
            "'c'",
            "1",
            "-2.5",
            "0x1F",
            "print",
            "lookup",
            "index",
            "default",
            "é",
            "😀",
            "\ud800",
            "text",
            "{{if .a}}",
            "{{end}}",
            "{{else}}",
            "{{range $i, $x := .l}}",
            "{{.x}}",
            "{{with .y}}",
            "{{lookup \"a\" .b}}",
            "{{ .p | f (g 1) }}");

    @Provide
    static Arbitrary<String> soup() {
        Arbitrary<String> piece = Arbitraries.oneOf(
                Arbitraries.of(PIECES),
                Arbitraries.of(PIECES),
                Arbitraries.strings().ofMaxLength(2));
        return piece.list().ofMaxSize(40).map(pieces -> String.join("", pieces));
    }

    private static @Nullable GoTemplate parsed(String text) {
        try {
            return GoTemplate.parse("t", text);
        } catch (TemplateException e) {
            assertThat(e.position().line()).isBetween(1, text.split("\n", -1).length);
            return null;
        }
    }

    @Property(tries = 4000)
    void anyTextIsReadOrRefused(@ForAll("soup") String text) {
        GoTemplate template = parsed(text);
        if (template != null) {
            assertThat(template.rewrite(call -> null)).isSameAs(text);
            // One without arguments may stand for an operand, and gets parentheses.
            assertThat(template.rewrite(call ->
                            call.arguments().isEmpty() ? null : call.extent().of(text)))
                    .isEqualTo(text);
            template.references()
                    .forEach(each -> assertThat(each.extent().of(text)).isNotBlank());
            template.inclusions();
            template.definitions();
        }
    }

    @Property(tries = 4000)
    void anyTemplateIsRenderedOrRefused(@ForAll("soup") String text) {
        GoTemplate template = parsed(text);
        if (template == null) {
            return;
        }
        Map<String, Object> data =
                Map.of("a", 1, "b", Map.of("c", "x"), "x", "X", "y", Map.of("x", 2.5), "l", List.of(1, "b", Map.of()));
        TemplateRenderer.Builder renderer = TemplateRenderer.builder().template(template);
        List.of("f", "g", "lookup", "default").forEach(name -> renderer.function(name, List::size));
        try {
            assertThat(renderer.limits(new RenderLimits(10_000, 10_000)).build().render("t", data))
                    .hasSizeLessThan(10_001);
        } catch (TemplateException e) {
            assertThat(e.position().line()).isBetween(1, text.split("\n", -1).length);
        }
    }

    @Property(tries = 2000)
    void tokensLieOneBehindTheOtherAndNameTheirText(@ForAll("soup") String text) {
        Lexer lexer = new Lexer(text);
        int end = 0;
        for (Token token = lexer.next(); !token.is(Token.Kind.EOF); token = lexer.next()) {
            assertThat(token.start()).isBetween(token.is(Token.Kind.ERROR) ? 0 : end, text.length());
            if (token.is(Token.Kind.ERROR)) {
                assertThat(token.error()).isNotBlank();
                return;
            }
            String between = text.substring(end, token.start());
            assertThat(between.isBlank()
                            || between.contains("/*")
                            || between.strip().equals("-"))
                    .isTrue();
            assertThat(token.end()).isGreaterThan(token.start());
            end = token.end();
        }
    }

    @Property(tries = 1000)
    void positionsCountLinesAndCharacters(@ForAll("soup") String text) {
        Source source = new Source("t", text);
        int line = 1;
        int column = 1;
        for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
            assertThat(source.position(at)).isEqualTo(new Position("t", line, column));
            boolean newLine = text.charAt(at) == '\n';
            line += newLine ? 1 : 0;
            column = newLine ? 1 : column + 1;
        }
    }
}
