package dev.sro.core.feature;

import dev.sro.api.FeatureExpression;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One entry of {@code matchFeatures}. Immutable. */
record FeatureTerm(
        String feature,
        @Nullable SortedMap<String, FeatureExpression> expressions,
        @Nullable FeatureExpression name) {

    /** A term that asks a feature for what it does not have. */
    static final class Misfit extends Exception {
        private static final long serialVersionUID = 1;

        Misfit(String message) {
            super(message);
        }
    }

    static FeatureTerm parse(String field, Map<String, Object> tree) {
        String feature = ValueTrees.text(tree, "feature");
        if (!feature.matches("[^.]+\\..+")) {
            throw new IllegalArgumentException(field + ".feature: \"" + feature
                    + "\" is no feature; write it as domain.name, for example pci.device");
        }
        SortedMap<String, FeatureExpression> expressions = null;
        if (tree.get("matchExpressions") instanceof Map<?, ?>) {
            expressions = new TreeMap<>();
            for (String key : ValueTrees.map(tree, "matchExpressions").keySet()) {
                expressions.put(
                        key,
                        expression(field + ".matchExpressions." + key, ValueTrees.map(tree, "matchExpressions", key)));
            }
        }
        FeatureExpression name = tree.get("matchName") instanceof Map<?, ?>
                ? expression(field + ".matchName", ValueTrees.map(tree, "matchName"))
                : null;
        if (expressions == null && name == null) {
            throw new IllegalArgumentException(field + ": has neither matchExpressions nor matchName; add one");
        }
        return new FeatureTerm(feature, expressions, name);
    }

    private static FeatureExpression expression(String field, Map<String, Object> tree) {
        List<String> values = new ArrayList<>();
        if (tree.get("value") instanceof List<?> list) {
            list.forEach(value -> values.add(String.valueOf(value)));
        } else if (tree.get("value") != null) {
            throw new IllegalArgumentException(field + ".value: is no list; write value: [...]");
        }
        String op = ValueTrees.text(tree, "op");
        String type = ValueTrees.text(tree, "type");
        try {
            return new FeatureExpression(
                    FeatureExpression.Op.valueOf(op),
                    values,
                    type.isEmpty()
                            ? FeatureExpression.Type.NUMBER
                            : FeatureExpression.Type.valueOf(type.toUpperCase(Locale.ROOT)));
        } catch (IllegalArgumentException e) {
            String why = String.valueOf(e.getMessage());
            boolean unknown = why.startsWith("No enum constant");
            throw new IllegalArgumentException(
                    field + ": " + (unknown ? "op \"" + op + "\", type \"" + type + "\": one of them is unknown" : why),
                    e);
        }
    }

    /** What of the feature matches, for templates; empty if it does not. */
    Optional<List<Map<String, String>>> match(RawFeatures features) throws Misfit {
        SortedSet<String> flags = features.flags().get(feature);
        if (flags != null) {
            return flags(flags);
        }
        SortedMap<String, String> attributes = features.attributes().get(feature);
        if (attributes != null) {
            return attributes(attributes);
        }
        List<SortedMap<String, String>> instances = features.instances().get(feature);
        return instances == null ? Optional.empty() : instances(instances);
    }

    private Optional<List<Map<String, String>>> flags(SortedSet<String> flags) throws Misfit {
        SortedMap<String, Map<String, String>> found = new TreeMap<>();
        if (expressions != null) {
            for (Map.Entry<String, FeatureExpression> each : expressions.entrySet()) {
                FeatureExpression.Op op = each.getValue().op();
                if (op != FeatureExpression.Op.Exists && op != FeatureExpression.Op.DoesNotExist) {
                    throw new Misfit(feature + " has names and no values, so that " + each.getKey()
                            + " cannot be compared by " + op + "; use Exists or DoesNotExist");
                }
                if (flags.contains(each.getKey()) != (op == FeatureExpression.Op.Exists)) {
                    return Optional.empty();
                }
                found.put(each.getKey(), Map.of("Name", each.getKey()));
            }
        }
        return named(flags, found, flag -> Map.of("Name", flag));
    }

    private Optional<List<Map<String, String>>> attributes(SortedMap<String, String> attributes) {
        SortedMap<String, Map<String, String>> found = new TreeMap<>();
        if (expressions != null) {
            for (Map.Entry<String, FeatureExpression> each : expressions.entrySet()) {
                if (!each.getValue().matches(each.getKey(), attributes)) {
                    return Optional.empty();
                }
                found.put(each.getKey(), element(each.getKey(), attributes));
            }
        }
        return named(attributes.keySet(), found, key -> element(key, attributes));
    }

    private static Map<String, String> element(String key, Map<String, String> attributes) {
        return Map.of("Name", key, "Value", attributes.getOrDefault(key, ""));
    }

    private Optional<List<Map<String, String>>> named(
            Iterable<String> keys,
            SortedMap<String, Map<String, String>> found,
            java.util.function.Function<String, Map<String, String>> element) {
        if (name != null) {
            boolean any = false;
            for (String key : keys) {
                if (name.matches(Optional.of(key))) {
                    any = true;
                    found.put(key, element.apply(key));
                }
            }
            if (!any) {
                return Optional.empty();
            }
        }
        return Optional.of(List.copyOf(found.values()));
    }

    private Optional<List<Map<String, String>>> instances(List<SortedMap<String, String>> instances) {
        List<Map<String, String>> found = new ArrayList<>();
        for (SortedMap<String, String> one : instances) {
            boolean valued = expressions == null
                    || expressions.entrySet().stream()
                            .allMatch(each -> each.getValue().matches(each.getKey(), one));
            boolean named = name == null || one.keySet().stream().anyMatch(key -> name.matches(Optional.of(key)));
            if (valued && named) {
                found.add(one);
            }
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(found);
    }
}
