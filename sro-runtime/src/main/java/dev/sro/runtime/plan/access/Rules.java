package dev.sro.runtime.plan.access;

import dev.sro.core.model.ValueTrees;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Rules of roles, as the API server reads them. Stateless. */
public final class Rules {

    private static final String ALL = "*";

    private Rules() {}

    /** Whether a right is among them. */
    static boolean allow(List<PolicyRule> rules, Right right) {
        return rules.stream()
                .anyMatch(rule -> has(rule.getVerbs(), right.verb())
                        && has(rule.getApiGroups(), right.group())
                        && has(rule.getResources(), right.resource())
                        && (rule.getResourceNames().isEmpty()
                                || rule.getResourceNames().contains(right.name())));
    }

    private static boolean has(List<String> words, String word) {
        return words.contains(ALL) || words.contains(word);
    }

    /** One by one, in a namespace or the whole cluster. */
    static List<Right> rights(List<PolicyRule> rules, String namespace) {
        List<Right> rights = new ArrayList<>();
        for (PolicyRule rule : rules) {
            for (String path : rule.getNonResourceURLs()) {
                rule.getVerbs().forEach(verb -> rights.add(new Right("", verb, "", path, "")));
            }
            List<String> names = rule.getResourceNames().isEmpty() ? List.of("") : rule.getResourceNames();
            for (String group : rule.getApiGroups()) {
                for (String resource : rule.getResources()) {
                    for (String name : names) {
                        rule.getVerbs().forEach(verb -> rights.add(new Right(namespace, verb, group, resource, name)));
                    }
                }
            }
        }
        return rights;
    }

    /** Those of a Role or ClusterRole. */
    public static List<PolicyRule> of(Map<String, Object> role) {
        return ValueTrees.maps(role, "rules").stream().map(Rules::rule).toList();
    }

    private static PolicyRule rule(Map<String, Object> rule) {
        return new PolicyRuleBuilder()
                .withApiGroups(texts(rule, "apiGroups"))
                .withResources(texts(rule, "resources"))
                .withResourceNames(texts(rule, "resourceNames"))
                .withNonResourceURLs(texts(rule, "nonResourceURLs"))
                .withVerbs(texts(rule, "verbs"))
                .build();
    }

    private static List<String> texts(Map<String, Object> tree, String field) {
        return tree.get(field) instanceof Collection<?> all
                ? all.stream().map(String::valueOf).toList()
                : List.of();
    }
}
