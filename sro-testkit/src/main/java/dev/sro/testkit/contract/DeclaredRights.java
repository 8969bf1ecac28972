package dev.sro.testkit.contract;

import dev.sro.api.PluginDescriptor;
import dev.sro.api.State;
import dev.sro.api.ValidationLimits;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rights that a plugin declares, held against what its objects are and what the roles among them grant, over all of its
 * profiles. Confined to one thread.
 */
final class DeclaredRights {

    private static final Set<String> ROLES = Set.of("Role", "ClusterRole");

    private static final Set<String> BINDINGS = Set.of("RoleBinding", "ClusterRoleBinding");

    /** Roles that OpenShift has: each grants the use of the constraints of the same name. */
    private static final String SCC_ROLE = "system:openshift:scc:";

    /** What SRO needs for {@code ValidationLimits.nodeCondition}. */
    private static final Right NODE_STATUS = new Right("nodes/status", "", "patch");

    private static final String RBAC_GROUP = "rbac.authorization.k8s.io";

    private static final String EVERY_PROFILE =
            " in no profile of the kit; take it out, or add to profiles() the configuration ";

    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final PluginDescriptor plugin;
    private final Set<Right> declared = new TreeSet<>();
    private final Set<Right> used = new TreeSet<>();
    private final Set<String> resources = new HashSet<>();
    private final List<String> broken = new ArrayList<>();

    /** @param elsewhere rights that are used by what no manifest shows */
    DeclaredRights(PluginDescriptor plugin, List<PolicyRule> elsewhere) {
        this.plugin = plugin;
        plugin.rbacRules().forEach(rule -> Right.of(rule).forEach(declared::add));
        elsewhere.forEach(rule -> Right.of(rule).forEach(used::add));
    }

    /**
     * Takes what there is in one profile.
     *
     * @param served the {@code plural.group} of an object, if its kind is served
     */
    void add(String profile, List<DesiredState> states, Function<ObjectRef, Optional<String>> served) {
        states.forEach(state -> state.problems()
                .values()
                .forEach(problem ->
                        broken.add("profile " + profile + ": " + problem.code() + ": " + problem.message())));
        List<KubeObject> objects = states.stream()
                .flatMap(state -> Stream.concat(
                        state.shared().stream(),
                        state.byPool().values().stream().flatMap(List::stream)))
                .map(Desired::object)
                .toList();
        states.stream().map(DesiredState::state).forEach(state -> condition(profile, state));
        Set<Right> granted = new TreeSet<>();
        for (KubeObject object : objects) {
            resource(profile, object.ref(), served);
            if (ROLES.contains(object.ref().kind())) {
                object.maps("rules")
                        .forEach(rule -> Right.of(serialization.convertValue(rule, PolicyRule.class))
                                .forEach(granted::add));
            }
        }
        Right.texts(granted.stream().filter(right -> declared.stream().noneMatch(held -> held.covers(right))))
                .forEach(text -> broken.add("PluginDescriptor.rbacRules lacks " + text + ", which a role of profile "
                        + profile + " grants; nobody may grant what they do not have"));
        used.addAll(granted);
        objects.forEach(object -> bound(object, objects));
    }

    private void condition(String profile, State state) {
        state.limits().flatMap(ValidationLimits::nodeCondition).ifPresent(type -> {
            used.add(NODE_STATUS);
            String line =
                    "PluginDescriptor.rbacRules lacks patch on nodes/status, without which SRO cannot write the node"
                            + " condition "
                            + type + " of state " + state.id() + " in profile " + profile;
            if (declared.stream().noneMatch(held -> held.covers(NODE_STATUS)) && !broken.contains(line)) {
                broken.add(line);
            }
        });
    }

    private void resource(String profile, ObjectRef ref, Function<ObjectRef, Optional<String>> served) {
        Optional<String> resource = served.apply(ref)
                .or(() -> plugin.operandResources().stream()
                        .filter(one -> isCalled(one, ref))
                        .findFirst());
        resource.filter(one -> !plugin.operandResources().contains(one))
                .map(one -> "PluginDescriptor.operandResources lacks \"" + one + "\", of which there is an object in"
                        + " profile " + profile)
                .filter(line -> !broken.contains(line))
                .ifPresent(broken::add);
        resource.ifPresent(resources::add);
        if (ref.kind().equals("PodTemplate")) {
            // SRO makes worker pods of it, node by node.
            resources.add("pods");
        }
    }

    /** For kinds that the cluster does not serve: English plurals are all that is needed of grammar. */
    private static boolean isCalled(String resource, ObjectRef ref) {
        String kind = ref.kind().toLowerCase(Locale.ROOT);
        String stem = kind.endsWith("y") ? kind.substring(0, kind.length() - 1) + "ie" : kind;
        int slash = ref.apiVersion().indexOf('/');
        String group = slash < 0 ? "" : "." + ref.apiVersion().substring(0, slash);
        return resource.equals(kind + "s" + group)
                || resource.equals(kind + "es" + group)
                || resource.equals(stem + "s" + group);
    }

    /** A role that is not the plugin's own may be bound by who may bind it, or has all that it grants. */
    private void bound(KubeObject object, List<KubeObject> all) {
        if (!BINDINGS.contains(object.ref().kind())) {
            return;
        }
        String kind = ValueTrees.text(object.tree(), "roleRef", "kind");
        String name = ValueTrees.text(object.tree(), "roleRef", "name");
        boolean own = all.stream()
                .anyMatch(
                        one -> one.ref().kind().equals(kind) && one.ref().name().equals(name));
        if (!own) {
            String resource = kind.toLowerCase(Locale.ROOT) + "s." + RBAC_GROUP;
            used.add(new Right(resource, name, "bind"));
            if (name.startsWith(SCC_ROLE)) {
                used.add(new Right(
                        "securitycontextconstraints.security.openshift.io", name.substring(SCC_ROLE.length()), "use"));
            }
        }
    }

    /** What is missing, and what is declared and not used; empty when all is well. */
    List<String> differences() {
        List<String> found = new ArrayList<>(broken);
        if (!Set.copyOf(plugin.operandResources()).equals(resources)) {
            found.add("all that the descriptor has to name: .addOperandResources("
                    + resources.stream().sorted().collect(Collectors.joining("\", \"", "\"", "\"")) + ")");
        }
        plugin.operandResources().stream()
                .filter(resource -> !resources.contains(resource))
                .distinct()
                .sorted()
                .map(resource -> "PluginDescriptor.operandResources has \"" + resource
                        + "\", of which there is an object" + EVERY_PROFILE + "that makes one")
                .forEach(found::add);
        Right.texts(declared.stream().filter(right -> !used.contains(right)))
                .forEach(text -> found.add("PluginDescriptor.rbacRules has " + text + ", which a role grants"
                        + EVERY_PROFILE + "that grants it, or say in otherRights() that it is used in another way"));
        return found;
    }
}
