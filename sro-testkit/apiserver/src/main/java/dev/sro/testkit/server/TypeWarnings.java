package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.Formats;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
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
        if (kind.equals("Secret")) {
            ofCertificate(object, warnings);
        }
        JsonNode spec = object.path("spec");
        if (kind.equals("Pod")) {
            ofPod(spec, "spec", warnings);
        } else if (spec.path("template").path("spec").has("containers")) {
            ofPod(spec.path("template").path("spec"), "spec.template.spec", warnings);
        }
        if (kind.equals("CSIDriver")
                && !spec.path("tokenRequests").isEmpty()
                && !spec.hasNonNull("serviceAccountTokenInSecrets")) {
            warnings.add("spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to"
                    + " prevent possible logging of tokens in volume attributes");
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

    private static void ofPod(JsonNode spec, String path, List<String> warnings) {
        int i = 0;
        for (JsonNode spread : spec.path("topologySpreadConstraints")) {
            if (!spread.hasNonNull("labelSelector")) {
                warnings.add(path + ".topologySpreadConstraints[" + i
                        + "].labelSelector: a null labelSelector results in matching no pod");
            }
            i++;
        }
        for (JsonNode volume : spec.path("volumes")) {
            JsonNode projected = volume.path("projected");
            if (projected.isObject() && projected.path("sources").isEmpty()) {
                warnings.add("volume \"" + Json.text(volume, "name") + "\" (Projected) has no sources provided");
            }
        }
        for (String list : List.of("initContainers", "containers")) {
            for (int c = 0; c < spec.path(list).size(); c++) {
                ofBytes(
                        spec.path(list).get(c).path("resources"),
                        path + "." + list + "[" + c + "].resources",
                        warnings);
                ofEnv(spec.path(list).get(c).path("env"), path + "." + list + "[" + c + "].env", warnings);
            }
        }
    }

    /** Thousandths of bytes, as somebody writes who means millions of them. */
    private static void ofBytes(JsonNode resources, String path, List<String> warnings) {
        for (String kind : List.of("limits", "requests")) {
            for (String name : List.of("memory", "ephemeral-storage")) {
                String amount = Json.text(resources, kind, name);
                if (amount.endsWith("m")) {
                    warnings.add(path + "." + kind + "[" + name + "]: fractional byte value \"" + amount
                            + "\" is invalid, must be an integer");
                }
            }
        }
    }

    private static void ofEnv(JsonNode env, String path, List<String> warnings) {
        Set<String> names = new LinkedHashSet<>();
        for (int i = 0; i < env.size(); i++) {
            String name = Json.text(env.get(i), "name");
            if (!names.add(name)) {
                warnings.add(path + "[" + i + "]: hides previous definition of \"" + name
                        + "\", which may be dropped when using apply");
            }
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
