package dev.sro.core.client;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.RecipeConfigMap;
import dev.sro.api.resource.RecipeSource;
import dev.sro.core.engine.Timers;
import dev.sro.core.model.Operands;
import dev.sro.core.recipe.StateFiles;
import dev.sro.core.recipe.source.StateDirectories;
import dev.sro.core.recipe.source.StateMarks;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Numbered manifests in ConfigMaps, watched from the moment that a special resource asks for them: a change of the ConfigMap is a
 * change of the recipe. A watch ends when no special resource asks for it any more. Thread-safe.
 */
final class StateMaps implements StateFiles, AutoCloseable {

    /** Where OpenShift keeps what Grafana needs to ask the cluster's Prometheus. */
    private static final String MONITORING = "openshift-monitoring";

    private static final String DATA_SOURCES = "grafana-datasources";

    private static final String PROMETHEUS_WORD = "REPLACE_PROM_";

    /** Objects of one namespace and name, or label. */
    private record Shelf<T extends HasMetadata>(KindWatch watch, Map<String, T> objects, AtomicLong asked) {
        List<T> sorted() {
            return objects.values().stream()
                    .sorted(Comparator.comparing(object -> object.getMetadata().getName()))
                    .toList();
        }
    }

    private final KubernetesClient client;
    private final Clock clock;
    private final Runnable changed;
    private final StateDirectories directories;
    private final NeedSweep sweep;
    private final ConcurrentHashMap<String, Shelf<ConfigMap>> maps = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Shelf<Secret>> secrets = new ConcurrentHashMap<>();

    /**
     * @param changed called when any of them changed; must not block
     */
    StateMaps(KubernetesClient client, Clock clock, Timers timers, Runnable changed) {
        this.sweep = new NeedSweep(timers, since -> {
            drop(maps, since);
            drop(secrets, since);
        });
        this.client = client;
        this.clock = clock;
        this.changed = changed;
        this.directories = new StateDirectories(clock);
    }

    @Override
    public Answer find(RecipeContext context) {
        RecipeSource source = context.spec().getRecipe();
        RecipeConfigMap map = source == null ? null : source.getConfigMap();
        String directory = source == null ? "" : source.getDirectory();
        if (map != null && !directory.isEmpty()) {
            return new Failed(Problem.user(
                    "NoRecipe", "spec.recipe: at most one of configMap and directory is allowed; remove one of them"));
        }
        if (!directory.isEmpty()) {
            return withPrometheus(directories.read(directory));
        }
        String own = Operands.namespace(context.specialResource());
        String namespace = map == null || map.getNamespace().isEmpty() ? own : map.getNamespace();
        return withPrometheus(
                map == null || map.getName().isEmpty()
                        ? byCustom(context.name(), namespace)
                        : byName(namespace, map.getName()));
    }

    private Answer byName(String namespace, String name) {
        Shelf<ConfigMap> shelf = named(namespace, name);
        return obstacle(List.of(shelf), "ConfigMap " + namespace + "/" + name)
                .orElseGet(() -> shelf.sorted().stream()
                        .findFirst()
                        .map(StateMaps::files)
                        .orElseGet(() -> new Failed(Problem.user(
                                "RecipeNotFound",
                                "spec.recipe.configMap: there is no ConfigMap " + name + " in namespace "
                                        + namespace))));
    }

    /** As the first generations found it: by its name, or by its label and the hardware that it names. */
    private Answer byCustom(String name, String namespace) {
        Shelf<ConfigMap> named = named(namespace, name);
        Shelf<ConfigMap> labelled = asked(maps.computeIfAbsent(
                namespace + "/",
                unused -> shelf(
                        "v1/ConfigMap",
                        client.configMaps().inNamespace(namespace).withLabel(StateMarks.CONFIG, "true"),
                        object -> new ConfigMap())));
        return obstacle(List.of(named, labelled), "ConfigMap " + name + " in namespace " + namespace)
                .orElseGet(() -> Stream.concat(
                                named.sorted().stream(),
                                labelled.sorted().stream()
                                        .filter(found -> name.equals(annotation(found, StateMarks.HARDWARE))))
                        .findFirst()
                        .map(StateMaps::files)
                        .orElseGet(() -> new Failed(Problem.user(
                                "NoRecipe",
                                "spec: a recipe is needed: set spec.plugin.name, spec.chart or spec.recipe, or put"
                                        + " numbered manifests into a ConfigMap " + name + " in namespace " + namespace
                                        + ", as the first versions had them"))));
    }

    private Shelf<ConfigMap> named(String namespace, String name) {
        return asked(maps.computeIfAbsent(
                namespace + "/" + name,
                unused -> shelf(
                        "v1/ConfigMap",
                        client.configMaps().inNamespace(namespace).withField("metadata.name", name),
                        object -> new ConfigMap())));
    }

    private <T extends HasMetadata> Shelf<T> shelf(String kind, Informable<T> objects, Function<T, T> empty) {
        Map<String, T> kept = new ConcurrentHashMap<>();
        KindWatch watch = KindWatch.start(
                kind,
                () -> objects.runnableInformer(0),
                empty,
                new KindWatch.Handlers<>(
                        object -> {
                            kept.put(object.getMetadata().getName(), object);
                            changed.run();
                        },
                        object -> {
                            kept.remove(object.getMetadata().getName());
                            changed.run();
                        }),
                changed,
                clock);
        return new Shelf<>(watch, kept, new AtomicLong(sweep.now()));
    }

    private Optional<Answer> obstacle(List<Shelf<ConfigMap>> shelves, String what) {
        return shelves.stream()
                .flatMap(shelf -> shelf.watch.obstacle(clock.instant()).stream())
                .findFirst()
                .map(outcome -> outcome instanceof Outcome.Failed failed
                        ? new Failed(new Problem(
                                "RecipeNotReadable", unread(what, failed.problem()), Problem.Owner.PLATFORM, true))
                        : new Pending(what));
    }

    /** What to do comes first, as long messages are cut. */
    private static String unread(String what, Problem problem) {
        return problem.code().equals("Forbidden")
                ? "spec.recipe: " + what + " may not be read; give SRO's service account the verbs list and watch for"
                        + " configmaps by a Role in that namespace: " + problem.message()
                : "spec.recipe: " + what + " cannot be read: " + problem.message();
    }

    private static Answer files(ConfigMap map) {
        String hardware = annotation(map, StateMarks.HARDWARE);
        Map<String, String> labels =
                Objects.requireNonNullElse(map.getMetadata().getLabels(), Map.of());
        boolean early = !hardware.isEmpty() || "true".equals(labels.get(StateMarks.CONFIG));
        return new Found(
                "ConfigMap " + map.getMetadata().getNamespace() + "/"
                        + map.getMetadata().getName(),
                new TreeMap<>(Objects.requireNonNullElse(map.getData(), Map.of())),
                annotation(map, StateMarks.NODE_FEATURE),
                hardware,
                !early,
                Map.of(),
                List.of());
    }

    private static String annotation(ConfigMap map, String key) {
        return Objects.requireNonNullElse(map.getMetadata().getAnnotations(), Map.<String, String>of())
                .getOrDefault(key, "");
    }

    /** With what the dashboards of 2019 and 2020 need of the cluster's Prometheus, where there are such. */
    private Answer withPrometheus(Answer answer) {
        if (!(answer instanceof Found found)
                || found.files().values().stream().noneMatch(text -> text.contains(PROMETHEUS_WORD))) {
            return answer;
        }
        Shelf<Secret> shelf = asked(secrets.computeIfAbsent(
                MONITORING,
                unused -> shelf(
                        "v1/Secret",
                        client.secrets().inNamespace(MONITORING).withField("metadata.name", DATA_SOURCES),
                        object -> new Secret())));
        Optional<Outcome> obstacle = shelf.watch.obstacle(clock.instant());
        if (obstacle.isPresent() && obstacle.get() instanceof Outcome.Waiting) {
            return new Pending("Secret " + MONITORING + "/" + DATA_SOURCES);
        }
        return new Found(
                found.from(),
                found.files(),
                found.nodeFeature(),
                found.hardware(),
                found.rerendered(),
                shelf.sorted().stream()
                        .findFirst()
                        .map(PrometheusSource::placeholders)
                        .orElse(Map.of()),
                found.warnings());
    }

    private <T extends HasMetadata> Shelf<T> asked(Shelf<T> shelf) {
        shelf.asked.set(sweep.now());
        return shelf;
    }

    /** Everybody is reconciled now, and asks again for what is needed. */
    void doubt() {
        sweep.doubt();
    }

    private static <T extends HasMetadata> void drop(ConcurrentHashMap<String, Shelf<T>> shelves, long since) {
        shelves.forEach((name, shelf) -> {
            if (shelf.asked.get() < since && shelves.remove(name, shelf)) {
                shelf.watch.close();
            }
        });
    }

    /** Looks after the watches; see {@link KindWatch#check}. */
    void check(Duration silence) {
        maps.values().forEach(shelf -> shelf.watch.check(silence));
        secrets.values().forEach(shelf -> shelf.watch.check(silence));
    }

    @Override
    public void close() {
        sweep.close();
        maps.values().forEach(shelf -> shelf.watch.close());
        secrets.values().forEach(shelf -> shelf.watch.close());
    }
}
