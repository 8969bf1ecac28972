package dev.sro.core.client.source;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.RecipeConfigMap;
import dev.sro.api.resource.RecipeSource;
import dev.sro.core.client.watch.AskedWatches;
import dev.sro.core.client.watch.KindWatch;
import dev.sro.core.engine.port.Timers;
import dev.sro.core.model.Code;
import dev.sro.core.model.Operands;
import dev.sro.core.recipe.source.SourceAnswer;
import dev.sro.core.recipe.source.StateDirectories;
import dev.sro.core.recipe.source.StateFileSet;
import dev.sro.core.recipe.source.StateFiles;
import dev.sro.core.recipe.source.StateKeys;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Numbered manifests in ConfigMaps, watched from the moment that a special resource asks for them: a change of the ConfigMap is a
 * change of the recipe. A watch ends when no special resource asks for it any more. Thread-safe.
 */
public final class StateMaps implements StateFiles, AutoCloseable {

    /** Where OpenShift keeps what Grafana needs to ask the cluster's Prometheus. */
    private static final String MONITORING = "openshift-monitoring";

    private static final String DATA_SOURCES = "grafana-datasources";

    private static final String PROMETHEUS_WORD = "REPLACE_PROM_";

    private final KubernetesClient client;
    private final Clock clock;
    private final StateDirectories directories;
    private final AskedWatches<String, ConfigMap> maps;
    private final AskedWatches<String, Secret> secrets;

    /**
     * @param changed called when any of them changed; must not block
     */
    public StateMaps(KubernetesClient client, Clock clock, Timers timers, Runnable changed) {
        this.maps = new AskedWatches<>(clock, timers, unused -> changed.run());
        this.secrets = new AskedWatches<>(clock, timers, unused -> changed.run());
        this.client = client;
        this.clock = clock;
        this.directories = new StateDirectories(clock);
    }

    @Override
    public SourceAnswer<StateFileSet> find(RecipeContext context) {
        RecipeSource source = context.spec().getRecipe();
        RecipeConfigMap map = source == null ? null : source.getConfigMap();
        String directory = source == null ? "" : source.getDirectory();
        if (map != null && !directory.isEmpty()) {
            return SourceAnswer.failed(Problem.user(
                    Code.NO_RECIPE.text(),
                    "spec.recipe: at most one of configMap and directory is allowed; remove one of them"));
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

    private SourceAnswer<StateFileSet> byName(String namespace, String name) {
        AskedWatches.Shelf<ConfigMap> shelf = named(namespace, name);
        return obstacle(List.of(shelf), "ConfigMap " + namespace + "/" + name)
                .orElseGet(() -> shelf.sorted().stream()
                        .findFirst()
                        .map(StateMaps::files)
                        .orElseGet(() -> SourceAnswer.failed(Problem.user(
                                "RecipeNotFound",
                                "spec.recipe.configMap: there is no ConfigMap " + name + " in namespace "
                                        + namespace))));
    }

    /** As the first generations found it: by its name, or by its label and the hardware that it names. */
    private SourceAnswer<StateFileSet> byCustom(String name, String namespace) {
        AskedWatches.Shelf<ConfigMap> named = named(namespace, name);
        AskedWatches.Shelf<ConfigMap> labelled = maps.ask(
                namespace + "/",
                "v1/ConfigMap",
                () -> client.configMaps().inNamespace(namespace).withLabel(StateKeys.CONFIG, "true"),
                object -> new ConfigMap(),
                Function.identity());
        return obstacle(List.of(named, labelled), "ConfigMap " + name + " in namespace " + namespace)
                .orElseGet(() -> Stream.concat(
                                named.sorted().stream(),
                                labelled.sorted().stream()
                                        .filter(found -> name.equals(annotation(found, StateKeys.HARDWARE))))
                        .findFirst()
                        .map(StateMaps::files)
                        .orElseGet(() -> SourceAnswer.failed(Problem.user(
                                Code.NO_RECIPE.text(),
                                "spec: a recipe is needed: set spec.plugin.name, spec.chart or spec.recipe, or put"
                                        + " numbered manifests into a ConfigMap " + name + " in namespace " + namespace
                                        + ", as the first versions had them"))));
    }

    private AskedWatches.Shelf<ConfigMap> named(String namespace, String name) {
        return maps.ask(
                namespace + "/" + name,
                "v1/ConfigMap",
                () -> client.configMaps().inNamespace(namespace).withField("metadata.name", name),
                object -> new ConfigMap(),
                Function.identity());
    }

    private Optional<SourceAnswer<StateFileSet>> obstacle(List<AskedWatches.Shelf<ConfigMap>> shelves, String what) {
        return shelves.stream()
                .flatMap(shelf -> shelf.watch().obstacle(clock.instant()).stream())
                .findFirst()
                .map(outcome -> outcome instanceof Outcome.Failed failed
                        ? SourceAnswer.failed(new Problem(
                                "RecipeNotReadable", unread(what, failed.problem()), Problem.Owner.PLATFORM, true))
                        : SourceAnswer.pending(what));
    }

    /** What to do comes first, as long messages are cut. */
    private static String unread(String what, Problem problem) {
        return Code.FORBIDDEN.is(problem)
                ? "spec.recipe: " + what + " may not be read; give SRO's service account the verbs list and watch for"
                        + " configmaps by a Role in that namespace: " + problem.message()
                : "spec.recipe: " + what + " cannot be read: " + problem.message();
    }

    private static SourceAnswer<StateFileSet> files(ConfigMap map) {
        String hardware = annotation(map, StateKeys.HARDWARE);
        Map<String, String> labels =
                Objects.requireNonNullElse(map.getMetadata().getLabels(), Map.of());
        boolean early = !hardware.isEmpty() || "true".equals(labels.get(StateKeys.CONFIG));
        return SourceAnswer.found(new StateFileSet(
                "ConfigMap " + map.getMetadata().getNamespace() + "/"
                        + map.getMetadata().getName(),
                new TreeMap<>(Objects.requireNonNullElse(map.getData(), Map.of())),
                annotation(map, StateKeys.NODE_FEATURE),
                hardware,
                !early,
                Map.of(),
                List.of()));
    }

    private static String annotation(ConfigMap map, String key) {
        return Objects.requireNonNullElse(map.getMetadata().getAnnotations(), Map.<String, String>of())
                .getOrDefault(key, "");
    }

    /** With what the dashboards of 2019 and 2020 need of the cluster's Prometheus, where there are such. */
    private SourceAnswer<StateFileSet> withPrometheus(SourceAnswer<StateFileSet> answer) {
        return answer.map(this::withPrometheus, SourceAnswer::pending, SourceAnswer::failed);
    }

    private SourceAnswer<StateFileSet> withPrometheus(StateFileSet found) {
        if (found.files().values().stream().noneMatch(text -> text.contains(PROMETHEUS_WORD))) {
            return SourceAnswer.found(found);
        }
        AskedWatches.Shelf<Secret> shelf = secrets.ask(
                MONITORING,
                "v1/Secret",
                () -> client.secrets().inNamespace(MONITORING).withField("metadata.name", DATA_SOURCES),
                object -> new Secret(),
                Function.identity());
        Optional<Outcome> obstacle = shelf.watch().obstacle(clock.instant());
        if (obstacle.isPresent() && obstacle.get() instanceof Outcome.Waiting) {
            return SourceAnswer.pending("Secret " + MONITORING + "/" + DATA_SOURCES);
        }
        return SourceAnswer.found(new StateFileSet(
                found.from(),
                found.files(),
                found.nodeFeature(),
                found.hardware(),
                found.rerendered(),
                shelf.sorted().stream()
                        .findFirst()
                        .map(PrometheusSource::placeholders)
                        .orElse(Map.of()),
                found.warnings()));
    }

    /** Everybody is reconciled now, and asks again for what is needed. */
    public void doubt() {
        maps.doubt();
        secrets.doubt();
    }

    /** Looks after the watches; see {@link KindWatch#check}. */
    public void check(Duration silence) {
        maps.check(silence);
        secrets.check(silence);
    }

    @Override
    public void close() {
        maps.close();
        secrets.close();
    }
}
