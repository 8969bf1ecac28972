package dev.sro.core.client.source;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.build.BuildSources;
import dev.sro.core.build.Toolkits;
import dev.sro.core.client.watch.AskedWatches;
import dev.sro.core.client.watch.KindWatch;
import dev.sro.core.engine.port.Timers;
import dev.sro.core.model.Code;
import dev.sro.core.model.ValueTrees;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * ConfigMaps and Secrets that builds take in, each watched by its name from the moment that a build asks for it: a change of it is
 * a reason to build again. Of a Secret only a digest of its content is kept. A watch ends when no build asks for it any more. Thread-safe.
 */
public final class ClientBuildSources implements BuildSources, AutoCloseable {

    private static final String DOCKERFILE = "dockerfile";

    private final KubernetesClient client;
    private final Clock clock;
    private final Function<String, List<Toolkits.ToolkitImage>> toolkits;
    private final Supplier<Set<String>> awaited;
    private final AskedWatches<String, String> objects;

    /**
     * @param toolkits all driver toolkits, by architecture
     * @param awaited kernels that preflights are about
     * @param changed called when any of the objects changed; must not block
     */
    public ClientBuildSources(
            KubernetesClient client,
            Clock clock,
            Timers timers,
            Function<String, List<Toolkits.ToolkitImage>> toolkits,
            Supplier<Set<String>> awaited,
            Runnable changed) {
        this.awaited = awaited;
        this.client = client;
        this.clock = clock;
        this.toolkits = toolkits;
        this.objects = new AskedWatches<>(clock, timers, unused -> changed.run());
    }

    @Override
    public Answer dockerfile(String namespace, String configMap) {
        String what = "ConfigMap " + namespace + "/" + configMap;
        return answer(
                objects.ask(
                        what,
                        "v1/ConfigMap",
                        () -> client.configMaps().inNamespace(namespace).withField("metadata.name", configMap),
                        object -> new ConfigMap(),
                        object -> Objects.requireNonNullElse(object.getData(), Map.<String, String>of())
                                .getOrDefault(DOCKERFILE, "")),
                what);
    }

    @Override
    public Answer secret(String namespace, String name) {
        String what = "Secret " + namespace + "/" + name;
        return answer(
                objects.ask(
                        what,
                        "v1/Secret",
                        () -> client.secrets().inNamespace(namespace).withField("metadata.name", name),
                        object -> new Secret(),
                        object -> ValueTrees.digest(
                                new HashMap<>(Objects.requireNonNullElse(object.getData(), Map.<String, String>of())))),
                what);
    }

    @Override
    public Set<String> awaitedKernels() {
        return awaited.get();
    }

    @Override
    public List<Toolkits.ToolkitImage> toolkits(String architecture) {
        return toolkits.apply(architecture);
    }

    private Answer answer(AskedWatches.Shelf<String> shelf, String what) {
        Optional<Outcome> obstacle = shelf.watch().obstacle(clock.instant());
        if (obstacle.isPresent()) {
            return obstacle.get() instanceof Outcome.Failed failed
                    ? new Unreadable(failed.problem().message() + hint(what, failed.problem()))
                    : new Pending();
        }
        return shelf.kept().values().stream()
                .findFirst()
                .<Answer>map(Available::new)
                .orElseGet(() -> new Absent("there is no " + what));
    }

    private static String hint(String what, Problem problem) {
        return what.startsWith("Secret ") && Code.FORBIDDEN.text().equals(problem.code())
                ? "; SRO reads Secrets by their names alone, and \"sro rbac --for FILE --apply\" grants them"
                : "";
    }

    /** Every special resource is reconciled now, and its builds ask again for what they take in. */
    public void doubt() {
        objects.doubt();
    }

    /** Looks after the watches; see {@link KindWatch#check}. */
    public void check(Duration silence) {
        objects.check(silence);
    }

    @Override
    public void close() {
        objects.close();
    }
}
