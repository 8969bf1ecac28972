package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.CustomSchema;
import dev.sro.testkit.schema.FieldError;
import dev.sro.testkit.schema.TypeSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of one version of a custom resource, from its definition. */
final class CustomRules implements TypeRules {
    private static final Set<String> NOT_SPEC = Set.of("metadata", "status", "apiVersion", "kind");
    private static final Set<String> NOT_SPEC_NOR_STATUS = Set.of("metadata", "apiVersion", "kind");

    private final CustomSchema schema;
    private final CustomSchema storage;
    private final boolean statusSubresource;
    private final ScalePaths scale;

    /**
     * Rules of a version.
     *
     * @param storage the schema of the version in which objects are stored
     * @param scale where the scale of an object is
     */
    CustomRules(CustomSchema schema, CustomSchema storage, boolean statusSubresource, ScalePaths scale) {
        this.scale = scale;
        this.schema = schema;
        this.storage = storage;
        this.statusSubresource = statusSubresource;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the same version has the same schema object
    public void toStorage(ObjectNode object) {
        if (schema != storage) {
            // What the stored version does not know is lost, silently.
            storage.prune(object);
            storage.applyDefaults(object);
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the same version has the same schema object
    public Stored served(Stored stored) {
        if (schema == storage) {
            return stored;
        }
        ObjectNode object = stored.object().deepCopy();
        schema.prune(object);
        return new Stored(object, stored.fields(), stored.version());
    }

    @Override
    public TypeSchema schema() {
        return schema.types();
    }

    @Override
    public List<String> decode(ObjectNode object) {
        return schema.prune(object);
    }

    @Override
    public List<String> decodeApplied(ObjectNode object) {
        return schema.pruneApplied(object);
    }

    @Override
    public void defaults(ObjectNode object) {
        schema.applyDefaults(object);
    }

    @Override
    public void prepareCreate(ObjectNode object, WriteCall call) {
        if (statusSubresource) {
            object.remove("status");
        }
        Json.metadata(object).put("generation", 1);
    }

    @Override
    public void prepareUpdate(ObjectNode next, ObjectNode old, WriteCall call) {
        if (statusSubresource && call.subresource.equals("status")) {
            BuiltInRules.replaceAllBut(next, old, "status");
            JsonNode version = next.path("metadata").get("resourceVersion");
            ObjectNode metadata = Json.shallow(Json.metadata(old));
            if (version != null) {
                metadata.set("resourceVersion", version);
            }
            next.set("metadata", metadata);
            return;
        }
        if (statusSubresource) {
            BuiltInRules.keep(next, old, "status");
        }
        if (!ObjectComparison.sameBut(next, old, statusSubresource ? NOT_SPEC : NOT_SPEC_NOR_STATUS)) {
            Json.metadata(next)
                    .put("generation", old.path("metadata").path("generation").asLong() + 1);
        }
    }

    @Override
    public List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old, WriteCall call) {
        List<FieldError> kept = new ArrayList<>();
        boolean status = statusSubresource && call.subresource.equals("status");
        List<FieldError> errors =
                new ArrayList<>(status ? schema.validateStatus(object, old, kept) : schema.validate(object, old, kept));
        errors.addAll(status ? scale.validateStatus(object) : scale.validate(object));
        kept.forEach(warning -> call.warnings.add(warning.toString()));
        return errors;
    }

    @Override
    public List<String> nameFaults(String name) {
        return Labels.subdomainFaults(name);
    }

    @Override
    public Set<String> reset(String subresource) {
        if (!statusSubresource) {
            return Set.of();
        }
        return subresource.equals("status") ? Set.of("spec", "metadata") : Set.of("status");
    }

    @Override
    public boolean createsOnUpdate() {
        return false;
    }

    @Override
    public boolean unconditionalUpdate() {
        return false;
    }

    @Override
    public boolean strictFinalizers() {
        return false;
    }

    @Override
    public boolean answersDeletedObject() {
        return false;
    }
}
