package dev.sro.core.engine.port;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Operands;
import dev.sro.core.model.RecipeAccount;
import dev.sro.core.model.RecipeAccounts;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What of a special resource has to be seen, and by whose rights. What a recipe has is seen as it is written: as its account, in the
 * namespaces where it has something. Nobody has to grant SRO more than that account has. Immutable.
 *
 * @param resource name of the special resource; empty for none
 * @param account by whose rights objects in namespaces are seen; empty for SRO's own
 * @param standing whether that account can be acted as
 * @param kinds {@code group/version/Kind}, each with the namespaces where objects of it may be
 */
public record Sight(
        String resource, Optional<RecipeAccount> account, Standing standing, Map<String, Set<String>> kinds) {

    /** How an account comes by its rights. */
    public enum Standing {
        /** Somebody made it, and gave it rights. */
        GIVEN,
        /** SRO makes it, and what gives it its rights, in a plan to come: until then nothing can be seen by it. */
        AWAITED,
        /** SRO made it; where what gives it rights is not there, there is no account. */
        MADE
    }

    /** Copies. */
    public Sight {
        kinds = kinds.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> Set.copyOf(entry.getValue())));
    }

    /** These kinds in the whole cluster, by SRO's own rights. */
    public static Sight own(Collection<String> kinds) {
        return new Sight(
                "",
                Optional.empty(),
                Standing.GIVEN,
                kinds.stream().collect(Collectors.toMap(kind -> kind, kind -> Set.of(), (one, other) -> one)));
    }

    /**
     * Of a special resource of which the recipe is not known: it goes, or something is wrong with it. Whether its recipe has an account
     * shows by what gives that its rights.
     */
    public static Builder of(SpecialResource resource, RecipeAccounts accounts) {
        return new Builder(resource, accounts.of(resource), accounts, Standing.MADE);
    }

    /**
     * Of a special resource with this recipe.
     *
     * @param others whether others than a plugin brought it
     */
    public static Builder of(SpecialResource resource, RecipeAccounts accounts, boolean others) {
        return new Builder(resource, others ? accounts.of(resource) : Optional.empty(), accounts, Standing.AWAITED);
    }

    /** Collects kinds. Not thread-safe. */
    public static final class Builder {
        private final Optional<RecipeAccount> account;
        private final Standing standing;
        private final String name;
        private final String namespace;
        private final Map<String, Set<String>> kinds = new HashMap<>();

        private Builder(
                SpecialResource resource,
                Optional<RecipeAccount> account,
                RecipeAccounts accounts,
                Standing otherwise) {
            this.account = account;
            this.standing = accounts.made(resource).isPresent() ? otherwise : Standing.GIVEN;
            this.name = String.valueOf(resource.getMetadata().getName());
            this.namespace = Operands.namespace(resource);
        }

        /** Objects of this kind in the namespace of the operands. */
        public Builder kind(String kind) {
            return in(kind, namespace);
        }

        private Builder in(String kind, String other) {
            kinds.computeIfAbsent(kind, unused -> new TreeSet<>()).add(other);
            return this;
        }

        /** This object. */
        public Builder object(ObjectRef ref) {
            return ref.namespace().isEmpty()
                    ? kind(ref.kindKey())
                    : kind(ref.kindKey()).in(ref.kindKey(), ref.namespace());
        }

        /** All that the special resource has, as its status says. */
        public Builder managed(SpecialResourceStatus status) {
            status.getManagedKinds().forEach(this::kind);
            for (String outside : status.getManagedOutside()) {
                int slash = outside.indexOf('/');
                if (slash > 0) {
                    String kind = outside.substring(slash + 1);
                    kind(kind).in(kind, outside.substring(0, slash));
                }
            }
            return this;
        }

        /** Nobody asks for this one. */
        public Builder without(Collection<String> unneeded) {
            kinds.keySet().removeAll(unneeded);
            return this;
        }

        public Sight build() {
            return new Sight(name, account, standing, kinds);
        }
    }
}
