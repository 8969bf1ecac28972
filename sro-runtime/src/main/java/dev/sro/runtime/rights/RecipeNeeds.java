package dev.sro.runtime.rights;

import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.model.ValueTrees;
import dev.sro.runtime.plan.PreviewedResource;
import dev.sro.runtime.plan.access.ResourceNames;
import dev.sro.runtime.plan.access.Rules;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the rendered objects of a recipe need: of the account that writes and sees them, by the namespace of the objects, and of SRO, which
 * sees those that are in none. Immutable.
 *
 * @param account by whose rights the recipe is applied
 * @param byNamespace what the account needs; under the empty name at the cluster scope
 * @param seen what SRO has to see at the cluster scope
 */
record RecipeNeeds(RecipeAccount account, SortedMap<String, List<PolicyRule>> byNamespace, List<PolicyRule> seen) {

    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final String[] WRITES = {"get", "create", "patch", "delete"};
    private static final String[] READS = {"get", "list", "watch"};
    private static final String[] ALL = {"get", "list", "watch", "create", "patch", "delete"};

    /** Of a special resource that was rendered; empty where a plugin brought the recipe, which is applied by SRO's own rights. */
    static Optional<RecipeNeeds> of(PreviewedResource previewed) {
        List<KubeObject> objects = Stream.concat(
                        previewed.desired().stream().map(Desired::object),
                        previewed.preview().states().stream()
                                .map(DesiredState::hooks)
                                .flatMap(List::stream)
                                .map(DesiredHook::object))
                .filter(object -> RecipeAccount.of(object).isPresent())
                .toList();
        return objects.stream()
                .findFirst()
                .flatMap(RecipeAccount::of)
                .map(account -> new Collected(account, objects)
                        .needs(previewed.resource().getSpec() != null
                                && previewed.resource().getSpec().getChart() != null));
    }

    /** Collects rules. Lives for one recipe. */
    private static final class Collected {
        private final RecipeAccount account;
        private final List<KubeObject> objects;
        private final ResourceNames names;
        private final SortedMap<String, Map<String, PolicyRule>> rules = new TreeMap<>();
        private final Map<String, PolicyRule> seen = new LinkedHashMap<>();

        Collected(RecipeAccount account, List<KubeObject> objects) {
            this.account = account;
            this.objects = objects;
            this.names = new ResourceNames(objects);
        }

        RecipeNeeds needs(boolean released) {
            if (released) {
                // Of the records of its releases.
                need(account.namespace(), "", "secrets");
            }
            objects.forEach(this::add);
            SortedMap<String, List<PolicyRule>> byNamespace = new TreeMap<>();
            rules.forEach((namespace, found) -> byNamespace.put(namespace, sorted(found)));
            return new RecipeNeeds(account, byNamespace, sorted(seen));
        }

        private static List<PolicyRule> sorted(Map<String, PolicyRule> found) {
            return new TreeMap<>(found).values().stream().toList();
        }

        private void add(KubeObject object) {
            String group = ResourceNames.group(object.ref());
            String kind = object.ref().kind();
            String plural = names.plural(object.ref());
            String namespace = object.ref().namespace();
            need(namespace, group, plural);
            if (group.equals(RBAC)) {
                grants(object, kind, namespace);
            }
        }

        /** In a namespace the account sees what it has made; in the whole cluster SRO does. */
        private void need(String namespace, String group, String plural) {
            Map<String, PolicyRule> here = rules.computeIfAbsent(namespace, unused -> new LinkedHashMap<>());
            if (namespace.isEmpty()) {
                put(here, rule(group, plural, WRITES));
                put(seen, rule(group, plural, READS));
            } else {
                put(here, rule(group, plural, ALL));
            }
        }

        /** Nobody puts more into a role than he has, or binds one that gives more, unless he may bind it. */
        private void grants(KubeObject object, String kind, String namespace) {
            Map<String, PolicyRule> here = rules.computeIfAbsent(namespace, unused -> new LinkedHashMap<>());
            if (!kind.endsWith("Binding")) {
                Rules.of(object.tree()).forEach(rule -> put(here, rule));
                return;
            }
            String role = ValueTrees.text(object.tree(), "roleRef", "kind");
            String name = ValueTrees.text(object.tree(), "roleRef", "name");
            boolean own = objects.stream()
                    .anyMatch(other -> other.ref().kind().equals(role)
                            && other.ref().name().equals(name));
            if (!own || role.equals("ClusterRole")) {
                PolicyRule bind = new PolicyRuleBuilder(rule(RBAC, ResourceNames.plural(role), "bind"))
                        .withResourceNames(name)
                        .build();
                put(here, bind);
            }
        }

        private static void put(Map<String, PolicyRule> rules, PolicyRule rule) {
            rules.put(
                    rule.getApiGroups() + " " + rule.getResources() + rule.getResourceNames()
                            + rule.getNonResourceURLs() + rule.getVerbs(),
                    rule);
        }

        private static PolicyRule rule(String group, String resource, String... verbs) {
            return new PolicyRuleBuilder()
                    .withApiGroups(group)
                    .withResources(resource)
                    .withVerbs(verbs)
                    .build();
        }
    }

    /** Whether SRO's shipped rights let it act as this account. */
    boolean isStandard() {
        return account.name().equals(RecipeAccount.DEFAULT);
    }

    /** The name of a role for a special resource. */
    static String role(String specialResource) {
        return AccountManifests.ROLE + "-" + specialResource;
    }
}
