package dev.sro.core.model;

import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * By whose rights recipes are applied that others than plugins brought. Immutable.
 *
 * @param standard name of the account that SRO makes in the namespace of the operands of a special resource that names none; empty for
 *     none, so that such recipes are applied with SRO's own rights
 * @param reserved namespaces where SRO makes none: its rights there would be those of the cluster's own components, as who may make pods
 *     in a namespace may run them as any account there
 */
public record RecipeAccounts(String standard, Set<String> reserved) {

    /** Namespaces of Kubernetes itself. */
    private static final Set<String> OF_KUBERNETES = Set.of("kube-system", "kube-public", "kube-node-lease");

    /** SRO's own rights, but for special resources that name an account. */
    public static final RecipeAccounts NONE = new RecipeAccounts("");

    /** Copies. */
    public RecipeAccounts {
        reserved = Set.copyOf(reserved);
    }

    /** None in the namespaces of Kubernetes. */
    public RecipeAccounts(String standard) {
        this(standard, OF_KUBERNETES);
    }

    /** The same, and none in these. */
    public RecipeAccounts outOf(Collection<String> namespaces) {
        Set<String> all = new HashSet<>(reserved);
        all.addAll(namespaces);
        return new RecipeAccounts(standard, all);
    }

    /** Why the recipe of a special resource is not applied; empty when it is. */
    public Optional<Problem> refusal(SpecialResource resource) {
        return made(resource)
                .filter(account -> reserved.contains(account.namespace()))
                .map(account -> Problem.user(
                        "NamespaceReserved",
                        "spec.namespace: \"" + account.namespace()
                                + "\" has service accounts of the cluster or of SRO, and a recipe that may make pods"
                                + " there may act as any of them; set spec.namespace to one of its own, or"
                                + " spec.serviceAccountName to an account there that you made for it"));
    }

    /** The account of a special resource; empty for SRO itself. */
    public Optional<RecipeAccount> of(SpecialResource resource) {
        String named = named(resource);
        String name = named.isEmpty() ? standard : named;
        return name.isEmpty() ? Optional.empty() : Optional.of(new RecipeAccount(Operands.namespace(resource), name));
    }

    /** The account that is SRO's to make. */
    public Optional<RecipeAccount> made(SpecialResource resource) {
        return named(resource).isEmpty() ? of(resource) : Optional.empty();
    }

    private static String named(SpecialResource resource) {
        return resource.getSpec() == null ? "" : resource.getSpec().getServiceAccountName();
    }
}
