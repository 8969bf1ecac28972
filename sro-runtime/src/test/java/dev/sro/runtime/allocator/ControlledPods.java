package dev.sro.runtime.allocator;

import static dev.sro.runtime.allocator.AllocatorWorld.NAMESPACE;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import java.util.List;

/** Pods that a controller makes again, budgets for them, and what they were told. Stateless. */
final class ControlledPods {
    private ControlledPods() {}

    /** One pod of a ReplicaSet with the same name, which is its label {@code name}, too. */
    static void create(AllocatorWorld world, String name, PodBuilder pod) {
        PodBuilder labelled = pod.editMetadata().addToLabels("name", name).endMetadata();
        world.client
                .resource(new ReplicaSetBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(1)
                        .withNewSelector()
                        .addToMatchLabels("name", name)
                        .endSelector()
                        .withNewTemplate()
                        .withMetadata(labelled.buildMetadata())
                        .withSpec(labelled.buildSpec())
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
    }

    /** By which none of the pods with this label may be evicted. */
    static void budget(AllocatorWorld world, String name) {
        world.client
                .resource(new PodDisruptionBudgetBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withMaxUnavailable(new IntOrString(0))
                        .withNewSelector()
                        .addToMatchLabels("name", name)
                        .endSelector()
                        .endSpec()
                        .build())
                .create();
    }

    /** Those that do not end. */
    static List<Pod> of(AllocatorWorld world, String name) {
        return world.client.pods().inNamespace(NAMESPACE).withLabel("name", name).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .toList();
    }

    /** Events with a reason. */
    static List<Event> told(AllocatorWorld world, String reason) {
        return world.client.resources(Event.class).inNamespace(NAMESPACE).list().getItems().stream()
                .filter(event -> reason.equals(event.getReason()))
                .toList();
    }
}
