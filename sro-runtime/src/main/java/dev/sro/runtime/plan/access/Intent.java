package dev.sro.runtime.plan.access;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A write that is planned. Immutable.
 *
 * @param object which one
 * @param account by whose rights, as the engine says
 * @param verbs what the writer asks of the API server, in its order
 * @param manifest as it shall be; null when it is deleted
 */
public record Intent(
        ObjectRef object,
        RecipeAccount account,
        List<String> verbs,
        @Nullable KubeObject manifest) {

    /** Copies. */
    public Intent {
        verbs = List.copyOf(verbs);
    }

    /** Of an object that is not there: it is looked at first, and applied. */
    public static Intent create(KubeObject object, RecipeAccount account) {
        return new Intent(object.ref(), account, List.of("get", "create", "patch"), object);
    }

    /** Of an object that is there. */
    public static Intent change(KubeObject object, RecipeAccount account) {
        return new Intent(object.ref(), account, List.of("patch"), object);
    }

    /** Of an object that goes. */
    public static Intent delete(ObjectRef object, RecipeAccount account) {
        return new Intent(object, account, List.of("delete"), null);
    }

    /** Of the object of a hook, which may go before or after it ran. */
    public static Intent hook(KubeObject object, RecipeAccount account) {
        return new Intent(object.ref(), account, List.of("get", "create", "patch", "delete"), object);
    }
}
