package dev.sro.core.client.writer;

import dev.sro.core.apply.WriteException;
import dev.sro.core.model.MetadataKeys;
import java.util.function.BooleanSupplier;

/**
 * By whose name writes are made, and as long as when. Immutable; thread-safe if {@code allowed} is.
 *
 * @param fieldManager of every server-side apply but those on nodes, which have one for each special resource
 * @param allowed asked before each write; false when another replica may lead by now
 */
public record WriteConditions(String fieldManager, BooleanSupplier allowed) {

    /** SRO's own name, always. */
    static final WriteConditions DEFAULT = new WriteConditions(MetadataKeys.FIELD_MANAGER, () -> true);

    private static final int MAX_MANAGER = 128;

    private static final String DEPENDENCIES = "-dependencies";

    /** Checks the name, as a kube-apiserver does ({@code metav1/validation}), with what is put after it. */
    public WriteConditions {
        int longest = MAX_MANAGER - DEPENDENCIES.length();
        boolean printable = fieldManager.chars().noneMatch(c -> c <= ' ' || c > '~');
        if (fieldManager.isEmpty() || fieldManager.length() > longest || !printable) {
            throw new IllegalArgumentException("field manager \"" + fieldManager + "\" must have 1 to " + longest
                    + " printable characters of ASCII without blanks");
        }
        if (fieldManager.startsWith(MetadataKeys.FIELD_MANAGER + ".")) {
            throw new IllegalArgumentException("field manager \"" + fieldManager + "\" begins with \""
                    + MetadataKeys.FIELD_MANAGER + ".\", as those of marks on nodes do; choose another one");
        }
    }

    /** Of what makes special resources, for {@code spec.dependencies} or by a recipe: they have a finalizer by the other name. */
    String resourceManager() {
        return fieldManager + DEPENDENCIES;
    }

    /** @throws WriteException if no write may be made now: the trip ends, as it does when nobody answers */
    void check() throws WriteException {
        if (!allowed.getAsBoolean()) {
            throw new WriteException(
                    WriteException.Kind.UNAVAILABLE, "not written: another replica may have the lease by now");
        }
    }
}
