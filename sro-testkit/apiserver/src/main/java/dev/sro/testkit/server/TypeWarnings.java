package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.Formats;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the server warns of when it takes a new object. Stateless. */
final class TypeWarnings {
    private static final Set<String> NAME_PODS =
            Set.of("Deployment", "ReplicaSet", "ReplicationController", "Job", "CronJob");

    /** Where kinds have the spec of pods. */
    private static final Map<String, String> TEMPLATES = Map.of(
            "Pod", "spec",
            "PodTemplate", "template.spec",
            "DaemonSet", "spec.template.spec",
            "Deployment", "spec.template.spec",
            "ReplicaSet", "spec.template.spec",
            "ReplicationController", "spec.template.spec",
            "StatefulSet", "spec.template.spec",
            "Job", "spec.template.spec",
            "CronJob", "spec.jobTemplate.spec.template.spec");

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
        if (kind.equals("Secret")) {
            ofCertificate(object, warnings);
        }
        warnings.addAll(ofParts(kind, object));
        JsonNode spec = object.path("spec");
        if (kind.equals("CSIDriver")
                && !spec.path("tokenRequests").isEmpty()
                && !spec.hasNonNull("serviceAccountTokenInSecrets")) {
            warnings.add("spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to"
                    + " prevent possible logging of tokens in volume attributes");
        }
        return warnings;
    }

    /** Of a changed object, whose own fields were looked at before; templates count where something changed. */
    static List<String> ofChanged(String kind, ObjectNode object, ObjectNode old) {
        if (kind.equals("Pod")) {
            return List.of();
        }
        JsonNode generation = object.path("metadata").path("generation");
        boolean changed = !generation.equals(old.path("metadata").path("generation"));
        if (!TEMPLATES.containsKey(kind)) {
            return ofParts(kind, object);
        }
        // Of controllers of the first generation, the server looks at what was there before.
        return changed ? ofParts(kind, kind.equals("ReplicationController") ? old : object) : List.of();
    }

    /** Where a kind has the spec of pods; empty for kinds without. */
    static String podPath(String kind) {
        return TEMPLATES.getOrDefault(kind, "");
    }

    private static List<String> ofParts(String kind, ObjectNode object) {
        String path = podPath(kind);
        JsonNode spec = object;
        for (String step : path.split("\\.", -1)) {
            spec = spec.path(step);
        }
        List<String> warnings = new ArrayList<>(path.isEmpty() ? List.of() : PodWarnings.of(spec, path));
        switch (kind) {
            case "Service" -> warnings.addAll(ServiceWarnings.of(object));
            case "PersistentVolume" -> warnings.addAll(StorageWarnings.ofVolume(object));
            case "PersistentVolumeClaim" -> {
                warnings.addAll(
                        StorageWarnings.ofAnnotation(object, "storage-class", "v1.8; use \"storageClassName\""));
                warnings.addAll(StorageWarnings.ofClaim(object.path("spec"), "spec"));
            }
            case "StatefulSet" -> {
                JsonNode claims = object.path("spec").path("volumeClaimTemplates");
                for (int i = 0; i < claims.size(); i++) {
                    warnings.addAll(StorageWarnings.ofClaim(
                            claims.get(i).path("spec"), "spec.volumeClaimTemplates[" + i + "]"));
                }
                if (object.path("spec").path("revisionHistoryLimit").asInt() < 0) {
                    warnings.add("spec.revisionHistoryLimit: a negative value retains all historical revisions; a value"
                            + " >= 0 is recommended");
                }
            }
            default -> {}
        }
        return warnings;
    }

    /** That a certificate and a key are no text of the form at all; whether they are good ones is not looked at. */
    static void ofCertificate(ObjectNode secret, List<String> warnings) {
        if (!Json.text(secret, "type").equals("kubernetes.io/tls")) {
            return;
        }
        for (String part : List.of("crt certificate", "key key")) {
            String[] words = part.split(" ");
            String base64 = Json.text(secret.path("data"), "tls." + words[0]);
            if (!decoded(base64).contains("-----BEGIN ")) {
                warnings.add("tls: failed to find any PEM data in " + words[1] + " input");
                return;
            }
        }
    }

    private static String decoded(String base64) {
        try {
            return new String(Base64.getDecoder().decode(base64), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException e) {
            return "";
        }
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
