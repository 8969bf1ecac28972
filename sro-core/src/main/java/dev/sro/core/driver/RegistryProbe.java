package dev.sro.core.driver;

import dev.sro.api.KernelVersion;
import dev.sro.api.driver.RegistrySecurity;
import dev.sro.core.image.Image;
import dev.sro.core.image.ImageException;
import dev.sro.core.image.Images;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.image.ToolkitRelease;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Looks whether an image is there, and whether it is for a pool. Blocks; thread-safe. */
public final class RegistryProbe {

    private static final String ARCHITECTURE = "it is for architecture ";

    private final Images images;

    /** @param images reads registries */
    public RegistryProbe(Images images) {
        this.images = images;
    }

    /**
     * What is asked.
     *
     * @param image as it is pulled: after mirrors that SRO puts into manifests
     * @param architecture as Kubernetes names it
     * @param kernel that the image has to have modules for; empty for any
     * @param security how safe the connection has to be
     * @param namespace of the pull secrets
     * @param pullSecrets names of Secrets
     */
    public record Query(
            String image,
            String architecture,
            Optional<KernelVersion> kernel,
            RegistrySecurity security,
            String namespace,
            List<String> pullSecrets) {
        /** Copies. */
        public Query {
            pullSecrets = List.copyOf(pullSecrets);
        }
    }

    /** How an image was found. */
    public enum Kind {
        /** Nobody looked yet. */
        UNREAD,
        /** It is there, and for the pool. */
        FOUND,
        /** It is not there. */
        MISSING,
        /** It is there for another architecture. */
        OTHER_ARCHITECTURE,
        /** It is there and has no modules for the kernel. */
        OTHER_KERNEL,
        /** The registry wants another login. */
        DENIED,
        /** There is no answer from which to tell. */
        UNREACHABLE
    }

    /**
     * What was found.
     *
     * @param digest of the image for the architecture; empty where it was not found
     * @param message for a person; empty where it was found
     */
    public record Finding(Kind kind, String digest, String message) {

        /** Nobody looked yet. */
        public static final Finding UNREAD = new Finding(Kind.UNREAD, "", "");

        /** A way in which it was not found. */
        public static Finding of(Kind kind, String message) {
            return new Finding(kind, "", message);
        }
    }

    /** Looks. */
    public Finding look(Query query, RegistrySettings settings) {
        try {
            Image image = images.open(query.image(), query.architecture(), settings, query.security());
            String architecture = architecture(image);
            if (!architecture.isEmpty() && !architecture.equals(query.architecture())) {
                return Finding.of(
                        Kind.OTHER_ARCHITECTURE, ARCHITECTURE + architecture + " and not for " + query.architecture());
            }
            return query.kernel().isPresent()
                    ? ofKernel(image, query.kernel().get(), query.architecture())
                    : new Finding(Kind.FOUND, image.digest(), "");
        } catch (ImageException e) {
            return Finding.of(
                    switch (e.kind()) {
                        case NOT_FOUND -> Kind.MISSING;
                        case OTHER_ARCHITECTURE -> Kind.OTHER_ARCHITECTURE;
                        case DENIED -> Kind.DENIED;
                        case UNREACHABLE -> Kind.UNREACHABLE;
                    },
                    e.why());
        } catch (IOException | RuntimeException e) {
            return Finding.of(Kind.UNREACHABLE, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Deletes an image.
     *
     * @param staying images that must not go with it
     * @return {@link Kind#MISSING} when it is gone; else why it is not
     */
    public Finding remove(Query query, Collection<String> staying, RegistrySettings settings) {
        try {
            return images.delete(query.image(), staying, settings, query.security())
                    .map(why -> Finding.of(Kind.DENIED, why))
                    .orElseGet(() -> Finding.of(Kind.MISSING, query.image() + " is deleted"));
        } catch (IOException | RuntimeException e) {
            return Finding.of(Kind.UNREACHABLE, String.valueOf(e.getMessage()));
        }
    }

    /** Where it cannot be read it is not known, which is what most lists of images say as well. */
    private static String architecture(Image image) {
        try {
            return image.architecture();
        } catch (IOException e) {
            return "";
        }
    }

    private static Finding ofKernel(Image image, KernelVersion kernel, String architecture) throws IOException {
        Optional<Image.Found> file = image.file(ToolkitRelease.PATH);
        Optional<ToolkitRelease> release =
                file.isPresent() ? Optional.of(ToolkitRelease.parse(file.get(), architecture)) : Optional.empty();
        if (ImageKernels.isFor(release, kernel, architecture)) {
            // The modules need not be read then.
            return new Finding(Kind.FOUND, image.digest(), "");
        }
        SortedSet<String> compiled = new TreeSet<>();
        for (String name : ImageKernels.names(kernel)) {
            compiled.addAll(image.compiledFor(name));
        }
        return new ImageKernels(release, image.kernels(), compiled, image.compiledFor(""))
                .mismatch(kernel)
                .map(why -> Finding.of(Kind.OTHER_KERNEL, why))
                .orElseGet(() -> new Finding(Kind.FOUND, image.digest(), ""));
    }
}
