package dev.sro.core.image;

import dev.sro.core.model.ValueTrees;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where images are read from: what {@code registries.conf} (version 2, containers-registries.conf(5)) says. All mirrors come in
 * their order, and the registry itself comes last. Immutable.
 */
public final class Mirrors {

    /** Every image from its own registry. */
    public static final Mirrors NONE = new Mirrors("", List.of());

    /**
     * One place to read an image from.
     *
     * @param reference the image there
     * @param insecure whether its certificate is not checked, and plain HTTP will do
     */
    record Source(ImageReference reference, boolean insecure) {}

    private enum PullFrom {
        ALL,
        DIGEST_ONLY,
        TAG_ONLY
    }

    private record Mirror(String location, boolean insecure, PullFrom pull) {}

    private record Registry(String prefix, String location, boolean insecure, boolean blocked, List<Mirror> mirrors) {

        /** How much of the name the prefix is; -1 if it is not its prefix. */
        int length(String repository) {
            if (prefix.startsWith("*.")) {
                int end = repository.indexOf('/');
                String host = repository.substring(0, end);
                return host.endsWith(prefix.substring(1)) ? end : -1;
            }
            boolean whole = repository.length() == prefix.length();
            return repository.startsWith(prefix) && (whole || repository.charAt(prefix.length()) == '/')
                    ? prefix.length()
                    : -1;
        }
    }

    private final String file;
    private final List<Registry> registries;

    private Mirrors(String file, List<Registry> registries) {
        this.file = file;
        this.registries = List.copyOf(registries);
    }

    /**
     * What a file says.
     *
     * @param file its name, for messages
     * @throws IllegalArgumentException if it cannot be read; the message names file, line or field
     */
    public static Mirrors parse(String file, String toml) {
        List<Registry> registries = new ArrayList<>();
        Map<String, Object> tree = Toml.parse(file, toml);
        for (Map<String, Object> entry : ValueTrees.maps(tree, "registry")) {
            String location = ValueTrees.text(entry, "location");
            String prefix = ValueTrees.text(entry, "prefix");
            if (prefix.isEmpty() && location.isEmpty()) {
                throw new IllegalArgumentException(file + ": a [[registry]] has neither prefix nor location");
            }
            boolean digests = Boolean.TRUE.equals(entry.get("mirror-by-digest-only"));
            List<Mirror> mirrors = new ArrayList<>();
            for (Map<String, Object> mirror : ValueTrees.maps(entry, "mirror")) {
                mirrors.add(mirror(file, mirror, digests));
            }
            registries.add(new Registry(
                    stripped(prefix.isEmpty() ? location : prefix),
                    stripped(location),
                    Boolean.TRUE.equals(entry.get("insecure")),
                    Boolean.TRUE.equals(entry.get("blocked")),
                    List.copyOf(mirrors)));
        }
        return new Mirrors(file, registries);
    }

    private static Mirror mirror(String file, Map<String, Object> mirror, boolean digests) {
        String location = ValueTrees.text(mirror, "location");
        if (location.isEmpty()) {
            throw new IllegalArgumentException(file + ": a [[registry.mirror]] has no location");
        }
        PullFrom pull = switch (ValueTrees.text(mirror, "pull-from-mirror")) {
            case "", "all" -> digests ? PullFrom.DIGEST_ONLY : PullFrom.ALL;
            case "digest-only" -> PullFrom.DIGEST_ONLY;
            case "tag-only" -> PullFrom.TAG_ONLY;
            default ->
                throw new IllegalArgumentException(
                        file + ": pull-from-mirror of " + location + " is neither all nor digest-only nor tag-only");
        };
        return new Mirror(stripped(location), Boolean.TRUE.equals(mirror.get("insecure")), pull);
    }

    private static String stripped(String location) {
        return location.replaceFirst("/+$", "");
    }

    /**
     * From where to read the image, in this order.
     *
     * @throws IOException if the file says that it is not to be read
     */
    List<Source> of(ImageReference image) throws IOException {
        String repository = image.repository();
        Optional<Registry> found = registries.stream()
                .filter(registry -> registry.length(repository) >= 0)
                .max(Comparator.comparingInt(registry -> registry.prefix().length()));
        if (found.isEmpty()) {
            return List.of(new Source(image, false));
        }
        Registry registry = found.get();
        if (registry.blocked()) {
            throw new IOException(image + " is not read: " + file + " blocks registry " + registry.prefix());
        }
        List<Source> sources = new ArrayList<>();
        for (Mirror mirror : registry.mirrors()) {
            boolean fits = switch (mirror.pull()) {
                case ALL -> true;
                case DIGEST_ONLY -> !image.digest().isEmpty();
                case TAG_ONLY -> image.digest().isEmpty();
            };
            if (fits) {
                sources.add(new Source(moved(image, registry, mirror.location()), mirror.insecure()));
            }
        }
        ImageReference origin = registry.location().isEmpty() ? image : moved(image, registry, registry.location());
        sources.add(new Source(origin, registry.insecure()));
        return sources;
    }

    private ImageReference moved(ImageReference image, Registry registry, String location) throws IOException {
        String repository = image.repository();
        String there = location + repository.substring(registry.length(repository));
        int slash = there.indexOf('/');
        if (slash <= 0) {
            throw new IOException(
                    file + ": location " + location + " makes \"" + there + "\" of " + image + ", which is no image");
        }
        return new ImageReference(there.substring(0, slash), there.substring(slash + 1), image.tag(), image.digest());
    }
}
