package dev.sro.core.recipe.gotemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody's template takes the operator's memory, its stack or its time. */
@Timeout(60)
class HostileTemplateTest {
    private static final RenderLimits SMALL = new RenderLimits(100_000, 100_000);

    private static String render(String text, @Nullable Object data, RenderLimits limits) {
        GoTemplate template = GoTemplate.parse("t", text);
        return TemplateRenderer.builder()
                .template(template)
                .limits(limits)
                .build()
                .render("t", data);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{range 1000000000000}}{{end}}",
                "{{range 100000}}{{range 100000}}{{end}}{{end}}",
                "{{range .l}}{{range $.l}}{{range $.l}}{{range $.l}}{{end}}{{end}}{{end}}{{end}}",
                "{{define \"a\"}}{{template \"a\"}}{{template \"a\"}}{{end}}{{range 1000}}{{if 0}}{{template"
                        + " \"a\"}}{{end}}{{end}}{{range 100000000}}{{end}}",
                "{{range 100000}}{{len $.s}}{{end}}",
                "{{range 100000}}{{$x := eq $.s $.s}}{{end}}",
                "{{range 100000}}{{$x := index $.s 1}}{{end}}",
                "{{range 100000}}{{$x := len (print 5e-324)}}{{end}}"
            })
    void endsWhatTakesTooManySteps(String text) {
        Map<String, Object> data =
                Map.of("l", new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9)), "s", "x".repeat(10_000));
        RenderLimits limits = text.contains("$.l") ? new RenderLimits(5000, 100_000) : SMALL;
        assertThatThrownBy(() -> render(text, data, limits))
                .isInstanceOf(TemplateException.class)
                .hasMessageContaining("not done after " + limits.steps() + " steps");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{range 100000}}{{.}} {{end}}",
                "{{$x := \"ab\"}}{{range 64}}{{$x = print $x $x}}{{end}}",
                "{{$x := \"ab\"}}{{range 64}}{{$x = printf \"%s%s\" $x $x}}{{end}}",
                "{{$x := \"<<\"}}{{range 64}}{{$x = html $x $x}}{{end}}",
                "{{$x := \"<<\"}}{{range 64}}{{$x = js $x $x}}{{end}}",
                "{{$x := \"<<\"}}{{range 64}}{{$x = urlquery $x $x}}{{end}}",
                "{{printf \"%1000000d\" 1}}",
                "{{printf \"%.1000000d\" 1}}",
                "{{printf \"%.1000000f\" 1.5}}",
                "{{printf \"%.1000000e\" 1.5}}",
                "{{printf \"%*d\" 1000000 1}}",
                "{{range 100}}{{print $.s}}{{end}}",
                "{{range 100}}{{$.s}}{{end}}",
                "{{range 100}}{{$x := slice $.s 1}}{{end}}",
                "{{range 100}}{{$x := printf \"%x\" $.s}}{{end}}"
            })
    void endsWhatWritesTooMuch(String text) {
        assertThatThrownBy(() -> render(text, Map.of("s", "x".repeat(10_000)), new RenderLimits(10_000_000, 100_000)))
                .isInstanceOf(TemplateException.class)
                .hasMessageContaining("more than 100000 characters");
    }

    @Test
    void endsTemplatesThatCallThemselvesWithinASmallStack() throws InterruptedException {
        String deep = "{{if 1}}".repeat(150) + "{{template \"a\" (((((((((.)))))))))}}" + "{{end}}".repeat(150);
        onSmallStack("{{define \"a\"}}" + deep + "{{end}}{{template \"a\" .}}", null);
        onSmallStack("{{define \"a\"}}{{template \"a\"}}{{end}}{{template \"a\"}}", null);
        onSmallStack("{{define \"a\"}}{{range .}}{{template \"a\" $}}{{end}}{{end}}{{template \"a\" .}}", List.of(1));
    }

    @Test
    void endsAtDataThatIsNestedTooDeeplyOrContainsItself() throws InterruptedException {
        List<Object> list = new ArrayList<>();
        list.add(list);
        onSmallStack("{{.}}", list);
        Map<String, Object> map = new HashMap<>();
        map.put("a", map);
        onSmallStack("{{printf \"%#v\" .}}", map);
        onSmallStack("{{define \"a\"}}{{template \"a\" .a}}{{end}}{{template \"a\" .}}", map);
    }

    @Test
    void findsPlacesOnLongLinesInLinearTime() {
        String text = "{{ .a }}😀".repeat(50_000);
        List<FieldReference> references = GoTemplate.parse("t", text).references();
        assertThat(references.get(49_999).position()).hasToString("t:1:449995");
        List<MissingKey> missing = new ArrayList<>();
        String loop = "x".repeat(1_000_000) + "{{ range 100000 }}{{ $.a }}{{ end }}";
        TemplateRenderer renderer = TemplateRenderer.builder()
                .template(GoTemplate.parse("t", loop))
                .onMissing(missing::add)
                .build();
        assertThat(renderer.render("t", Map.of())).hasSize(2_000_000);
        assertThat(missing).hasToString("[MissingKey[position=t:1:1000022, path=[a], guarded=false]]");
    }

    private static void onSmallStack(String text, @Nullable Object data) throws InterruptedException {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Runnable rendering = () -> render(text, data, RenderLimits.DEFAULT);
        Thread thread = new Thread(null, rendering, "small", 512 << 10);
        thread.setUncaughtExceptionHandler((which, error) -> thrown.set(error));
        thread.start();
        thread.join();
        assertThat(thrown.get())
                .isInstanceOf(TemplateException.class)
                .hasMessageContaining("templates or data are nested deeper than 400 levels");
    }

    @Test
    void readsLongTextsInLinearTime() {
        String text = "{{ $x := .a }}{{ $x.b | f (g `}}` 'c' 1e3) }}\n".repeat(20_000) + "{{/*";
        assertThatThrownBy(() -> GoTemplate.parse("t", text)).hasMessageContaining("t:20001:3: unclosed comment");
        String good = text.substring(0, text.length() - 4);
        GoTemplate template = GoTemplate.parse("t", good);
        assertThat(template.references()).hasSize(40_000);
        assertThat(template.calls()).hasSize(40_000);
        assertThat(template.rewrite(call -> call.name().equals("g") ? "1" : null))
                .contains("{{ $x.b | f (1) }}");
    }
}
