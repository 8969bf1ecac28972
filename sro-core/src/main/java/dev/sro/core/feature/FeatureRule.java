package dev.sro.core.feature;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.gotemplate.GoTemplate;
import dev.sro.core.recipe.gotemplate.MissingKeys;
import dev.sro.core.recipe.gotemplate.TemplateException;
import dev.sro.core.recipe.gotemplate.TemplateRenderer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One rule. Immutable. */
final class FeatureRule {

    private final String name;
    private final List<List<FeatureTerm>> any;
    private final List<FeatureTerm> all;
    private final Map<String, Object> tree;
    private final @Nullable TemplateRenderer labels;
    private final @Nullable TemplateRenderer vars;

    private FeatureRule(String field, Map<String, Object> tree) {
        this.tree = tree;
        this.name = ValueTrees.text(tree, "name");
        this.any = new ArrayList<>();
        List<Map<String, Object>> matchers = ValueTrees.maps(tree, "matchAny");
        for (int i = 0; i < matchers.size(); i++) {
            any.add(terms(field + ".matchAny[" + i + "]", matchers.get(i)));
        }
        this.all = terms(field, tree);
        this.labels = template(field, "labelsTemplate");
        this.vars = template(field, "varsTemplate");
    }

    static FeatureRule parse(String field, Map<String, Object> tree) {
        if (ValueTrees.text(tree, "name").isEmpty()) {
            throw new IllegalArgumentException(field + ".name: is missing; give the rule a name");
        }
        return new FeatureRule(field, tree);
    }

    private static List<FeatureTerm> terms(String field, Map<String, Object> tree) {
        List<FeatureTerm> terms = new ArrayList<>();
        List<Map<String, Object>> trees = ValueTrees.maps(tree, "matchFeatures");
        for (int i = 0; i < trees.size(); i++) {
            terms.add(FeatureTerm.parse(field + ".matchFeatures[" + i + "]", trees.get(i)));
        }
        return terms;
    }

    private @Nullable TemplateRenderer template(String field, String key) {
        String text = ValueTrees.text(tree, key);
        if (text.isEmpty()) {
            return null;
        }
        try {
            return TemplateRenderer.builder()
                    .template(GoTemplate.parse(key, text))
                    .missingKeys(MissingKeys.ERROR)
                    .build();
        } catch (TemplateException e) {
            throw new IllegalArgumentException(field + "." + key + ": " + e.getMessage(), e);
        }
    }

    String name() {
        return name;
    }

    /** What the rule asks for, by names as it has them. */
    record Given(SortedMap<String, String> labels, SortedMap<String, String> vars) {}

    /** Labels and variables; empty if it does not match. */
    Optional<Given> apply(RawFeatures features, List<String> problems) {
        try {
            SortedMap<String, String> gotLabels = new TreeMap<>();
            SortedMap<String, String> gotVars = new TreeMap<>();
            boolean matched = any.isEmpty();
            for (List<FeatureTerm> one : any) {
                Optional<Map<String, Object>> data = match(one, features);
                if (data.isPresent()) {
                    matched = true;
                    render(data.get(), gotLabels, gotVars);
                }
            }
            if (!matched) {
                return Optional.empty();
            }
            if (!all.isEmpty()) {
                Optional<Map<String, Object>> data = match(all, features);
                if (data.isEmpty()) {
                    return Optional.empty();
                }
                render(data.get(), gotLabels, gotVars);
            }
            gotLabels.putAll(texts("labels"));
            gotVars.putAll(texts("vars"));
            return Optional.of(new Given(gotLabels, gotVars));
        } catch (FeatureTerm.Misfit | TemplateException | IllegalArgumentException e) {
            problems.add("rule " + name + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    /** Everything that matched, by the parts of the features' names. */
    private static Optional<Map<String, Object>> match(List<FeatureTerm> terms, RawFeatures features)
            throws FeatureTerm.Misfit {
        Map<String, Map<String, List<Object>>> found = new HashMap<>();
        for (FeatureTerm term : terms) {
            Optional<List<Map<String, String>>> elements = term.match(features);
            if (elements.isEmpty()) {
                return Optional.empty();
            }
            String[] parts = term.feature().split("\\.", 2);
            found.computeIfAbsent(parts[0], unused -> new HashMap<>())
                    .computeIfAbsent(parts[1], unused -> new ArrayList<>())
                    .addAll(elements.get());
        }
        return Optional.of(Collections.unmodifiableMap(new HashMap<String, Object>(found)));
    }

    private void render(Map<String, Object> data, Map<String, String> gotLabels, Map<String, String> gotVars) {
        if (labels != null) {
            gotLabels.putAll(lines("labelsTemplate", labels.render("labelsTemplate", data)));
        }
        if (vars != null) {
            gotVars.putAll(lines("varsTemplate", vars.render("varsTemplate", data)));
        }
    }

    private static Map<String, String> lines(String field, String text) {
        Map<String, String> lines = new TreeMap<>();
        text.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(line -> {
            int equals = line.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException(
                        field + ": the line \"" + line + "\" has no value; write key=value on each line");
            }
            lines.put(line.substring(0, equals), line.substring(equals + 1));
        });
        return lines;
    }

    /** A map of texts of the rule. */
    SortedMap<String, String> texts(String key) {
        SortedMap<String, String> texts = new TreeMap<>();
        ValueTrees.map(tree, key).forEach((one, value) -> texts.put(one, String.valueOf(value)));
        return texts;
    }

    List<Map<String, Object>> taints() {
        return ValueTrees.maps(tree, "taints");
    }
}
