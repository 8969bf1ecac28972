package dev.sro.core.manifest;

import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The account by whose rights a recipe is applied, and what gives it the rights that recipes commonly need in the namespace of the
 * operands. They are a state of their own, before all states of the recipe. Stateless.
 */
public final class AccountManifests {

    /** Id of the state. */
    public static final String STATE = "0000-account";

    /** The ClusterRole that comes with SRO, bound in the namespace of the operands. */
    public static final String ROLE = "special-resource-operator-recipes";

    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final String BINDING_KIND = "RoleBinding";
    private static final String ACCOUNT_KIND = "ServiceAccount";
    private static final String RIGHTS = "-rights";

    /** {@code group/version/Kind} of what is made for an account. */
    public static final Set<String> KINDS = Set.of("v1/" + ACCOUNT_KIND, RBAC + "/v1/" + BINDING_KIND);

    private AccountManifests() {}

    /** The account itself. */
    public static ObjectRef ref(RecipeAccount account) {
        return new ObjectRef("v1", ACCOUNT_KIND, account.namespace(), account.name());
    }

    /** What gives it its rights. */
    public static ObjectRef binding(RecipeAccount account) {
        return new ObjectRef(RBAC + "/v1", BINDING_KIND, account.namespace(), account.name() + RIGHTS);
    }

    /** The account to which SRO gave rights by this object; empty for any other object. */
    public static Optional<RecipeAccount> account(KubeObject live) {
        String name = live.ref().name();
        return isOne(live) && live.ref().kind().equals(BINDING_KIND) && name.endsWith(RIGHTS)
                ? Optional.of(
                        new RecipeAccount(live.ref().namespace(), name.substring(0, name.length() - RIGHTS.length())))
                : Optional.empty();
    }

    /** Whether SRO made the object as an account, or what gives it rights. */
    public static boolean isOne(KubeObject live) {
        return Set.of(ACCOUNT_KIND, BINDING_KIND).contains(live.ref().kind())
                && live.annotation(MetadataKeys.STATE).orElse("").equals(STATE);
    }

    /**
     * These states after that of the account. The namespace of the operands comes in the first one as well, where the recipe has it
     * itself: the account is in it.
     */
    public static List<DesiredState> before(
            List<DesiredState> states, SpecialResource resource, RecipeAccount account) {
        List<Desired> first = new ArrayList<>();
        List<DesiredState> all = new ArrayList<>();
        ObjectRef namespace = new ObjectRef("v1", "Namespace", "", account.namespace());
        for (DesiredState given : states) {
            DesiredState state = without(account, given);
            List<Desired> shared = new ArrayList<>(state.shared());
            shared.removeIf(object -> {
                boolean own = object.object().ref().equals(namespace);
                if (own) {
                    first.add(moved(object));
                }
                return own;
            });
            all.add(new DesiredState(
                    state.state(),
                    state.before().isEmpty() ? Set.of(STATE) : state.before(),
                    shared,
                    state.byPool(),
                    state.problems(),
                    state.waits(),
                    state.hooks()));
        }
        first.add(owned(resource, ref(account), Map.of()));
        first.add(owned(resource, binding(account), grant(account)));
        State state = State.builder().id(STATE).scope(State.Scope.CLUSTER).build();
        all.add(0, new DesiredState(state, Set.of(), first, Map.of(), Map.of()));
        return all;
    }

    /** A recipe with the account itself, or with what gives it its rights, would undo what SRO writes of them. */
    private static DesiredState without(RecipeAccount account, DesiredState state) {
        Set<ObjectRef> own = Set.of(ref(account), binding(account));
        Optional<ObjectRef> found = state.objects()
                .map(object -> object.object().ref())
                .filter(own::contains)
                .findFirst();
        if (found.isEmpty()) {
            return state;
        }
        Map<String, Problem> problems = new HashMap<>(state.problems());
        problems.putIfAbsent(
                "",
                RenderException.vendor(
                                "DuplicateObject",
                                state.state().id() + ": " + found.get() + " is made by SRO, as the recipe is applied by"
                                        + " its rights; remove it, or give it another name")
                        .problem());
        Map<String, List<Desired>> byPool = new LinkedHashMap<>();
        state.byPool().forEach((pool, objects) -> byPool.put(pool, others(objects, own)));
        return state.with(others(state.shared(), own), byPool, problems);
    }

    private static List<Desired> others(List<Desired> objects, Set<ObjectRef> own) {
        return objects.stream()
                .filter(object -> !own.contains(object.object().ref()))
                .toList();
    }

    private static Map<String, Object> grant(RecipeAccount account) {
        return Map.of(
                "roleRef",
                Map.of("apiGroup", RBAC, "kind", "ClusterRole", "name", ROLE),
                "subjects",
                List.of(Map.of("kind", ACCOUNT_KIND, "name", account.name(), "namespace", account.namespace())));
    }

    private static Desired moved(Desired object) {
        KubeObject stamped = object.object().edit(tree -> {
            Map<String, Object> annotations = ValueTrees.ensureMap(tree, "metadata", "annotations");
            annotations.remove(MetadataKeys.APPLIED);
            annotations.put(MetadataKeys.STATE, STATE);
        });
        return new Desired(AppliedDigest.stamp(stamped), STATE, null);
    }

    private static Desired owned(SpecialResource resource, ObjectRef ref, Map<String, Object> content) {
        String name = String.valueOf(resource.getMetadata().getName());
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", ref.name());
        metadata.put("namespace", ref.namespace());
        metadata.put(
                "labels",
                Map.of(
                        MetadataKeys.OWNED,
                        "true",
                        MetadataKeys.SPECIAL_RESOURCE,
                        MetadataKeys.specialResourceLabel(name)));
        metadata.put("annotations", Map.of(MetadataKeys.STATE, STATE));
        metadata.put("ownerReferences", List.of(CoreHooks.reference(resource)));
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", ref.apiVersion());
        tree.put("kind", ref.kind());
        tree.put("metadata", metadata);
        tree.putAll(content);
        return new Desired(AppliedDigest.stamp(KubeObject.of(ValueTrees.mutableCopy(tree))), STATE, null);
    }
}
