package dev.sro.testkit.controlplane;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Removes what killed runs of tests left in a cluster that lives longer than they do. */
final class StaleRunCleanup {
    /** A run on another machine, which cannot be asked, is over after this time. */
    private static final Duration LONGEST_RUN = Duration.ofHours(12);

    private StaleRunCleanup() {}

    static void remove(KubernetesClient client, RunId self, Instant now) {
        find(client.nodes().withLabel(RunId.LABEL).list().getItems(), self, now)
                .forEach(node -> client.resource(node).delete());
        find(client.namespaces().withLabel(RunId.LABEL).list().getItems(), self, now)
                .forEach(namespace -> client.resource(namespace).delete());
    }

    static <T extends HasMetadata> List<T> find(List<T> objects, RunId self, Instant now) {
        return objects.stream().filter(o -> isLeft(o, self, now)).toList();
    }

    private static boolean isLeft(HasMetadata object, RunId self, Instant now) {
        Instant created = Instant.parse(object.getMetadata().getCreationTimestamp());
        return self.isLeftover(object.getMetadata().getLabels().getOrDefault(RunId.LABEL, ""))
                || created.plus(LONGEST_RUN).isBefore(now);
    }
}
