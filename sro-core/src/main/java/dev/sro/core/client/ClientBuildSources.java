package dev.sro.core.client;

import dev.sro.api.Outcome;
import dev.sro.core.build.BuildSources;
import dev.sro.core.build.Toolkits;
import dev.sro.core.model.Trees;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * ConfigMaps and Secrets that builds take in, each watched by its name from the moment that a build asks for it: a change of it is
 * a reason to build again. Of a Secret only a digest of its content is kept. Watches stay until the operator stops. Thread-safe.
 */
final class ClientBuildSources implements BuildSources, AutoCloseable {

    private static final String DOCKERFILE = "dockerfile";

    /** What is kept of an object, by its name. */
    private record Shelf(KindWatch watch, Map<String, String> kept) {}

    private final KubernetesClient client;
    private final Clock clock;
    private final Runnable changed;
    private final Function<String, List<Toolkits.Known>> toolkits;
    private final Supplier<Set<String>> awaited;
    private final ConcurrentHashMap<String, Shelf> maps = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Shelf> secrets = new ConcurrentHashMap<>();

    /**
     * @param toolkits all driver toolkits, by architecture
     * @param awaited kernels that preflights are about
     * @param changed called when any of the objects changed; must not block
     */
    ClientBuildSources(
            KubernetesClient client,
            Clock clock,
            Function<String, List<Toolkits.Known>> toolkits,
            Supplier<Set<String>> awaited,
            Runnable changed) {
        this.awaited = awaited;
        this.client = client;
        this.clock = clock;
        this.toolkits = toolkits;
        this.changed = changed;
    }

    @Override
    public Answer dockerfile(String namespace, String configMap) {
        Shelf shelf = maps.computeIfAbsent(
                namespace + "/" + configMap,
                unused -> shelf(
                        "v1/ConfigMap",
                        client.configMaps().inNamespace(namespace).withField("metadata.name", configMap),
                        object -> new ConfigMap(),
                        object -> Objects.requireNonNullElse(object.getData(), Map.<String, String>of())
                                .getOrDefault(DOCKERFILE, "")));
        return answer(shelf, "ConfigMap " + namespace + "/" + configMap);
    }

    @Override
    public Answer secret(String namespace, String name) {
        Shelf shelf = secrets.computeIfAbsent(
                namespace + "/" + name,
                unused -> shelf(
                        "v1/Secret",
                        client.secrets().inNamespace(namespace).withField("metadata.name", name),
                        object -> new Secret(),
                        object -> Trees.digest(new HashMap<>(
                                Objects.requireNonNullElse(object.getData(), Map.<String, String>of())))));
        return answer(shelf, "Secret " + namespace + "/" + name);
    }

    @Override
    public Set<String> awaitedKernels() {
        return awaited.get();
    }

    @Override
    public List<Toolkits.Known> toolkits(String architecture) {
        return toolkits.apply(architecture);
    }

    private Answer answer(Shelf shelf, String what) {
        Optional<Outcome> obstacle = shelf.watch.obstacle(clock.instant());
        if (obstacle.isPresent()) {
            return obstacle.get() instanceof Outcome.Failed failed
                    ? new Absent(what + " cannot be read: " + failed.problem().message())
                    : new Pending();
        }
        return shelf.kept.values().stream()
                .findFirst()
                .<Answer>map(Found::new)
                .orElseGet(() -> new Absent("there is no " + what));
    }

    private <T extends HasMetadata> Shelf shelf(
            String kind, Informable<T> objects, Function<T, T> empty, Function<T, String> content) {
        Map<String, String> kept = new ConcurrentHashMap<>();
        KindWatch watch = KindWatch.start(
                kind,
                () -> objects.runnableInformer(0),
                empty,
                new KindWatch.Handlers<>(
                        object -> {
                            String now = content.apply(object);
                            if (!now.equals(kept.put(object.getMetadata().getName(), now))) {
                                changed.run();
                            }
                        },
                        object -> {
                            kept.remove(object.getMetadata().getName());
                            changed.run();
                        }),
                changed,
                clock);
        return new Shelf(watch, kept);
    }

    /** Looks after the watches; see {@link KindWatch#check}. */
    void check(Duration silence) {
        maps.values().forEach(shelf -> shelf.watch.check(silence));
        secrets.values().forEach(shelf -> shelf.watch.check(silence));
    }

    @Override
    public void close() {
        maps.values().forEach(shelf -> shelf.watch.close());
        secrets.values().forEach(shelf -> shelf.watch.close());
    }
}
