package dev.sro.runtime.plan;

import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.driver.RegistryProbe.Finding;
import dev.sro.core.driver.RegistryProbe.Kind;
import dev.sro.core.driver.RegistryProbe.Query;
import dev.sro.core.engine.port.ImageLooks;
import dev.sro.core.image.Images;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.Registries;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Images as the command line says that they are; what it does not say, and may not ask for, stays unknown. Thread-safe. */
final class PreviewImages implements ImageLooks {

    private static final Duration REGISTRY_ANSWER = Duration.ofSeconds(30);

    private final List<Pattern> there;
    private final List<Pattern> missing;
    private final boolean all;
    private final Optional<ImageLooks> registries;
    private final AtomicInteger answers = new AtomicInteger();

    /**
     * @param there names of images, with {@code *} for anything
     * @param missing the same, and goes first
     * @param all whether any other is there
     * @param registries are asked for any other; empty to ask nobody
     */
    PreviewImages(List<String> there, List<String> missing, boolean all, Optional<ImageLooks> registries) {
        this.there = there.stream().map(PreviewImages::pattern).toList();
        this.missing = missing.stream().map(PreviewImages::pattern).toList();
        this.all = all;
        this.registries = registries;
    }

    private static Pattern pattern(String name) {
        return Pattern.compile(
                Arrays.stream(name.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }

    /** Reads registries, one connection at a time. */
    static RegistryProbe probe() {
        return new RegistryProbe(new Images(new Registries(new HttpClients(OutgoingGate.open()), REGISTRY_ANSWER)));
    }

    /** Asks registries without a login. */
    static ImageLooks anonymous() {
        RegistryProbe probe = probe();
        return new ImageLooks() {
            @Override
            public Finding look(Query query, RegistrySettings settings) {
                return probe.look(query, settings);
            }

            @Override
            public RegistrySettings settings(String namespace, List<String> pullSecrets) {
                return RegistrySettings.NONE;
            }
        };
    }

    /** The last of these looks ahead: each may tell of images that come into question only now. */
    <T> T settled(Supplier<T> preview) {
        int before = answers.get();
        T last = preview.get();
        while (before < answers.get()) {
            before = answers.get();
            last = preview.get();
        }
        return last;
    }

    @Override
    public Finding look(Query query, RegistrySettings settings) {
        Finding finding = answer(query, settings);
        if (finding.kind() != Kind.UNREAD) {
            answers.incrementAndGet();
        }
        return finding;
    }

    private Finding answer(Query query, RegistrySettings settings) {
        if (matches(missing, query.image())) {
            return Finding.of(Kind.MISSING, "--image-missing says so");
        }
        if (all || matches(there, query.image())) {
            return new Finding(Kind.FOUND, "", "");
        }
        return registries.map(asked -> asked.look(query, settings)).orElse(Finding.UNREAD);
    }

    private static boolean matches(List<Pattern> patterns, String image) {
        return patterns.stream().anyMatch(pattern -> pattern.matcher(image).matches());
    }

    @Override
    public RegistrySettings settings(String namespace, List<String> pullSecrets) throws IOException {
        return registries.isPresent() ? registries.get().settings(namespace, pullSecrets) : RegistrySettings.NONE;
    }
}
