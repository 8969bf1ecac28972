package dev.sro.core.client.router;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.model.MetadataKeys;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Which special resources are looked at after an event of something but a node. */
class EventsTest {

    private final List<String> asked = new ArrayList<>();

    private final ClusterCaches caches = new ClusterCaches(
            new Fabric8Codec(new KubernetesSerialization()),
            new UnwatchedSource(() -> ClusterFacts.builder().build()),
            asked::add);

    private static SpecialResource resource(String name, long generation, String state) {
        SpecialResource resource = new SpecialResource();
        resource.getMetadata().setName(name);
        resource.getMetadata().setUid("uid-" + name);
        resource.getMetadata().setGeneration(generation);
        resource.setSpec(new SpecialResourceSpec());
        SpecialResourceStatus status = new SpecialResourceStatus();
        status.setState(state);
        resource.setStatus(status);
        return resource;
    }

    private static Map<String, String> labels() {
        return Map.of(
                MetadataKeys.OWNED, "true", MetadataKeys.SPECIAL_RESOURCE, MetadataKeys.specialResourceLabel("gpu"));
    }

    private static DaemonSet daemonSet(int available) {
        return new DaemonSetBuilder()
                .withNewMetadata()
                .withName("driver")
                .withNamespace("gpu")
                .withUid("ds")
                .withResourceVersion("1" + available)
                .withLabels(labels())
                .addToAnnotations("specialresource.openshift.io/kernel-affine", "true")
                .endMetadata()
                .withNewStatus()
                .withNumberAvailable(available)
                .endStatus()
                .build();
    }

    private static Deployment deployment(String name, int available, boolean ours) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("gpu")
                .withUid("uid-" + name)
                .withResourceVersion("2" + available)
                .withLabels(ours ? labels() : Map.of())
                .endMetadata()
                .withNewStatus()
                .withAvailableReplicas(available)
                .endStatus()
                .build();
    }

    private static Pod pod(boolean ready) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("driver-x")
                .withNamespace("gpu")
                .withUid("pod")
                .withLabels(labels())
                .addNewOwnerReference()
                .withKind("DaemonSet")
                .withName("driver")
                .withUid("ds")
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready ? "True" : "False")
                .endCondition()
                .endStatus()
                .build();
    }

    private void happens(String event) {
        HasMetadata affine = daemonSet(0);
        caches.objectSeen(affine);
        caches.objectSeen(deployment("controller", 0, true));
        caches.podSeen(pod(false));
        asked.clear();
        switch (event) {
            case "the special resource, unchanged" -> caches.resourceSeen(resource("gpu", 1, "a"));
            case "status of the special resource" -> caches.resourceSeen(resource("gpu", 1, "b"));
            case "spec of the special resource" -> caches.resourceSeen(resource("gpu", 2, "a"));
            case "kernel-affine DaemonSet, unchanged" -> caches.objectSeen(daemonSet(0));
            case "status of a kernel-affine DaemonSet" -> caches.objectSeen(daemonSet(1));
            case "status of a Deployment" -> caches.objectSeen(deployment("controller", 1, true));
            case "a Deployment loses its label" -> caches.objectSeen(deployment("controller", 1, false));
            case "a pod of a DaemonSet gets ready" -> caches.podSeen(pod(true));
            case "an object of nobody" -> caches.objectSeen(deployment("other", 1, false));
            default -> throw new IllegalArgumentException(event);
        }
    }

    @ParameterizedTest(name = "{1}")
    @CsvFileSource(resources = "events.psv", numLinesToSkip = 1, delimiter = '|')
    void anEventAsksThoseThatItMayConcern(String id, String event, String original, String ours, @Nullable String why) {
        caches.resourceSeen(resource("gpu", 1, "a"));
        caches.resourceSeen(resource("nic", 1, "a"));

        happens(event);

        boolean same = original.equals("ignored") == ours.equals("-");
        assertThat(same || why != null).as("a difference has a reason").isTrue();
        assertThat(asked.stream().distinct().sorted().toList())
                .as(id)
                .isEqualTo(ours.equals("-") ? List.of() : List.of(ours.split(" ")));
    }
}
