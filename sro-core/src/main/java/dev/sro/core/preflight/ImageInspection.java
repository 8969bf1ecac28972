package dev.sro.core.preflight;

import dev.sro.core.image.Image;
import dev.sro.core.image.Images;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.image.ToolkitRelease;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/** Looks into the images of driver containers, into each once. Confined to one thread. */
final class ImageInspection {

    /**
     * What an image says.
     *
     * @param source from where it was read; empty if it was not
     * @param digest of its manifest; empty if it was not read
     * @param layer that says for which kernel it is; empty if none does
     * @param release the kernels that it is for
     * @param message for a person; empty if all is well
     */
    record Finding(String source, String digest, String layer, Optional<ToolkitRelease> release, String message) {}

    private record Key(String image, String architecture) {}

    private final Images images;
    private final RegistrySettings settings;
    private final Map<Key, Finding> known = new HashMap<>();

    ImageInspection(Images images, RegistrySettings settings) {
        this.images = images;
        this.settings = settings;
    }

    Finding of(String image, String architecture) {
        return known.computeIfAbsent(new Key(image, architecture), this::inspect);
    }

    private Finding inspect(Key key) {
        Image image;
        try {
            image = images.open(key.image, key.architecture, settings);
        } catch (IOException e) {
            return new Finding("", "", "", Optional.empty(), String.valueOf(e.getMessage()));
        }
        try {
            Optional<Image.Found> file = image.file(ToolkitRelease.PATH);
            if (file.isEmpty()) {
                return new Finding(image.source(), image.digest(), "", Optional.empty(), withoutFile(image));
            }
            return new Finding(
                    image.source(),
                    image.digest(),
                    file.get().layer(),
                    Optional.of(ToolkitRelease.parse(file.get(), key.architecture)),
                    "");
        } catch (IOException e) {
            return new Finding(image.source(), image.digest(), "", Optional.empty(), String.valueOf(e.getMessage()));
        }
    }

    private static String withoutFile(Image image) throws IOException {
        SortedSet<String> kernels = image.kernels();
        return image.reference() + " has no /" + ToolkitRelease.PATH
                + " in any layer: it was not built from a driver toolkit"
                + (kernels.isEmpty() ? "" : "; it has modules for " + String.join(", ", kernels));
    }
}
