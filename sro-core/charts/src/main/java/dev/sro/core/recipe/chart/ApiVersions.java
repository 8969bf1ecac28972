package dev.sro.core.recipe.chart;

import dev.sro.core.recipe.gotemplate.Call;
import dev.sro.core.recipe.gotemplate.FieldReference;
import dev.sro.core.recipe.gotemplate.GoTemplate;
import dev.sro.core.recipe.gotemplate.TemplateException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@code .Capabilities.APIVersions} those of the cluster: the engine has a list of its own, which has a method and cannot be
 * changed. So a question becomes a call of a generated template, wherever it is asked and whatever the context is. No
 * other object within a template's reach has a method of the name {@code Has}. Stateless.
 */
final class ApiVersions {

    private static final String FIELD = "APIVersions";
    private static final String METHOD = "Has";

    private ApiVersions() {}

    /** The generated templates: one answers a question, one has them all. */
    static String templates(Collection<String> served) {
        StringBuilder text = new StringBuilder("{{- define \"sro.dev/served\" }}{{ hasKey (dict");
        served.forEach(
                version -> text.append(' ').append(GoQuote.quote(version)).append(" \"\""));
        text.append(") . }}{{ end -}}\n{{- define \"sro.dev/all-served\" }}{{ list");
        served.forEach(version -> text.append(' ').append(GoQuote.quote(version)));
        return text.append(" | toJson }}{{ end -}}\n").toString();
    }

    /** What is in the file, with questions and other uses replaced; untouched when there is none. */
    static byte[] rewritten(ChartFile file) {
        String text = file.text();
        if (!text.contains(FIELD) && !text.contains("." + METHOD)) {
            return file.bytes();
        }
        try {
            String asked = GoTemplate.parse(file.path(), text).rewrite(ApiVersions::question);
            String result = withoutFields(GoTemplate.parse(file.path(), asked));
            return result.equals(text) ? file.bytes() : result.getBytes(StandardCharsets.UTF_8);
        } catch (TemplateException | IllegalArgumentException e) {
            // The engine will not parse it either, and says so in Helm's words.
            return file.bytes();
        }
    }

    private static @Nullable String question(Call call) {
        boolean has = call.isMethod()
                && call.name().equals(METHOD)
                && call.arguments().size() == 1;
        return has ? "eq (include \"sro.dev/served\" " + call.arguments().get(0).source() + ") \"true\"" : null;
    }

    private static String withoutFields(GoTemplate template) {
        List<FieldReference> fields = new ArrayList<>();
        for (FieldReference reference : template.references()) {
            int last = reference.path().size() - 1;
            boolean known = fields.stream().anyMatch(field -> field.extent().equals(reference.extent()));
            if (last >= 0 && reference.path().get(last).equals(FIELD) && !known && isWritten(template, reference)) {
                fields.add(reference);
            }
        }
        fields.sort(
                Comparator.comparingInt((FieldReference field) -> field.extent().start())
                        .reversed());
        StringBuilder text = new StringBuilder(template.text());
        fields.forEach(field -> text.replace(
                field.extent().start(), field.extent().end(), "(include \"sro.dev/all-served\" \"\" | fromJsonArray)"));
        return text.toString();
    }

    /** Not a variable that holds it: that has been replaced where it was set. */
    private static boolean isWritten(GoTemplate template, FieldReference reference) {
        return template.text()
                .substring(reference.extent().start(), reference.extent().end())
                .endsWith("." + FIELD);
    }

    /**
     * Whether a text that the engine may be asked to render out of a value, or a file, speaks of them: there the engine's own
     * list applies.
     */
    static boolean isIn(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.values().stream().anyMatch(ApiVersions::isIn);
        }
        if (value instanceof Collection<?> items) {
            return items.stream().anyMatch(ApiVersions::isIn);
        }
        return value instanceof String text && text.contains("{{") && text.contains("." + FIELD);
    }
}
