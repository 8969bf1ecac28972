package dev.sro.core.image;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.LenientYaml;
import dev.sro.core.yaml.YamlException;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a release image of OpenShift says of itself. Immutable.
 *
 * @param version {@code 4.12.3}
 * @param driverToolkit the image of its driver toolkit
 * @param systems images of the operating system of its nodes by their names in the release, those that nodes boot first; empty where it has none
 */
public record ReleasePayload(String version, String driverToolkit, Map<String, String> systems) {

    /** Names of the operating system in releases of OpenShift and OKD; in those from 4.12 on the last is no more than what it was. */
    private static final List<String> SYSTEMS = List.of(
            "rhel-coreos",
            "stream-coreos",
            "rhel-coreos-8",
            "rhel-coreos-9",
            "centos-stream-coreos-9",
            "fedora-coreos",
            "machine-os-content");

    /** Keeps the order. */
    public ReleasePayload {
        systems = Collections.unmodifiableMap(new LinkedHashMap<>(systems));
    }

    /** Where its images are listed. */
    public static final String IMAGES = LayerReader.RELEASE_IMAGES;

    /** Where its version is. */
    public static final String METADATA = LayerReader.RELEASE_METADATA;

    private static final String TOOLKIT = "driver-toolkit";

    /**
     * Reads a release image.
     *
     * @throws IOException if it cannot be read, or is none; the message says what is missing
     */
    public static ReleasePayload read(Image image) throws IOException {
        Map<String, Object> images = tree(image, IMAGES);
        String toolkit = named(images, TOOLKIT)
                .orElseThrow(() -> new IOException(image.reference() + " has no " + TOOLKIT + " among its images ("
                        + IMAGES + "): OpenShift has one from 4.6 on, OKD not in every release"));
        Optional<Image.Found> metadata = image.file(METADATA);
        String version = metadata.isPresent()
                ? ValueTrees.text(tree(image, METADATA), "version")
                : ValueTrees.text(images, "metadata", "name");
        Map<String, String> systems = new LinkedHashMap<>();
        SYSTEMS.forEach(name -> named(images, name).ifPresent(found -> systems.put(name, found)));
        return new ReleasePayload(version, toolkit, systems);
    }

    private static Optional<String> named(Map<String, Object> images, String name) {
        return ValueTrees.maps(images, "spec", "tags").stream()
                .filter(tag -> ValueTrees.text(tag, "name").equals(name))
                .map(tag -> ValueTrees.text(tag, "from", "name"))
                .filter(image -> !image.isEmpty())
                .findFirst();
    }

    private static Map<String, Object> tree(Image image, String path) throws IOException {
        Image.Found file = image.file(path)
                .orElseThrow(() ->
                        new IOException(image.reference() + " is no release image of OpenShift: it has no /" + path));
        try {
            return LenientYaml.map(path, file.content());
        } catch (YamlException e) {
            throw new IOException(path + " of " + image.reference() + " is no JSON object", e);
        }
    }
}
