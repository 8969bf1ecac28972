package dev.sro.core.client.router;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.resource.RecipeDependency;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.fixture.RandomThreads;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a watch tells and what answers to writes say, in threads that interleave at random: in the end the newest is known, and
 * whoever waits for it has looked at it.
 */
final class CacheRaceTest {

    private static final int FEW = 400;
    private static final int MANY = Integer.getInteger("sro.cacherace.interleavings", 1_000);
    private static final int VERSIONS = 4;
    private static final String CHILD = "child";
    private static final List<String> PARENTS = List.of("parent", "other");

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private static final class Run {
        private final RandomThreads threads;
        /** The version of the child that each parent saw last. */
        private final Map<String, String> looked = new ConcurrentHashMap<>();

        private final ClusterCaches caches;

        Run(long seed) {
            threads = new RandomThreads(seed);
            caches = new ClusterCaches(
                    new Fabric8Codec(SERIALIZATION),
                    new UnwatchedSource(() -> ClusterFacts.builder().build()),
                    name -> {
                        threads.pause();
                        threads.start(() -> look(name));
                    });
        }

        /** What is read last counts, as one reconcile of a name comes after the other. */
        private void look(String name) {
            threads.pause();
            synchronized (looked) {
                looked.put(name, version());
            }
        }

        private String version() {
            return caches.specialResource(CHILD)
                    .map(child -> child.getMetadata().getResourceVersion())
                    .orElse("none");
        }

        /** One of whose metadata every reader may be interrupted. */
        private SpecialResource resource(String name, int version) {
            SpecialResource resource = new SpecialResource();
            resource.setMetadata(new ObjectMeta() {
                @Override
                public String getResourceVersion() {
                    threads.pause();
                    return super.getResourceVersion();
                }
            });
            resource.getMetadata().setName(name);
            resource.getMetadata().setUid("uid-" + name);
            resource.getMetadata().setGeneration(1L);
            resource.getMetadata().setResourceVersion(String.valueOf(version));
            resource.setSpec(new SpecialResourceSpec());
            SpecialResourceStatus status = new SpecialResourceStatus();
            status.setObservedGeneration(1L);
            status.setConditions(List.of(new ConditionBuilder()
                    .withType("Ready")
                    .withStatus(version % 2 == 0 ? "True" : "False")
                    .withReason("Version" + version)
                    .withMessage("")
                    .build()));
            resource.setStatus(status);
            return resource;
        }

        private SpecialResource parent(String name) {
            SpecialResource parent = resource(name, 1);
            RecipeDependency needed = new RecipeDependency();
            needed.setName(CHILD);
            Objects.requireNonNull(parent.getSpec()).setDependsOn(List.of(needed));
            return parent;
        }

        void live() {
            PARENTS.forEach(name -> caches.resourceSeen(parent(name)));
            boolean deleted = threads.draw(4) == 0;
            threads.start(() -> {
                for (int version = 1; version <= VERSIONS; version++) {
                    caches.resourceSeen(resource(CHILD, 10 * version));
                    threads.pause();
                }
                if (deleted) {
                    caches.resourceGone(resource(CHILD, 10 * VERSIONS + 5));
                }
            });
            for (int version = 1; version <= VERSIONS; version++) {
                int answered = 10 * version;
                if (threads.draw(2) == 0) {
                    threads.start(() -> caches.stored(resource(CHILD, answered)));
                }
            }
            threads.run();
            String newest = deleted ? "none" : String.valueOf(10 * VERSIONS);
            assertThat(version()).as("what is known in the end").isEqualTo(newest);
            PARENTS.forEach(name -> assertThat(looked.get(name))
                    .as("what " + name + " saw last")
                    .isEqualTo(newest));
        }
    }

    private static void interleave(long first, int count) {
        for (long seed = first; seed < first + count; seed++) {
            try {
                new Run(seed).live();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    @Test
    void whoWaitsSeesTheNewestInTheEnd() {
        interleave(1, FEW);
    }

    @Test
    @Tag("slow")
    void soItIsInManyMoreInterleavings() {
        interleave(100_000, MANY);
    }
}
