package dev.sro.runtime.plan.access;

import dev.sro.core.client.rights.ClientRules;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.model.ValueTrees;
import dev.sro.runtime.plan.access.Access.UnansweredException;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Holds planned writes against what their accounts may, as the API server would: the verbs of the writer, and for roles and bindings that
 * nobody gives on what he has not. Lives for one plan.
 */
public final class AccessCheck {

    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final String CLUSTER_ROLE = "ClusterRole";
    private static final String ROLE = "Role";
    private static final String BINDING = "Binding";

    private final Access access;
    private final List<Intent> intents;
    private final Set<ObjectRef> coming;
    private final ResourceNames names;

    private AccessCheck(Access access, List<Intent> intents, Collection<ObjectRef> coming) {
        this.access = access;
        this.intents = intents;
        this.coming = Set.copyOf(coming);
        this.names = new ResourceNames(
                intents.stream().map(Intent::manifest).filter(Objects::nonNull).toList());
    }

    /**
     * Checks them.
     *
     * @param coming what SRO makes by its own rights before: rights that it brings count as given
     */
    public static AccessReport check(Access access, List<Intent> intents, Collection<ObjectRef> coming) {
        return new AccessCheck(access, intents, coming).report();
    }

    private AccessReport report() {
        Map<ObjectRef, List<Lack>> refused = new LinkedHashMap<>();
        Map<RecipeAccount, String> unknown = new LinkedHashMap<>();
        for (Intent intent : intents) {
            try {
                List<Lack> lacks = lacks(intent);
                if (!lacks.isEmpty()) {
                    refused.put(intent.object(), lacks);
                }
            } catch (UnansweredException e) {
                unknown.putIfAbsent(intent.account(), e.why());
            }
        }
        List<AccessReport.Unchecked> unchecked = new ArrayList<>();
        unknown.forEach((account, why) ->
                unchecked.add(new AccessReport.Unchecked(account, why, isBound(account), needs(account))));
        return new AccessReport(refused, unchecked);
    }

    private List<Lack> lacks(Intent intent) throws UnansweredException {
        RecipeAccount account = intent.account();
        List<Lack> lacks = new ArrayList<>(Lack.of(account, false, missing(account, writes(intent))));
        KubeObject manifest = intent.manifest();
        if (manifest != null && ResourceNames.group(intent.object()).equals(RBAC)) {
            lacks.addAll(
                    intent.object().kind().endsWith(BINDING)
                            ? bindings(intent, manifest)
                            : roles(intent, Rules.of(manifest.tree())));
        }
        return lacks;
    }

    private List<Right> writes(Intent intent) {
        ObjectRef object = intent.object();
        String plural = access.plural(object).orElseGet(() -> names.plural(object));
        return intent.verbs().stream()
                .map(verb -> new Right(object.namespace(), verb, ResourceNames.group(object), plural, object.name()))
                .toList();
    }

    /** Nobody puts more into a role than he has, unless he may {@code escalate}. */
    private List<Lack> roles(Intent intent, List<PolicyRule> rules) throws UnansweredException {
        ObjectRef object = intent.object();
        Right escalate =
                new Right(object.namespace(), "escalate", RBAC, ResourceNames.plural(object.kind()), object.name());
        return rules.isEmpty() || has(intent.account(), escalate)
                ? List.of()
                : granted(intent.account(), Rules.rights(rules, object.namespace()));
    }

    /** Nor does he bind one that gives more, unless he may {@code bind} it. */
    private List<Lack> bindings(Intent intent, KubeObject manifest) throws UnansweredException {
        RecipeAccount account = intent.account();
        String namespace = intent.object().namespace();
        Right bind = bind(intent, manifest);
        if (has(account, bind)) {
            return List.of();
        }
        Optional<List<PolicyRule>> rules = rules(namespace, manifest);
        return rules.isEmpty()
                ? Lack.of(account, false, List.of(bind))
                : granted(account, Rules.rights(rules.get(), namespace));
    }

    private static Right bind(Intent intent, KubeObject manifest) {
        String kind = ValueTrees.text(manifest.tree(), "roleRef", "kind");
        return new Right(
                intent.object().namespace(),
                Lack.BIND,
                RBAC,
                ResourceNames.plural(kind),
                ValueTrees.text(manifest.tree(), "roleRef", "name"));
    }

    /** What is bound: as the recipe will have it, or as it is. */
    private Optional<List<PolicyRule>> rules(String namespace, KubeObject binding) throws UnansweredException {
        Optional<List<PolicyRule>> own = own(namespace, binding);
        if (own.isPresent()) {
            return own;
        }
        boolean wide = ValueTrees.text(binding.tree(), "roleRef", "kind").equals(CLUSTER_ROLE);
        return access.role(wide ? "" : namespace, ValueTrees.text(binding.tree(), "roleRef", "name"));
    }

    private Optional<List<PolicyRule>> own(String namespace, KubeObject binding) {
        String kind = ValueTrees.text(binding.tree(), "roleRef", "kind");
        String name = ValueTrees.text(binding.tree(), "roleRef", "name");
        return intents.stream()
                .map(Intent::manifest)
                .filter(Objects::nonNull)
                .filter(object -> object.ref().kind().equals(kind)
                        && object.ref().name().equals(name)
                        && (!kind.equals(ROLE) || object.ref().namespace().equals(namespace)))
                .findFirst()
                .map(object -> Rules.of(object.tree()));
    }

    private List<Lack> granted(RecipeAccount account, List<Right> rights) throws UnansweredException {
        return Lack.of(account, true, missing(account, rights));
    }

    private List<Right> missing(RecipeAccount account, List<Right> rights) throws UnansweredException {
        List<Right> missing = new ArrayList<>();
        for (Right right : rights) {
            if (!has(account, right)) {
                missing.add(right);
            }
        }
        return missing;
    }

    private boolean has(RecipeAccount account, Right right) throws UnansweredException {
        if (isBound(account)
                && right.namespace().equals(account.namespace())
                && Rules.allow(access.role("", AccountManifests.ROLE).orElse(List.of()), right)) {
            return true;
        }
        Right all = new Right(right.namespace(), right.verb(), right.group(), right.resource(), "");
        // A role may name objects.
        return access.may(account, all) || (!right.name().isEmpty() && access.may(account, right));
    }

    /** Whether SRO gives it, in this plan, what comes with the installation, of which the API server knows nothing yet. */
    private boolean isBound(RecipeAccount account) {
        return coming.contains(AccountManifests.binding(account));
    }

    private List<Lack> needs(RecipeAccount account) {
        Set<Right> written = new LinkedHashSet<>();
        Set<Right> granted = new LinkedHashSet<>();
        for (Intent intent : intents) {
            if (intent.account().equals(account)) {
                written.addAll(writes(intent));
                KubeObject manifest = intent.manifest();
                if (manifest != null && ResourceNames.group(intent.object()).equals(RBAC)) {
                    granted.addAll(given(intent, manifest));
                }
            }
        }
        List<Lack> needs = new ArrayList<>(Lack.of(account, false, beyond(account, written)));
        needs.addAll(Lack.of(account, true, beyond(account, granted)));
        return needs;
    }

    private List<Right> given(Intent intent, KubeObject manifest) {
        String namespace = intent.object().namespace();
        if (!intent.object().kind().endsWith(BINDING)) {
            return Rules.rights(Rules.of(manifest.tree()), namespace);
        }
        return own(namespace, manifest)
                .map(rules -> Rules.rights(rules, namespace))
                .orElseGet(() -> List.of(bind(intent, manifest)));
    }

    private List<Right> beyond(RecipeAccount account, Collection<Right> rights) {
        return rights.stream()
                .filter(right -> !isBound(account)
                        || !right.namespace().equals(account.namespace())
                        || !Rules.allow(ClientRules.recipes(), right))
                .sorted()
                .toList();
    }
}
