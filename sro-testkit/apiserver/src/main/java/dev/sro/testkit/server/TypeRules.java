package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.FieldError;
import dev.sro.testkit.schema.TypeSchema;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to a type when its objects are written. Trees that the methods change belong to the caller down to the first
 * level of metadata, spec and status; what lies deeper is shared and is replaced, not changed.
 */
interface TypeRules {
    TypeSchema schema();

    /** Drops what the type does not know; returns the paths of unknown fields. Works in place on a tree of the caller's own. */
    List<String> decode(ObjectNode object);

    /** The same for what an apply made: nulls that were applied are still there, to be refused. */
    default List<String> decodeApplied(ObjectNode object) {
        return decode(object);
    }

    /** What reading a body makes of it, except for what was applied, in place. */
    default void read(ObjectNode object) {}

    /** Sets defaults in place, on a tree of the caller's own. */
    void defaults(ObjectNode object);

    /** What the server's own admission adds to a new object, before webhooks see it; may be done twice. */
    default void admit(ObjectNode object, WriteCall call) {}

    /** What the server adds to a new object or takes from it, apart from uid, name and time. */
    void prepareCreate(ObjectNode object, WriteCall call);

    /** What the server keeps, resets or counts when an object changes. */
    void prepareUpdate(ObjectNode next, ObjectNode old, WriteCall call);

    /** Converts a valid object to what is stored of it, in place, on a tree of the caller's own. */
    default void toStorage(ObjectNode object) {}

    /** A stored object as clients of this version see it. */
    default Stored served(Stored stored) {
        return stored;
    }

    /** What is wrong with an object; what is only to be said goes to the call's warnings. */
    List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old, WriteCall call);

    /** The faults of a name, in the API's words. */
    List<String> nameFaults(String name);

    /** Whether the type's own validation looks at metadata; if not, what is wrong there is said only where all else is right. */
    default boolean checksMetadata() {
        return true;
    }

    /** Whether a new object without a name is given one. */
    default boolean namesItself() {
        return false;
    }

    /** Fields that this endpoint ignores, for field ownership. */
    Set<String> reset(String subresource);

    /** Whether PUT creates a missing object. */
    boolean createsOnUpdate();

    /** Whether PUT without a resourceVersion is allowed. */
    boolean unconditionalUpdate();

    /** How often the server looks at the metadata of a changed object, and reports what is wrong with it. */
    default int metadataChecks() {
        return 3;
    }

    /** Whether the type's own validation of a change compares the metadata, as the generic one does. */
    default boolean comparesMetadata() {
        return true;
    }

    /** Whether what a name is to begin with is validated as a name. */
    default boolean checksGenerateName() {
        return true;
    }

    /** Whether names are made of what they are to begin with, and something drawn. */
    default boolean makesUpNames() {
        return true;
    }

    /** Whether finalizers must be standard names or carry a domain; if not, one without is only warned of. */
    boolean strictFinalizers();

    /** Whether DELETE answers the object instead of a Status. */
    boolean answersDeletedObject();

    /** The grace period in seconds for a delete; 0 removes at once. */
    default long gracePeriod(ObjectNode object, @Nullable Long requested) {
        return 0;
    }

    /** Whether a delete may say what becomes of dependents: it is not heard where there never are any. */
    default boolean hasDependents() {
        return true;
    }

    /** What happens to dependents if the delete does not say. */
    default DeleteOptions.Propagation defaultPropagation() {
        return DeleteOptions.Propagation.BACKGROUND;
    }
}
