package dev.sro.core.manifest;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.RecipeAccount;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object that shall exist. Immutable.
 *
 * @param object complete, with SRO's labels and annotations
 * @param state id of the state it belongs to
 * @param pool name of the pool it is for; null when it serves all
 */
public record Desired(
        KubeObject object, String state, @Nullable String pool) {

    /** By whose rights it is written; empty for SRO's own. */
    public Optional<RecipeAccount> account() {
        return RecipeAccount.of(object);
    }
}
