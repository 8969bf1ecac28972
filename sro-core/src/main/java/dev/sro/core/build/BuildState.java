package dev.sro.core.build;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.core.driver.DriverState;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state that builds: its objects are those of the attempts that shall exist. Immutable.
 *
 * @param builds by name of the pool
 * @param settings of the operator
 * @param images what was built until now
 */
public record BuildState(SortedMap<String, PoolBuild> builds, BuildSettings settings, BuiltImages images)
        implements DriverState {

    /** The name of the state, behind its number. */
    public static final String NAME = "driver-build";

    /** Copies the map. */
    public BuildState {
        builds = Collections.unmodifiableSortedMap(new TreeMap<>(builds));
    }

    /** How far the build of a pool is; empty for pools that build nothing. */
    public Optional<PoolBuild> of(String pool) {
        return Optional.ofNullable(builds.get(pool));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean perNode() {
        return false;
    }

    @Override
    public boolean comesFirst() {
        return false;
    }

    @Override
    public boolean isFor(PoolDriver driver) {
        return driver.build().filter(request -> request.wanted()).isPresent()
                || !images.entries().isEmpty();
    }

    @Override
    public boolean needsImage(PoolDriver driver) {
        return false;
    }

    @Override
    public Optional<Outcome> obstacle(Pool pool, PoolDriver driver) {
        return of(pool.name())
                .filter(build -> build.runs().isEmpty() && !build.outcome().isReady())
                .map(PoolBuild::outcome);
    }

    @Override
    public List<KubeObject> objects(RecipeContext context, String namespace, Pool pool, PoolDriver driver) {
        Map<ObjectRef, KubeObject> objects = new LinkedHashMap<>();
        for (PoolBuild.Run run : of(pool.name()).map(PoolBuild::runs).orElse(List.of())) {
            for (KubeObject object : BuildObjects.render(
                    run.step(), run.attempt(), settings, context.cluster().proxy())) {
                // Two steps may push into one image stream.
                objects.putIfAbsent(object.ref(), object);
            }
        }
        return new ArrayList<>(objects.values());
    }

    /** What was built is on record although a pool is in trouble. */
    @Override
    public List<KubeObject> common(RecipeContext context, String namespace) {
        if (images.entries().isEmpty()) {
            return List.of();
        }
        Map<ObjectRef, KubeObject> objects = new LinkedHashMap<>();
        KubeObject list = images.object(context.name(), namespace);
        objects.put(list.ref(), list);
        for (BuiltImages.Entry entry : images.entries().values()) {
            entry.streamTag()
                    .filter(target -> target.namespace().equals(namespace))
                    .map(BuildConfigs::stream)
                    .ifPresent(stream -> objects.putIfAbsent(stream.ref(), stream));
        }
        return new ArrayList<>(objects.values());
    }

    /** What decides about objects; how far a build is, and since when, does not. */
    @Override
    public boolean equals(Object other) {
        return other instanceof BuildState state
                && settings.equals(state.settings)
                && images.equals(state.images)
                && shape().equals(state.shape());
    }

    @Override
    public int hashCode() {
        return shape().hashCode();
    }

    private SortedMap<String, Object> shape() {
        SortedMap<String, Object> shape = new TreeMap<>();
        builds.forEach((pool, build) -> shape.put(
                pool,
                build.runs().isEmpty() && build.outcome() instanceof Outcome.Waiting waiting
                        ? waiting.reason() + ": " + waiting.on()
                        : build.runs().isEmpty() ? build.outcome() : build.runs()));
        return shape;
    }
}
