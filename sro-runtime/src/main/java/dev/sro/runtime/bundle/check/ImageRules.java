package dev.sro.runtime.bundle.check;

import static dev.sro.runtime.bundle.check.BundleRule.IMAGE_INVALID;
import static dev.sro.runtime.bundle.check.BundleRule.IMAGE_NOT_RELATED;
import static dev.sro.runtime.bundle.check.BundleRule.IMAGE_TWICE;
import static dev.sro.runtime.bundle.check.BundleRule.IMAGE_WITHOUT_DIGEST;

import dev.sro.core.model.RelatedImages;
import dev.sro.core.model.ValueTrees;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** {@code spec.relatedImages}: all images there are, each by its digest. Stateless. */
final class ImageRules {

    private static final Pattern REFERENCE = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9.]*(:[0-9]{1,5})?"
            + "(/[a-z0-9]+((\\.|_{1,2}|-+)[a-z0-9]+)*)*(:[A-Za-z0-9_][-A-Za-z0-9_.]{0,127})?(@sha256:[0-9a-f]{64})?");

    private static final String DIGEST = "@sha256:";

    private ImageRules() {}

    static void check(Bundle.Manifest manifest, Findings findings) {
        Map<String, Object> csv = manifest.object();
        String where = manifest.file() + " spec.relatedImages";
        Map<String, String> byName = new HashMap<>();
        Set<String> known = new HashSet<>();
        for (Map<String, Object> related : ValueTrees.maps(csv, "spec", "relatedImages")) {
            String name = ValueTrees.text(related, "name");
            String image = ValueTrees.text(related, "image");
            String at = where + "[" + name + "]";
            known.add(image);
            findings.addUnless(!name.isEmpty(), IMAGE_INVALID, where, "the image \"" + image + "\" has no name");
            if (!REFERENCE.matcher(image).matches()) {
                findings.add(IMAGE_INVALID, at, "\"" + image + "\" is no reference to an image");
                continue;
            }
            String other = byName.put(name, image);
            findings.addUnless(
                    other == null || other.equals(image),
                    IMAGE_TWICE,
                    at,
                    "is " + other + " and " + image + "; rename one");
            findings.addUnless(
                    image.contains(DIGEST),
                    IMAGE_WITHOUT_DIGEST,
                    at,
                    image + " is named by a tag, which may move and cannot be mirrored by digest; give its digest");
        }
        for (Map<String, Object> deployment : InstallRules.deployments(csv)) {
            pod(manifest.file(), deployment, known, findings);
        }
    }

    private static void pod(String file, Map<String, Object> deployment, Set<String> known, Findings findings) {
        String where = file + " spec.install.spec.deployments[" + ValueTrees.text(deployment, "name") + "]";
        Map<String, Object> pod = ValueTrees.map(deployment, "spec", "template", "spec");
        for (String containers : List.of("initContainers", "containers")) {
            for (Map<String, Object> container : ValueTrees.maps(pod, containers)) {
                related(
                        where,
                        "the image of container " + ValueTrees.text(container, "name"),
                        ValueTrees.text(container, "image"),
                        known,
                        findings);
                for (Map<String, Object> variable : ValueTrees.maps(container, "env")) {
                    String name = ValueTrees.text(variable, "name");
                    if (name.startsWith(RelatedImages.PREFIX)) {
                        related(where, name, ValueTrees.text(variable, "value"), known, findings);
                    }
                }
            }
        }
    }

    private static void related(String where, String what, String image, Set<String> known, Findings findings) {
        findings.addUnless(
                known.contains(image),
                IMAGE_NOT_RELATED,
                where,
                what + ", \"" + image + "\", is not in spec.relatedImages: nobody would mirror it");
    }
}
