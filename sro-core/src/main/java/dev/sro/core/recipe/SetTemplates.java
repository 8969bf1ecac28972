package dev.sro.core.recipe;

import dev.sro.api.Problem;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.gotemplate.GoTemplate;
import dev.sro.core.recipe.gotemplate.MissingKey;
import dev.sro.core.recipe.gotemplate.MissingKeys;
import dev.sro.core.recipe.gotemplate.TemplateException;
import dev.sro.core.recipe.gotemplate.TemplateRenderer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Templates in {@code spec.set}, which are executed before the chart sees the values: texts with <code>{{ .Values.… }}</code> in
 * them, where {@code .Values} is what is known of cluster and pool. Go's template language without further functions, as in the
 * original; but each text is a template by itself, so that quotes break nothing, and each pool gets its own values. Stateless.
 */
final class SetTemplates {

    private static final String OPENING = "{{";

    private SetTemplates() {}

    /**
     * The values with their templates executed; the same object if there are none.
     *
     * @param runtime as charts see it
     * @param warnings gets a line for each value that is not defined; it is empty
     * @throws RecipeFailure if a template cannot be executed; names the field
     */
    static Map<String, Object> execute(
            Map<String, Object> set, Map<String, Object> runtime, Collection<String> warnings) {
        if (!hasTemplates(set)) {
            return set;
        }
        Map<String, Object> values = new LinkedHashMap<>(runtime);
        values.put("proxy", bothSpellings(ValueTrees.map(runtime, "proxy")));
        return new Execution(Map.of("Values", values), warnings).map("spec.set", set);
    }

    private static boolean hasTemplates(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.values().stream().anyMatch(SetTemplates::hasTemplates);
        }
        if (value instanceof List<?> list) {
            return list.stream().anyMatch(SetTemplates::hasTemplates);
        }
        return value instanceof String text && text.contains(OPENING);
    }

    /** This phase had the names of Go's fields where charts have those of JSON. */
    private static Map<String, Object> bothSpellings(Map<String, Object> proxy) {
        Map<String, Object> both = new LinkedHashMap<>(proxy);
        proxy.forEach((name, value) -> both.put(Character.toUpperCase(name.charAt(0)) + name.substring(1), value));
        return both;
    }

    private record Execution(Map<String, Object> data, Collection<String> warnings) {

        Map<String, Object> map(String path, Map<?, ?> map) {
            Map<String, Object> result = new LinkedHashMap<>();
            map.forEach((key, value) -> put(result, String.valueOf(key), value(path + "." + key, value)));
            return result;
        }

        /** A null means something: it takes away what the chart has. */
        @SuppressWarnings("NullAway")
        private static void put(Map<String, Object> map, String key, @Nullable Object value) {
            map.put(key, value);
        }

        private @Nullable Object value(String path, @Nullable Object value) {
            if (value instanceof Map<?, ?> map) {
                return map(path, map);
            }
            if (value instanceof List<?> list) {
                List<@Nullable Object> result = new ArrayList<>(list.size());
                for (int i = 0; i < list.size(); i++) {
                    result.add(value(path + "[" + i + "]", list.get(i)));
                }
                return result;
            }
            return value instanceof String text && text.contains(OPENING) ? text(path, text) : value;
        }

        private void warn(String path, MissingKey missing) {
            if (!missing.guarded()) {
                warnings.add(path + ": ." + String.join(".", missing.path()) + " is not defined and renders empty");
            }
        }

        private String text(String path, String text) {
            try {
                return TemplateRenderer.builder()
                        .template(GoTemplate.parse(path, text))
                        .missingKeys(MissingKeys.EMPTY)
                        .onMissing(missing -> warn(path, missing))
                        .build()
                        .render(path, data);
            } catch (TemplateException e) {
                throw new RecipeFailure(Problem.user("TemplateFailed", String.valueOf(e.getMessage())), e);
            }
        }
    }
}
