package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finalizers of an object: in metadata, and for namespaces also in their spec. */
final class Finalizers {
    static final String FOREGROUND = "foregroundDeletion";
    static final String ORPHAN = "orphan";

    private Finalizers() {}

    static @Nullable JsonNode ofSpec(ResourceType type, JsonNode object) {
        return type.storage().equals(Gvr.NAMESPACES) ? object.path("spec").get("finalizers") : null;
    }

    static List<String> read(JsonNode object) {
        List<String> all = new ArrayList<>();
        object.path("metadata").path("finalizers").forEach(f -> all.add(f.asText()));
        return all;
    }

    static boolean has(JsonNode object, String finalizer) {
        return read(object).contains(finalizer);
    }

    /** Sets the finalizers on an object whose metadata belongs to the caller. */
    static void set(ObjectNode object, List<String> finalizers) {
        ObjectNode metadata = Json.metadata(object);
        if (finalizers.isEmpty()) {
            metadata.remove("finalizers");
            return;
        }
        ArrayNode array = metadata.putArray("finalizers");
        finalizers.forEach(array::add);
    }
}
