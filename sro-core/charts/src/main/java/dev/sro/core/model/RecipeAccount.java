package dev.sro.core.model;

import java.util.Optional;

/**
 * A service account by whose rights SRO writes what a recipe wants that somebody else wrote: who writes recipes can do no more than was
 * granted to it. Immutable.
 *
 * @param namespace where it is
 * @param name of it
 */
public record RecipeAccount(String namespace, String name) {

    /** The account that SRO makes where a special resource names none. */
    public static final String DEFAULT = "sro-recipe";

    /** Who writes this object: empty for SRO itself. */
    public static Optional<RecipeAccount> of(KubeObject object) {
        return object.annotation(MetadataKeys.ACCOUNT).flatMap(RecipeAccount::parse);
    }

    /** What {@link #mark} gave; empty for anything else. */
    static Optional<RecipeAccount> parse(String mark) {
        int slash = mark.indexOf('/');
        return slash <= 0 || slash == mark.length() - 1 || mark.indexOf(':') >= 0
                ? Optional.empty()
                : Optional.of(new RecipeAccount(mark.substring(0, slash), mark.substring(slash + 1)));
    }

    /** The value of {@link MetadataKeys#ACCOUNT} on what is written by its rights. */
    public String mark() {
        return namespace + "/" + name;
    }

    /** Its name as a user of the API server. */
    public String user() {
        return "system:serviceaccount:" + namespace + ":" + name;
    }

    /** For messages. */
    @Override
    public String toString() {
        return "ServiceAccount " + mark();
    }
}
