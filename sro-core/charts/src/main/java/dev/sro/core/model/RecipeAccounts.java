package dev.sro.core.model;

import dev.sro.api.resource.SpecialResource;
import java.util.Optional;

/**
 * By whose rights recipes are applied that others than plugins brought. Immutable.
 *
 * @param standard name of the account that SRO makes in the namespace of the operands of a special resource that names none; empty for
 *     none, so that such recipes are applied with SRO's own rights
 */
public record RecipeAccounts(String standard) {

    /** SRO's own rights, but for special resources that name an account. */
    public static final RecipeAccounts NONE = new RecipeAccounts("");

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
