package dev.sro.core.feature;

import dev.sro.core.model.ValueTrees;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * {@code NodeFeatureRule} objects ({@code nfd.k8s-sigs.io/v1alpha1}), with the meaning that Node Feature Discovery gives them: matchers
 * ({@code matchFeatures}, {@code matchAny}, {@code matchName}), templates, variables that later rules see, values by reference
 * ({@code @kernel.version.major}), prefixes and the keys that NFD refuses. Immutable and thread-safe.
 *
 * <p>Regular expressions are those of Java, which has all that NFD's (RE2) have.
 */
public final class FeatureRules {

    /** None. */
    public static final FeatureRules NONE = new FeatureRules(List.of());

    private static final String PREFIX = "feature.node.kubernetes.io/";

    /** Of Kubernetes' own keys those that NFD may write. */
    private static final Pattern OPEN = Pattern.compile("(.+\\.)?(feature|profile)\\.node\\.kubernetes\\.io");

    private static final Pattern LABEL_VALUE = Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");
    private static final Pattern NAME = Pattern.compile("([a-z0-9.-]+/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    private static final Pattern QUANTITY = Pattern.compile("\\d+(k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?");
    private static final Set<String> EFFECTS = Set.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    /** NFD's limit of the value of an annotation. */
    private static final int MAX_ANNOTATION = 1024;

    private final List<FeatureRule> rules;

    private FeatureRules(List<FeatureRule> rules) {
        this.rules = List.copyOf(rules);
    }

    /**
     * Reads rules.
     *
     * @param objects trees of NodeFeatureRule objects, in any order; NFD goes by their names
     * @throws IllegalArgumentException if one is none; the message names object, field and fix
     */
    public static FeatureRules of(List<Map<String, Object>> objects) {
        List<FeatureRule> rules = new ArrayList<>();
        objects.stream()
                .sorted(Comparator.comparing(object -> ValueTrees.text(object, "metadata", "name")))
                .forEach(object -> {
                    String of = "NodeFeatureRule " + ValueTrees.text(object, "metadata", "name") + ": spec.rules[";
                    if (!ValueTrees.text(object, "kind").equals("NodeFeatureRule")) {
                        throw new IllegalArgumentException("kind \"" + ValueTrees.text(object, "kind")
                                + "\" is no NodeFeatureRule; give an object of nfd.k8s-sigs.io/v1alpha1");
                    }
                    List<Map<String, Object>> trees = ValueTrees.maps(object, "spec", "rules");
                    for (int i = 0; i < trees.size(); i++) {
                        rules.add(FeatureRule.parse(of + i + "]", trees.get(i)));
                    }
                });
        return new FeatureRules(rules);
    }

    /** What the rules come to on a node with these features. */
    public RuleResult evaluate(RawFeatures found) {
        Collector collector = new Collector(found);
        rules.forEach(collector::add);
        return collector.result();
    }

    /** Lives for one evaluation. */
    private static final class Collector {
        private RawFeatures features;
        private final SortedMap<String, String> labels = new TreeMap<>();
        private final SortedMap<String, String> annotations = new TreeMap<>();
        private final SortedMap<String, String> resources = new TreeMap<>();
        private final SortedSet<String> taints = new TreeSet<>();
        private final SortedMap<String, String> variables = new TreeMap<>();
        private final List<String> matched = new ArrayList<>();
        private final List<String> problems = new ArrayList<>();

        Collector(RawFeatures found) {
            features = found;
        }

        void add(FeatureRule rule) {
            Optional<FeatureRule.Given> given = rule.apply(features, problems);
            if (given.isEmpty()) {
                return;
            }
            matched.add(rule.name());
            variables.putAll(given.get().labels());
            variables.putAll(given.get().vars());
            features = features.withAttributes("rule.matched", variables);
            put(
                    rule,
                    "label",
                    given.get().labels(),
                    labels,
                    value -> LABEL_VALUE.matcher(value).matches());
            put(
                    rule,
                    "extended resource",
                    rule.texts("extendedResources"),
                    resources,
                    value -> QUANTITY.matcher(value).matches());
            put(
                    rule,
                    "annotation",
                    rule.texts("annotations"),
                    annotations,
                    value -> value.getBytes(StandardCharsets.UTF_8).length <= MAX_ANNOTATION);
            rule.taints().forEach(taint -> taint(rule, taint));
        }

        private void put(
                FeatureRule rule,
                String what,
                Map<String, String> from,
                SortedMap<String, String> to,
                Predicate<String> legal) {
            BiConsumer<String, String> refused =
                    (key, why) -> problems.add("rule " + rule.name() + ": " + what + " " + key + " " + why);
            from.forEach((name, text) -> {
                String key = name.contains("/") ? name : PREFIX + name;
                Optional<String> value = text.startsWith("@") ? referred(text.substring(1)) : Optional.of(text);
                if (!isOpen(key)) {
                    refused.accept(key, "is Kubernetes' own and not written");
                } else if (!NAME.matcher(key).matches()) {
                    refused.accept(key, "is no legal key and not written");
                } else if (value.isEmpty()) {
                    refused.accept(key, "refers to " + text + ", which the node does not have, and is not written");
                } else if (!legal.test(value.get())) {
                    refused.accept(key, "cannot have the value \"" + value.get() + "\" and is not written");
                } else {
                    to.put(key, value.get());
                }
            });
        }

        /** {@code domain.feature.element}; the element may have dots, and so may the feature. */
        private Optional<String> referred(String path) {
            for (Map.Entry<String, SortedMap<String, String>> each :
                    features.attributes().entrySet()) {
                if (path.startsWith(each.getKey() + ".")) {
                    String value =
                            each.getValue().get(path.substring(each.getKey().length() + 1));
                    if (value != null) {
                        return Optional.of(value);
                    }
                }
            }
            return Optional.empty();
        }

        private void taint(FeatureRule rule, Map<String, Object> taint) {
            String key = ValueTrees.text(taint, "key");
            String effect = ValueTrees.text(taint, "effect");
            String value = ValueTrees.text(taint, "value");
            if (!NAME.matcher(key).matches() || !isOpen(key) || !EFFECTS.contains(effect)) {
                problems.add("rule " + rule.name() + ": taint " + key + ":" + effect
                        + " is not written: its key is Kubernetes' own or none, or its effect is none");
            } else {
                taints.add(key + (value.isEmpty() ? "" : "=" + value) + ":" + effect);
            }
        }

        private static boolean isOpen(String key) {
            int slash = key.indexOf('/');
            String domain = slash < 0 ? "" : key.substring(0, slash);
            boolean own = domain.equals("kubernetes.io") || domain.endsWith(".kubernetes.io");
            return !own || OPEN.matcher(domain).matches();
        }

        RuleResult result() {
            return new RuleResult(
                    labels, annotations, resources, taints, variables, List.copyOf(matched), List.copyOf(problems));
        }
    }
}
