package dev.sro.core.build;

import dev.sro.api.driver.RegistrySecurity;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.TreeLiterals;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The images that SRO built for one special resource, as far as they are not deleted. It is kept in a ConfigMap: the objects of
 * builds go, and what they pushed stays. Immutable.
 *
 * @param entries by image
 */
public record BuiltImages(SortedMap<String, Entry> entries) {

    /** None was built. */
    public static final BuiltImages NONE = new BuiltImages(Collections.emptySortedMap());

    private static final String KEY = "images";
    private static final int MAX_PREFIX = 40;

    /** So that the ConfigMap stays under its limit of 1 MiB. */
    private static final int MAX_ENTRIES = 2_000;

    /** Copies. */
    public BuiltImages {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
    }

    /**
     * One image.
     *
     * @param image with its tag
     * @param kernel of the pool that it was built for
     * @param pushed when the build ended that pushed it last
     * @param unused since when nobody needs it; empty while somebody does
     * @param security how safe the connection to its registry has to be
     * @param secret with which it was pushed, in the operand namespace
     */
    public record Entry(
            String image,
            String kernel,
            Instant pushed,
            Optional<Instant> unused,
            RegistrySecurity security,
            Optional<String> secret) {

        /** One that was pushed just now. */
        public static Entry of(BuildStep step, Instant pushed) {
            return new Entry(
                    step.image(),
                    step.pool().kernel().raw(),
                    pushed.truncatedTo(ChronoUnit.SECONDS),
                    Optional.empty(),
                    step.plan().pushSecurity(),
                    step.plan().pushSecret());
        }

        Entry unusedSince(Optional<Instant> since) {
            return new Entry(image, kernel, pushed, since, security, secret);
        }

        /** Where it is in OpenShift's own registry; empty elsewhere. */
        public Optional<StreamTag> streamTag() {
            return StreamTag.of(image);
        }

        private String line() {
            return String.join(
                    " ",
                    image,
                    "kernel=" + kernel,
                    "pushed=" + pushed,
                    "unused=" + unused.map(Instant::toString).orElse(""),
                    "security=" + security,
                    "secret=" + secret.orElse(""));
        }

        private static Optional<Entry> parse(String line) {
            String[] words = line.strip().split(" ", -1);
            Map<String, String> values = new HashMap<>();
            for (int i = 1; i < words.length; i++) {
                int equals = words[i].indexOf('=');
                if (equals > 0) {
                    values.put(words[i].substring(0, equals), words[i].substring(equals + 1));
                }
            }
            try {
                String unused = values.getOrDefault("unused", "");
                return Optional.of(new Entry(
                        words[0],
                        values.getOrDefault("kernel", ""),
                        Instant.parse(values.getOrDefault("pushed", "")),
                        unused.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(unused)),
                        RegistrySecurity.valueOf(values.getOrDefault("security", "CHECKED")),
                        Optional.of(values.getOrDefault("secret", "")).filter(name -> !name.isEmpty())));
            } catch (DateTimeException | IllegalArgumentException e) {
                // Somebody edited it: what cannot be read is nobody's, and so never deleted.
                return Optional.empty();
            }
        }
    }

    /** Name of the ConfigMap. */
    static String name(String resource) {
        return MetadataKeys.fit(resource.replace('.', '-'), MAX_PREFIX) + "-built-images";
    }

    /** Reads it from what exists of a special resource. */
    public static BuiltImages in(Collection<KubeObject> owned) {
        SortedMap<String, Entry> entries = new TreeMap<>();
        for (KubeObject object : owned) {
            if (object.ref().kind().equals("ConfigMap")
                    && object.annotation(MetadataKeys.BUILT_IMAGES).isPresent()) {
                String text = String.valueOf(object.map("data").getOrDefault(KEY, ""));
                text.lines().forEach(line -> Entry.parse(line).ifPresent(entry -> entries.put(entry.image(), entry)));
            }
        }
        return new BuiltImages(entries);
    }

    /** The ConfigMap. */
    KubeObject object(String resource, String namespace) {
        StringBuilder text = new StringBuilder();
        entries.values().forEach(entry -> text.append(entry.line()).append('\n'));
        return BuildTrees.frozen(TreeLiterals.map(
                "apiVersion",
                "v1",
                "kind",
                "ConfigMap",
                "metadata",
                TreeLiterals.map(
                        "name",
                        name(resource),
                        "namespace",
                        namespace,
                        "annotations",
                        TreeLiterals.map(MetadataKeys.BUILT_IMAGES, "true")),
                "data",
                TreeLiterals.map(KEY, text.toString())));
    }

    BuiltImages with(Collection<Entry> pushed) {
        SortedMap<String, Entry> all = new TreeMap<>(entries);
        pushed.forEach(entry -> all.merge(
                entry.image(),
                entry,
                (known, seen) -> seen.pushed().isAfter(known.pushed()) ? seen.unusedSince(known.unused()) : known));
        return new BuiltImages(all).cut();
    }

    private BuiltImages cut() {
        if (entries.size() <= MAX_ENTRIES) {
            return this;
        }
        List<Entry> newest = entries.values().stream()
                .sorted(Comparator.comparing(Entry::pushed).reversed())
                .limit(MAX_ENTRIES)
                .toList();
        SortedMap<String, Entry> kept = new TreeMap<>();
        newest.forEach(entry -> kept.put(entry.image(), entry));
        return new BuiltImages(kept);
    }

    BuiltImages without(Collection<String> images) {
        SortedMap<String, Entry> rest = new TreeMap<>(entries);
        rest.keySet().removeAll(images);
        return new BuiltImages(rest);
    }

    BuiltImages each(UnaryOperator<Entry> change) {
        SortedMap<String, Entry> changed = new TreeMap<>();
        entries.forEach((image, entry) -> changed.put(image, change.apply(entry)));
        return new BuiltImages(changed);
    }
}
