package dev.sro.core.client.router;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Outcome;
import dev.sro.core.probe.NodePod;
import dev.sro.core.probe.ViewedKind;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The source of caches that are filled by hand: every kind is seen, with the objects that it was filled with, nothing is watched, and there
 * are no objects of viewed kinds. Thread-safe if {@code cluster} is.
 *
 * @param cluster what the cluster serves
 */
public record UnwatchedSource(Supplier<ClusterFacts> cluster) implements CacheSource {

    @Override
    public Map<String, Outcome> watch(Map<String, Set<String>> kinds, Seer seer) {
        return Map.of();
    }

    @Override
    public ClusterFacts facts() {
        return cluster.get();
    }

    @Override
    public void refresh() {}

    @Override
    public Optional<Duration> watchDefinitions(Set<String> resources) {
        return Optional.empty();
    }

    @Override
    public void watchPods(String specialResource, Set<String> nodes) {}

    @Override
    public Optional<List<NodePod>> podsOn(String node) {
        return Optional.empty();
    }

    @Override
    public void view(String specialResource, Set<ViewedKind<?>> kinds) {}

    @Override
    public <T> Optional<Collection<T>> viewed(ViewedKind<T> kind) {
        return Optional.of(List.of());
    }

    @Override
    public void deletingPod(String uid) {}

    @Override
    public void claimed() {}

    @Override
    public Optional<Outcome> watchEnvironment() {
        return Optional.empty();
    }
}
