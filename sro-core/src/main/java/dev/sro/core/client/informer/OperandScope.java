package dev.sro.core.client.informer;

import dev.sro.core.model.RecipeAccount;
import java.util.Optional;

/**
 * Which operands one watch sees. Immutable.
 *
 * @param kind {@code group/version/Kind}
 * @param namespace where; empty for the whole cluster
 * @param account by whose rights; empty for SRO's own
 */
record OperandScope(String kind, String namespace, Optional<RecipeAccount> account) {

    static OperandScope everywhere(String kind) {
        return new OperandScope(kind, "", Optional.empty());
    }

    /** Whether it sees what is in a namespace; the empty one for what is in none. */
    boolean covers(String other) {
        return namespace.isEmpty() || namespace.equals(other);
    }

    /** For messages. */
    @Override
    public String toString() {
        return account.map(by -> kind + " in namespace " + namespace + " as " + by)
                .orElse(kind);
    }
}
