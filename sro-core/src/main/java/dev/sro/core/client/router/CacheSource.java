package dev.sro.core.client.router;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Outcome;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.probe.NodePod;
import dev.sro.core.probe.ViewedKind;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Where the events of {@link ClusterCaches} come from. Thread-safe. */
public interface CacheSource {
    /**
     * See {@link ClusterReader#watch}.
     *
     * @param kinds each with the namespaces where objects of it may be, of those that there are
     */
    Map<String, Outcome> watch(Map<String, Set<String>> kinds, Seer seer);

    /** See {@link ClusterReader#cluster}. */
    ClusterFacts facts();

    /** See {@link ClusterReader#refreshCluster}. */
    void refresh();

    /** See {@link ClusterReader#watchDefinitions}. */
    Optional<Duration> watchDefinitions(Set<String> resources);

    /** See {@link ClusterReader#watchPods}. */
    void watchPods(String specialResource, Set<String> nodes);

    /** See {@link ClusterReader#podsOn}. */
    Optional<List<NodePod>> podsOn(String node);

    /** See {@link ClusterReader#view}. */
    void view(String specialResource, Set<ViewedKind<?>> kinds);

    /** See {@link ClusterReader#viewed}. */
    <T> Optional<Collection<T>> viewed(ViewedKind<T> kind);

    /** A deletion of a pod was accepted. */
    void deletingPod(String uid);

    /** A special resource came, went, or is another one than before: so may be what is needed. */
    void claimed();

    /** See {@link ClusterReader#watchEnvironment}. */
    Optional<Outcome> watchEnvironment();
}
