package dev.sro.core.image;

import dev.sro.core.model.ValueTrees;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** An image in a registry. Its layers are read when they are needed, from the top. Confined to one thread. */
public final class Image {

    private final Images images;
    private final ImageReference reference;
    private final Place place;
    private final List<Place> places;
    private final String digest;
    private final List<String> layers;
    private final String config;

    Image(
            Images images,
            ImageReference reference,
            Place place,
            List<Place> places,
            String digest,
            List<String> layers,
            String config) {
        this.config = config;
        this.images = images;
        this.reference = reference;
        this.place = place;
        this.places = places;
        this.digest = digest;
        this.layers = List.copyOf(layers);
    }

    /**
     * A file of an image.
     *
     * @param layer digest of the layer that has it
     * @param path without a slash at its start
     */
    public record Found(String layer, String path, String content) {}

    /** Its name. */
    public ImageReference reference() {
        return reference;
    }

    /** Registry and repository that it is read from. */
    public String source() {
        return place.toString();
    }

    /** Digest of its manifest, for the architecture that was asked for. */
    public String digest() {
        return digest;
    }

    /**
     * For which architecture it says to be, as Kubernetes names it; empty where it does not say.
     *
     * @throws IOException if what says so cannot be read
     */
    public String architecture() throws IOException {
        return ValueTrees.text(images.configuration(reference, config, place), "architecture");
    }

    /**
     * The labels of its configuration.
     *
     * @throws IOException if the configuration cannot be read
     */
    public Map<String, String> labels() throws IOException {
        Map<String, String> labels = new TreeMap<>();
        ValueTrees.map(images.configuration(reference, config, place), "config", "Labels")
                .forEach((key, value) -> labels.put(key, String.valueOf(value)));
        return labels;
    }

    /**
     * A file, as a container would see it: from the topmost layer that has it, unless a layer above took it away.
     *
     * @param path one of {@link ToolkitRelease#PATH}, {@link ReleasePayload#IMAGES} and {@link ReleasePayload#METADATA}: others
     *     are not kept
     * @throws IOException if a layer cannot be read
     */
    public Optional<Found> file(String path) throws IOException {
        if (!LayerReader.FILES.contains(path)) {
            throw new IllegalArgumentException(path + " is not kept");
        }
        for (String layer : layers) {
            Layer contents = images.layer(reference, layer, place, places);
            Optional<String> file = contents.file(path);
            if (file.isPresent()) {
                return Optional.of(new Found(layer, path, file.get()));
            }
            if (contents.hides(path)) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /**
     * Kernels for which there are modules in it. Reads all layers; single modules that were taken away still count.
     *
     * @throws IOException if a layer cannot be read
     */
    public SortedSet<String> kernels() throws IOException {
        SortedSet<String> kernels = new TreeSet<>();
        List<Layer> above = new ArrayList<>();
        for (String layer : layers) {
            Layer contents = images.layer(reference, layer, place, places);
            contents.kernels().stream()
                    .filter(kernel -> above.stream().noneMatch(higher -> hidesModules(higher, kernel)))
                    .forEach(kernels::add);
            above.add(contents);
        }
        return kernels;
    }

    /**
     * The kernels that modules were compiled for, as they say themselves by their vermagic: those in {@code lib/modules/<kernel>},
     * wherever that is. Reads all layers. Modules that are compressed by xz or zstd are not looked into.
     *
     * @param kernel as in the path; empty for modules that are elsewhere
     * @return empty where no module was read
     * @throws IOException if a layer cannot be read
     */
    public SortedSet<String> compiledFor(String kernel) throws IOException {
        SortedSet<String> releases = new TreeSet<>();
        List<Layer> above = new ArrayList<>();
        for (String layer : layers) {
            Layer contents = images.layer(reference, layer, place, places);
            if (kernel.isEmpty() || above.stream().noneMatch(higher -> hidesModules(higher, kernel))) {
                releases.addAll(contents.compiled().getOrDefault(kernel, Collections.emptySortedSet()));
            }
            above.add(contents);
        }
        return releases;
    }

    private static boolean hidesModules(Layer layer, String kernel) {
        return layer.hides("lib/modules/" + kernel + "/x")
                || layer.hides("usr/lib/modules/" + kernel + "/x")
                || layer.hides("opt/lib/modules/" + kernel + "/x");
    }
}
