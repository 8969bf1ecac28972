package dev.sro.runtime.operator;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.testkit.controlplane.RealCluster;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** What the tests on real nodes do with special resources. Stateless. */
final class NodeScenario {
    /** Where SRO puts what a node needs beside pods. */
    static final String[] PLACES = {
        "/run/sro", "/var/lib/sro", "/opt", "/etc/modprobe.d", "/var/lib/firmware", "/etc/cdi", "/var/run/cdi"
    };

    /** Machines may be emulated: they fetch images, compile and start pods at a tenth of a machine's speed. */
    static final Duration BUILD = Duration.ofMinutes(15);

    static final Duration REMOVAL = Duration.ofMinutes(5);

    private NodeScenario() {}

    /** Sources of modules, for a repository of git. */
    static Map<String, String> sources(String folder, List<String> files) throws IOException {
        Map<String, String> sources = new TreeMap<>();
        for (String file : files) {
            try (InputStream in =
                    Objects.requireNonNull(NodeScenario.class.getResourceAsStream(folder + "/" + file), file)) {
                sources.put(file, new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return sources;
    }

    static void apply(RealCluster cluster, String yaml) {
        cluster.client()
                .resource(cluster.client().getKubernetesSerialization().unmarshal(yaml, SpecialResource.class))
                .serverSideApply();
    }

    static boolean isReady(RealCluster cluster, String name) {
        SpecialResource live =
                cluster.client().resources(SpecialResource.class).withName(name).get();
        SpecialResourceStatus status = live.getStatus();
        return status != null
                && live.getMetadata().getGeneration().equals(status.getObservedGeneration())
                && status.getConditions().stream()
                        .anyMatch(c ->
                                c.getType().equals("Ready") && c.getStatus().equals("True"));
    }

    static void delete(RealCluster cluster, String name) {
        cluster.client().resources(SpecialResource.class).withName(name).delete();
    }

    static void awaitGone(RealCluster cluster, String name) {
        cluster.await(
                "the special resource " + name + " is gone",
                REMOVAL,
                () -> cluster.client()
                                .resources(SpecialResource.class)
                                .withName(name)
                                .get()
                        == null);
    }

    /** What the run writes as it goes: who waits for it sees where it is, and docs/reliability.md has the times. */
    static void say(String what) {
        System.out.println(Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + what);
    }
}
