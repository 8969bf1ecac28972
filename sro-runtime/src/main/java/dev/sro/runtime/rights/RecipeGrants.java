package dev.sro.runtime.rights;

import static dev.sro.core.model.TreeLiterals.list;
import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.api.resource.ChartDependency;
import dev.sro.api.resource.ChartReference;
import dev.sro.api.resource.ChartRepository;
import dev.sro.api.resource.CredentialsSecret;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.client.rights.Grant;
import dev.sro.core.driver.SecretReads;
import dev.sro.core.model.Operands;
import dev.sro.runtime.install.OperatorParts;
import dev.sro.runtime.plan.PreviewedResource;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Roles and bindings that give a recipe what it needs, and SRO what it reads for it, part by part. Stateless. */
final class RecipeGrants {

    private static final String GROUP = "rbac.authorization.k8s.io";

    private RecipeGrants() {}

    /**
     * Objects to apply, under a sentence that says what each part is.
     *
     * @param specialResource its name
     * @param operator namespace of the operator
     */
    static Map<String, List<Map<String, Object>>> of(String specialResource, RecipeNeeds needs, String operator) {
        Map<String, List<Map<String, Object>>> parts = new LinkedHashMap<>();
        String name = RecipeNeeds.role(specialResource);
        Map<String, Object> account =
                subject(needs.account().name(), needs.account().namespace());
        String own = needs.account().namespace();
        List<PolicyRule> here = needs.byNamespace().getOrDefault(own, List.of());
        if (!here.isEmpty()) {
            parts.put(needs.account() + ": in the namespace of the operands", grant(name, own, here, account));
        }
        needs.byNamespace().forEach((namespace, rules) -> {
            if (!namespace.isEmpty() && !namespace.equals(own)) {
                parts.put(
                        needs.account() + ": in namespace " + namespace + ", which is not that of the operands",
                        grant(name, namespace, rules, account));
            }
        });
        List<PolicyRule> cluster = needs.byNamespace().getOrDefault("", List.of());
        if (!cluster.isEmpty()) {
            parts.put(
                    needs.account() + ": in the whole cluster. Who writes the recipe then acts there",
                    grant(name, "", cluster, account));
        }
        Map<String, Object> sro = subject(Grant.NAME, operator);
        if (!needs.seen().isEmpty()) {
            parts.put(
                    "SRO: to see what the recipe has made at the cluster scope",
                    grant(name + "-seen", "", needs.seen(), sro));
        }
        if (!needs.isStandard()) {
            PolicyRule act = new PolicyRuleBuilder()
                    .withApiGroups("")
                    .withResources("serviceaccounts")
                    .withResourceNames(needs.account().name())
                    .withVerbs("impersonate")
                    .build();
            parts.put("SRO: to act as that account", grant(name + "-account", own, List.of(act), sro));
        }
        return parts;
    }

    /**
     * What SRO writes itself for a special resource that no plugin knows, under a sentence that says what each part is; empty if that is
     * nothing.
     *
     * @param operator namespace of the operator
     */
    static Map<String, List<Map<String, Object>>> loads(PreviewedResource previewed, String operator) {
        DriverNeeds needs = DriverNeeds.of(previewed);
        Map<String, List<Map<String, Object>>> parts = new LinkedHashMap<>();
        Map<String, Object> sro = subject(Grant.NAME, operator);
        String name = Grant.NAME + "-loads-" + previewed.name();
        if (!needs.written().isEmpty()) {
            parts.put(
                    "SRO: to load the modules of spec.driver, from the namespace of the operands",
                    grant(name, Operands.namespace(previewed.resource()), needs.written(), sro));
        }
        if (!needs.seen().isEmpty()) {
            parts.put("SRO: to see what loads them", grant(name, "", needs.seen(), sro));
        }
        return parts;
    }

    /**
     * What SRO reads for a special resource, Secret by Secret, under a sentence that says what each part is; empty if that is nothing.
     *
     * @param previewed the special resource, with what its drivers need
     * @param operator namespace of the operator
     */
    static Map<String, List<Map<String, Object>>> reads(PreviewedResource previewed, String operator) {
        SortedMap<String, List<PolicyRule>> byNamespace = new TreeMap<>();
        SecretReads secrets = previewed.preview().secrets();
        String own = Operands.namespace(previewed.resource());
        secrets(byNamespace, own, secrets.watched(), "list", "watch");
        SortedMap<String, SortedSet<String>> fetched = new TreeMap<>();
        if (!secrets.fetched().isEmpty()) {
            fetched.put(own, new TreeSet<>(secrets.fetched()));
        }
        chartLogins(previewed.resource())
                .forEach(login -> fetched.computeIfAbsent(login.getNamespace(), unused -> new TreeSet<>())
                        .add(login.getName()));
        fetched.forEach((namespace, names) -> secrets(byNamespace, namespace, names, "get"));
        Map<String, List<Map<String, Object>>> parts = new LinkedHashMap<>();
        byNamespace.forEach((namespace, rules) -> parts.put(
                "SRO: to read the Secrets that the special resource names in namespace " + namespace,
                grant(Grant.NAME + "-reads-" + previewed.name(), namespace, rules, subject(Grant.NAME, operator))));
        return parts;
    }

    private static void secrets(
            Map<String, List<PolicyRule>> byNamespace, String namespace, SortedSet<String> names, String... verbs) {
        if (!names.isEmpty()) {
            byNamespace
                    .computeIfAbsent(namespace, unused -> new ArrayList<>())
                    .add(new PolicyRuleBuilder()
                            .withApiGroups("")
                            .withResources("secrets")
                            .withResourceNames(List.copyOf(names))
                            .withVerbs(verbs)
                            .build());
        }
    }

    /** Of its own chart, and of those that it brings along, as they are fetched before there is anything else of them. */
    private static Stream<CredentialsSecret> chartLogins(SpecialResource resource) {
        SpecialResourceSpec spec = resource.getSpec();
        return spec == null
                ? Stream.empty()
                : Stream.concat(
                                Stream.ofNullable(spec.getChart()),
                                spec.getDependencies().stream()
                                        .map(ChartDependency::getChart)
                                        .filter(Objects::nonNull))
                        .map(ChartReference::getRepository)
                        .filter(Objects::nonNull)
                        .map(ChartRepository::getCredentialsSecret)
                        .filter(Objects::nonNull);
    }

    private static Map<String, Object> subject(String name, String namespace) {
        return map("kind", "ServiceAccount", "name", name, "namespace", namespace);
    }

    /** @param namespace empty for the whole cluster */
    private static List<Map<String, Object>> grant(
            String name, String namespace, List<PolicyRule> rules, Map<String, Object> subject) {
        String kind = namespace.isEmpty() ? "ClusterRole" : "Role";
        List<Map<String, Object>> objects = new ArrayList<>();
        objects.add(object(
                kind,
                name,
                namespace,
                "rules",
                rules.stream().map(OperatorParts::rule).toList()));
        Map<String, Object> binding = object(
                kind + "Binding", name, namespace, "roleRef", map("apiGroup", GROUP, "kind", kind, "name", name));
        binding.put("subjects", list(subject));
        objects.add(binding);
        return objects;
    }

    private static Map<String, Object> object(String kind, String name, String namespace, String field, Object value) {
        Map<String, Object> metadata = map("name", name);
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        return map("apiVersion", GROUP + "/v1", "kind", kind, "metadata", metadata, field, value);
    }
}
