package dev.sro.testkit.schema;

import dev.sro.core.cel.CelType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The types of which the expressions of a mutation make values: operations of a JSON patch, and objects, whose parts are named by where
 * they are ({@code Object.spec.containers}). Source: the documentation of MutatingAdmissionPolicy v1. Stateless.
 */
final class MutationTypes implements CelType.Types {
    /** The one there is. */
    static final MutationTypes TYPES = new MutationTypes();

    /** The type of an operation. */
    static final String PATCH = "JSONPatch";

    /** The type of an object, and the beginning of the names of its parts. */
    static final String OBJECT = "Object";

    private static final CelType OPERATION = CelType.object(
            PATCH,
            Map.of("op", CelType.STRING, "path", CelType.STRING, "from", CelType.STRING, "value", CelType.DYN)::get);

    /** What an object's fields are is known only when there is one. */
    private static final CelType.Fields ANY = field -> CelType.DYN;

    private MutationTypes() {}

    @Override
    public @Nullable CelType named(String name) {
        if (name.equals(PATCH)) {
            return OPERATION;
        }
        return name.equals(OBJECT) || name.startsWith(OBJECT + ".") ? CelType.object(name, ANY) : null;
    }

    @Override
    public boolean isLibrary(String name) {
        return name.equals("jsonpatch");
    }
}
