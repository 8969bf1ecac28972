package dev.sro.core.image;

import dev.sro.api.driver.RegistrySecurity;
import dev.sro.core.model.Code;
import dev.sro.core.recipe.chart.ChartException;
import dev.sro.core.recipe.source.Registries;
import dev.sro.core.yaml.LenientYaml;
import dev.sro.core.yaml.YamlException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens images in registries, by the mirrors in their order and the registry itself in the end. What was read of a layer is kept
 * by its digest. Blocks; thread-safe.
 */
public final class Images {

    private static final Logger LOG = LoggerFactory.getLogger(Images.class);

    /** A layer that does not come within this time does not come. */
    private static final Duration LAYER_LIMIT = Duration.ofMinutes(10);

    private static final int KEPT = 1_000;
    private static final int MAX_LISTS = 3;
    private static final int MAX_CONFIG = 4 << 20;

    private final Registries registries;
    private final LayerReader.Limits limits;
    private final Duration layerLimit;
    private final Map<String, Layer> layers = new LinkedHashMap<>();

    /** Reads through these connections. */
    public Images(Registries registries) {
        this(registries, LayerReader.Limits.DEFAULT, LAYER_LIMIT);
    }

    Images(Registries registries, LayerReader.Limits limits, Duration layerLimit) {
        this.registries = registries;
        this.limits = limits;
        this.layerLimit = layerLimit;
    }

    /**
     * Reads the manifest of an image.
     *
     * @param image as it is in a pod
     * @param architecture as Kubernetes names it, for lists of images
     * @throws IOException if there is no place that has it; the message says of each place why not
     */
    public Image open(String image, String architecture, RegistrySettings settings) throws IOException {
        return open(image, architecture, settings, RegistrySecurity.CHECKED);
    }

    /**
     * The same with less safe connections where they will do.
     *
     * @throws ImageException if there is no place that has it
     */
    public Image open(String image, String architecture, RegistrySettings settings, RegistrySecurity security)
            throws IOException {
        ImageReference reference;
        try {
            reference = ImageReference.parse(image);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        List<Place> places = places(reference, settings, security);
        PlaceAnswers answers = new PlaceAnswers();
        for (Place place : places) {
            if (!answers.ask(place)) {
                continue;
            }
            try {
                return opened(reference, architecture, place, places);
            } catch (IOException e) {
                LOG.atDebug().log("{} from {}: {}", reference, place, e.getMessage());
                answers.failed(place, kind(e), String.valueOf(e.getMessage()));
            }
        }
        throw ImageException.unreadable(answers.worst(), reference, answers.said());
    }

    static ImageException.Kind kind(IOException e) {
        if (e instanceof ImageException known) {
            return known.kind();
        }
        if (!(e.getCause() instanceof ChartException refused)) {
            return ImageException.Kind.UNREACHABLE;
        }
        if (Code.CHART_NOT_FOUND.is(refused.problem())) {
            return ImageException.Kind.NOT_FOUND;
        }
        return Code.CHART_ACCESS_DENIED.is(refused.problem())
                ? ImageException.Kind.DENIED
                : ImageException.Kind.UNREACHABLE;
    }

    private static List<Place> places(ImageReference image, RegistrySettings settings, RegistrySecurity security)
            throws IOException {
        List<Place> places = new ArrayList<>();
        for (Mirrors.Source source : settings.mirrors().of(image)) {
            boolean checked = !source.insecure() && security == RegistrySecurity.CHECKED;
            places.add(place(
                    source.reference(),
                    settings,
                    checked ? Registries.Security.CHECKED : Registries.Security.UNCHECKED));
            if (source.insecure() || security == RegistrySecurity.PLAIN) {
                places.add(place(source.reference(), settings, Registries.Security.PLAIN));
            }
        }
        return places;
    }

    private static Place place(ImageReference image, RegistrySettings settings, Registries.Security security) {
        PullSecrets.Login login = settings.logins().of(image);
        return new Place(
                image,
                new Registries.Address(
                        image.host(),
                        image.path(),
                        login.username(),
                        login.password(),
                        settings.authorities(image.host()),
                        security,
                        settings.loginHint()));
    }

    private Image opened(ImageReference image, String architecture, Place place, List<Place> places)
            throws IOException {
        Registries.Repository repository = registries.open(place.address());
        String version = image.version();
        for (int depth = 0; depth < MAX_LISTS; depth++) {
            byte[] json = repository.manifest(version, ImageManifest.TYPES);
            String digest = ManifestDigest.of(version, json);
            if (version.indexOf(':') >= 0 && !version.equals(digest)) {
                throw new IOException("the manifest of " + image + " from " + place + " has digest " + digest
                        + " and not " + version);
            }
            ImageManifest manifest = ImageManifest.parse(image + " from " + place, json);
            if (!manifest.isList()) {
                return new Image(this, image, place, places, digest, manifest.layers(), manifest.config());
            }
            version = manifest.imageFor(architecture)
                    .orElseThrow(() -> new ImageException(
                            ImageException.Kind.OTHER_ARCHITECTURE,
                            image + " has no image for linux/" + architecture + ", only for "
                                    + manifest.architectures()));
        }
        throw new IOException(image + " is a list of lists of images");
    }

    /**
     * Deletes a tag from the registry that it names, never from a mirror. Registries that know no deletion of a tag are asked to delete
     * by digest, if no image that stays has it.
     *
     * @param image with a tag
     * @param staying images that must not go; only those of the same repository matter
     * @return empty when it is gone; else why it is not, for a person
     * @throws IOException if there is no answer
     */
    public Optional<String> delete(
            String image, Collection<String> staying, RegistrySettings settings, RegistrySecurity security)
            throws IOException {
        ImageReference reference;
        List<ImageReference> others = new ArrayList<>();
        try {
            reference = ImageReference.parse(image);
            for (String name : staying) {
                ImageReference other = ImageReference.parse(name);
                if (other.repository().equals(reference.repository())) {
                    others.add(other);
                }
            }
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        Registries.Security how = switch (security) {
            case CHECKED -> Registries.Security.CHECKED;
            case UNCHECKED -> Registries.Security.UNCHECKED;
            case PLAIN -> Registries.Security.PLAIN;
        };
        return new Deletion(registries.open(place(reference, settings, how).address()), reference, others).run();
    }

    /** What the configuration of an image says; nothing where it has none. */
    Map<String, Object> configuration(ImageReference image, String config, Place place) throws IOException {
        if (config.isEmpty()) {
            return Map.of();
        }
        try (InputStream blob = registries.open(place.address()).blob(config)) {
            byte[] json = blob.readNBytes(MAX_CONFIG);
            String what = "the configuration of " + image + " from " + place;
            return LenientYaml.map(what, new String(json, StandardCharsets.UTF_8));
        } catch (YamlException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /**
     * The layer, from where the image came or from another place that has it.
     *
     * @param first the place to ask first
     */
    Layer layer(ImageReference image, String digest, Place first, List<Place> places) throws IOException {
        synchronized (layers) {
            Layer known = layers.get(digest);
            if (known != null) {
                return known;
            }
        }
        List<Place> order = new ArrayList<>(places);
        order.remove(first);
        order.add(0, first);
        List<String> failures = new ArrayList<>();
        for (Place place : order) {
            try {
                return keep(digest, read(image, digest, place));
            } catch (IOException e) {
                failures.add(String.valueOf(e.getMessage()));
            }
        }
        throw new IOException("layer " + digest + " of " + image + " cannot be read: " + String.join("; ", failures));
    }

    private Layer read(ImageReference image, String digest, Place place) throws IOException {
        String what = "layer " + digest + " of " + image + " from " + place;
        CompletableFuture<Void> late = new CompletableFuture<>();
        try (InputStream blob = registries.open(place.address()).blob(digest)) {
            // A read of a stream knows no time limit; to close it ends the read.
            var unused = late.orTimeout(layerLimit.toMillis(), TimeUnit.MILLISECONDS)
                    .whenComplete((done, timeout) -> {
                        if (timeout != null) {
                            close(blob);
                        }
                    });
            return new LayerReader(what, limits).read(blob, digest);
        } catch (IOException e) {
            if (late.isCompletedExceptionally()) {
                throw new IOException(what + " did not come within " + layerLimit.toSeconds() + " s", e);
            }
            throw e;
        } finally {
            late.complete(null);
        }
    }

    private static void close(InputStream stream) {
        try {
            stream.close();
        } catch (IOException e) {
            LOG.atDebug().log("{}", e.getMessage());
        }
    }

    private Layer keep(String digest, Layer layer) {
        synchronized (layers) {
            if (layers.size() >= KEPT) {
                layers.remove(layers.keySet().iterator().next());
            }
            layers.put(digest, layer);
        }
        return layer;
    }
}
