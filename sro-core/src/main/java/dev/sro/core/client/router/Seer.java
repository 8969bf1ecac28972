package dev.sro.core.client.router;

import dev.sro.core.client.cache.ObjectCache;
import dev.sro.core.engine.port.Sight;
import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.RecipeAccount;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * By whose rights what a special resource has is seen. Immutable.
 *
 * @param account empty for SRO's own rights alone
 * @param granted whether it has its rights already
 * @param former other accounts, of namespaces where the operands were before, by these
 */
public record Seer(Optional<RecipeAccount> account, boolean granted, Map<String, RecipeAccount> former) {

    /** Copies. */
    public Seer {
        former = Map.copyOf(former);
    }

    /** An account that SRO made counts as long as what gives it its rights is there. */
    static Seer of(Sight sight, ObjectCache objects) {
        boolean granted = sight.standing() == Sight.Standing.GIVEN
                || sight.account()
                        .map(AccountManifests::binding)
                        .filter(objects::contains)
                        .isPresent();
        Optional<RecipeAccount> account =
                sight.account().filter(unused -> granted || sight.standing() == Sight.Standing.AWAITED);
        return new Seer(
                account,
                granted,
                account.map(present -> former(sight.resource(), present, objects))
                        .orElse(Map.of()));
    }

    /** What gives an account its rights is left where the operands were, until they are gone. */
    private static Map<String, RecipeAccount> former(
            String specialResource, RecipeAccount present, ObjectCache objects) {
        Map<String, RecipeAccount> former = new HashMap<>();
        objects.owned(MetadataKeys.specialResourceLabel(specialResource)).values().stream()
                .flatMap(live -> AccountManifests.account(live).stream())
                .filter(account -> account.name().equals(present.name())
                        && !account.namespace().equals(present.namespace()))
                .forEach(account -> former.put(account.namespace(), account));
        return former;
    }

    /** Whether there is an account, and nothing can be seen by it yet. */
    public boolean isAwaited() {
        return account.isPresent() && !granted;
    }

    /** By whose rights what is in a namespace is seen. */
    public RecipeAccount in(String namespace, RecipeAccount otherwise) {
        return former.getOrDefault(namespace, otherwise);
    }
}
