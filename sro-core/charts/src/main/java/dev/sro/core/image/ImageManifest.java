package dev.sro.core.image;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.LenientYaml;
import dev.sro.core.yaml.YamlException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a registry says of an image: one image with its layers, or a list of images by architecture. Of OCI or of Docker; where
 * no media type is given, what is in it decides. Immutable.
 *
 * @param layers digests of the layers, the top one first; empty for a list
 * @param images digests by architecture; empty for one image
 * @param config digest of what says for which architecture one image is; empty for a list
 */
record ImageManifest(List<String> layers, Map<String, String> images, String config) {

    /** What is asked for. */
    static final List<String> TYPES = List.of(
            "application/vnd.oci.image.manifest.v1+json",
            "application/vnd.docker.distribution.manifest.v2+json",
            "application/vnd.oci.image.index.v1+json",
            "application/vnd.docker.distribution.manifest.list.v2+json");

    /** No tool makes more; it bounds what a damaged manifest can ask for. */
    private static final int MAX_LAYERS = 512;

    /** @throws IOException if it is none; the message says what is wrong with it */
    static ImageManifest parse(String image, byte[] json) throws IOException {
        Map<String, Object> tree;
        try {
            tree = LenientYaml.map(image, new String(json, StandardCharsets.UTF_8));
        } catch (YamlException e) {
            throw new IOException("the manifest of " + image + " is no JSON object", e);
        }
        String type = ValueTrees.text(tree, "mediaType");
        if (!type.isEmpty() && !TYPES.contains(type)) {
            throw new IOException("the manifest of " + image + " has media type " + type + ", which is no image");
        }
        if (tree.get("manifests") instanceof List<?>) {
            return new ImageManifest(List.of(), byArchitecture(ValueTrees.maps(tree, "manifests")), "");
        }
        if (!(tree.get("layers") instanceof List<?>)) {
            throw new IOException("the manifest of " + image + " has neither layers nor manifests"
                    + (tree.containsKey("fsLayers") ? ": it is of Docker's schema 1; push the image anew" : ""));
        }
        List<String> layers = new ArrayList<>();
        for (Map<String, Object> layer : ValueTrees.maps(tree, "layers")) {
            String digest = ValueTrees.text(layer, "digest");
            if (!digest.matches("sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}")) {
                throw new IOException("the manifest of " + image + " has a layer with digest \"" + digest + "\"");
            }
            layers.add(digest);
        }
        if (layers.size() > MAX_LAYERS) {
            throw new IOException("the manifest of " + image + " has " + layers.size() + " layers");
        }
        Collections.reverse(layers);
        return new ImageManifest(layers, Map.of(), ValueTrees.text(tree, "config", "digest"));
    }

    private static Map<String, String> byArchitecture(List<Map<String, Object>> entries) {
        Map<String, String> images = new LinkedHashMap<>();
        for (Map<String, Object> entry : entries) {
            String system = ValueTrees.text(entry, "platform", "os");
            String architecture = ValueTrees.text(entry, "platform", "architecture");
            if (system.isEmpty() || system.equals("linux")) {
                // Of several variants the first is the plainest, by custom.
                images.putIfAbsent(architecture, ValueTrees.text(entry, "digest"));
            }
        }
        return images;
    }

    boolean isList() {
        return !images.isEmpty() || layers.isEmpty();
    }

    /** The digest of the image for this architecture; empty if the list has none. */
    Optional<String> imageFor(String architecture) {
        return Optional.ofNullable(images.get(architecture)).filter(digest -> !digest.isEmpty());
    }

    /** For messages. */
    Set<String> architectures() {
        return new LinkedHashSet<>(images.keySet());
    }
}
