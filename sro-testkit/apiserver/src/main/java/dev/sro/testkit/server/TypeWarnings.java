package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.Formats;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the server warns of when it takes a new object. Stateless. */
final class TypeWarnings {
    private static final Set<String> NAME_PODS =
            Set.of("Deployment", "ReplicaSet", "ReplicationController", "Job", "CronJob");

    private TypeWarnings() {}

    /** Of a new object of a built-in type, in the server's order. */
    static List<String> ofNew(String kind, ObjectNode object) {
        List<String> warnings = new ArrayList<>();
        List<String> faults = Labels.serviceFaults(Json.name(object));
        if (!faults.isEmpty() && (kind.equals("Pod") || NAME_PODS.contains(kind))) {
            String where = kind.equals("Pod") ? "the Pod's hostname" : "Pod names and hostnames";
            warnings.add("metadata.name: this is used in " + where
                    + ", which can result in surprising behavior; a DNS label is recommended: ["
                    + String.join(" ", faults) + "]");
        }
        JsonNode spec = object.path("spec");
        if (kind.equals("CSIDriver")
                && !spec.path("tokenRequests").isEmpty()
                && !spec.hasNonNull("serviceAccountTokenInSecrets")) {
            warnings.add("spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to"
                    + " prevent possible logging of tokens in volume attributes");
        }
        return warnings;
    }

    /** Of formats in a definition that nobody knows, unless it had them before. */
    static List<String> ofFormats(ObjectNode definition, ObjectNode old) {
        Set<String> unknown = unknownFormats(definition);
        unknown.removeAll(unknownFormats(old));
        return unknown.stream()
                .map(format -> "unrecognized format \"" + format + "\"")
                .toList();
    }

    private static Set<String> unknownFormats(ObjectNode definition) {
        Set<String> unknown = new LinkedHashSet<>();
        definition.path("spec").path("versions").forEach(version -> {
            JsonNode schema = version.path("schema").path("openAPIV3Schema");
            if (schema.isObject()) {
                Formats.unknown(schema, unknown);
            }
        });
        return unknown;
    }
}
