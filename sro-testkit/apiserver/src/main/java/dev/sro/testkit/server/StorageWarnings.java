package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.schema.Quantities;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** What the server warns of in volumes and claims. Stateless. */
final class StorageWarnings {
    /** Field of a volume, and what is said of it. */
    private static final List<String> FORMER = List.of(
            "cephfs cephfs: deprecated in v1.28, non-functional in v1.31+",
            "photonPersistentDisk photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+",
            "scaleIO scaleIO: deprecated in v1.16, non-functional in v1.22+",
            "storageos storageOS: deprecated in v1.22, non-functional in v1.25+",
            "glusterfs glusterfs: deprecated in v1.25, non-functional in v1.26+",
            "rbd rbd: deprecated in v1.28, non-functional in v1.31+");

    private StorageWarnings() {}

    static List<String> ofVolume(JsonNode volume) {
        List<String> warnings =
                new ArrayList<>(ofAnnotation(volume, "storage-class", "v1.8; use \"storageClassName\""));
        warnings.addAll(ofAnnotation(volume, "mount-options", "v1.31; use \"mountOptions\""));
        JsonNode spec = volume.path("spec");
        if (Json.text(spec, "persistentVolumeReclaimPolicy").equals("Recycle")) {
            warnings.add("spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the"
                    + " recommended approach is to use dynamic provisioning.");
        }
        JsonNode terms = spec.path("nodeAffinity").path("required").path("nodeSelectorTerms");
        for (int i = 0; i < terms.size(); i++) {
            warnings.addAll(
                    NodeLabels.ofTerm(terms.get(i), false, "spec.nodeAffinity.required.nodeSelectorTerms[" + i + "]"));
        }
        for (String former : FORMER) {
            int space = former.indexOf(' ');
            if (spec.path(former.substring(0, space)).isObject()) {
                warnings.add("spec." + former.substring(space + 1));
            }
        }
        return warnings;
    }

    static List<String> ofAnnotation(JsonNode object, String name, String instead) {
        String key = "volume.beta.kubernetes.io/" + name;
        return object.path("metadata").path("annotations").has(key)
                ? List.of("metadata.annotations[" + key + "]: deprecated since " + instead + " attribute instead")
                : List.of();
    }

    /** @param path of the spec of the claim */
    static List<String> ofClaim(JsonNode spec, String path) {
        List<String> warnings = new ArrayList<>();
        for (String kind : List.of("requests", "limits")) {
            String amount = Json.text(spec, "resources", kind, "storage");
            if (isFraction(amount)) {
                warnings.add(path + ".resources." + kind + "[storage]: fractional byte value \"" + amount
                        + "\" is invalid, must be an integer");
            }
        }
        return warnings;
    }

    /** Whether an amount is no whole number, down to thousandths: smaller parts are rounded up. */
    static boolean isFraction(String amount) {
        return Quantities.value(amount)
                .map(value -> value.setScale(3, RoundingMode.CEILING)
                                .stripTrailingZeros()
                                .scale()
                        > 0)
                .orElse(false);
    }
}
