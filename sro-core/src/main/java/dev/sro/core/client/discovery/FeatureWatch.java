package dev.sro.core.client.discovery;

import dev.sro.core.client.watch.KindWatch;
import dev.sro.core.facts.NodeFeatures;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Watches what Node Feature Discovery knows of nodes, from when the cluster serves it: it may be installed after the operator. Until
 * then there is a watch of the one CustomResourceDefinition. Thread-safe.
 */
public final class FeatureWatch implements AutoCloseable {

    public static final String GROUP = "nfd.k8s-sigs.io";
    public static final String RESOURCE = "nodefeatures";

    private static final Set<String> DEFINITION = Set.of(RESOURCE + "." + GROUP);

    private final Definitions definitions;
    private final Function<ResourceDefinitionContext, KindWatch> start;
    private final Clock clock;
    private @Nullable KindWatch watch;
    private Instant lastLook;

    /**
     * @param start the watch of the objects, for how they are served
     */
    public FeatureWatch(Definitions definitions, Function<ResourceDefinitionContext, KindWatch> start, Clock clock) {
        this.definitions = definitions;
        this.start = start;
        this.clock = clock;
        this.lastLook = clock.instant();
    }

    /** Starts to watch the objects if they are served; until then, their definition. */
    public synchronized void open(Kinds kinds) {
        if (watch == null) {
            watch = kinds.find(NodeFeatures.KIND).map(start).orElse(null);
        }
        if (watch == null) {
            definitions.keep(DEFINITION, kinds.facts().servedResources());
        } else {
            definitions.release(DEFINITION);
        }
    }

    /** The watch of the objects; empty while they are not served. */
    public synchronized Optional<KindWatch> watch() {
        return Optional.ofNullable(watch);
    }

    /**
     * Looks after the watch; see {@link KindWatch#check}.
     *
     * @return whether to ask anew what is served, because no event tells
     */
    public synchronized boolean check(Duration silence, Kinds kinds) {
        KindWatch open = watch;
        if (open != null) {
            open.check(silence);
            return false;
        }
        Instant now = clock.instant();
        boolean due = definitions
                .keep(DEFINITION, kinds.facts().servedResources())
                .filter(wait -> !lastLook.plus(wait).isAfter(now))
                .isPresent();
        lastLook = due ? now : lastLook;
        return due;
    }

    @Override
    public synchronized void close() {
        if (watch != null) {
            watch.close();
        }
    }
}
