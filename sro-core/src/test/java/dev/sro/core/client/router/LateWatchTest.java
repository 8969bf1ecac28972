package dev.sro.core.client.router;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.probe.PodFacts;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A watch that is late tells of changes from before a deletion that was accepted: what is going is not deleted a second time. */
class LateWatchTest {
    private static final ObjectRef DRIVER = new ObjectRef("apps/v1", "DaemonSet", "gpu", "driver");
    private static final ObjectRef POD = new ObjectRef("v1", "Pod", "gpu", "driver-abc");

    private final ClusterCaches caches = new ClusterCaches(
            new Fabric8Codec(new KubernetesSerialization()),
            new UnwatchedSource(() -> ClusterFacts.builder().build()),
            name -> {});

    private static ObjectMeta metadata(ObjectRef ref, String uid, int version) {
        return new ObjectMetaBuilder()
                .withName(ref.name())
                .withNamespace(ref.namespace())
                .withUid(uid)
                .withResourceVersion(String.valueOf(version))
                .addToLabels(MetadataKeys.OWNED, "true")
                .addToLabels(MetadataKeys.SPECIAL_RESOURCE, MetadataKeys.specialResourceLabel("gpu"))
                .addToAnnotations(Map.of("version", String.valueOf(version)))
                .build();
    }

    private static DaemonSet daemonSet(String uid, int version) {
        return new DaemonSetBuilder()
                .withMetadata(metadata(DRIVER, uid, version))
                .build();
    }

    private static Pod pod(String uid, int version) {
        return new PodBuilder()
                .withMetadata(metadata(POD, uid, version))
                .editMetadata()
                .addNewOwnerReference()
                .withApiVersion("apps/v1")
                .withKind("DaemonSet")
                .withName("driver")
                .withUid("ds")
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .withNewStatus()
                .withPhase("Running")
                .withMessage("in version " + version)
                .endStatus()
                .build();
    }

    private boolean terminating() {
        KubeObject known = caches.owned("gpu").get(DRIVER);
        return known != null && known.terminating();
    }

    @Test
    void aChangeOfAnObjectFromBeforeItsDeletionDoesNotTakeItBack() {
        caches.objectSeen(daemonSet("ds", 1));
        caches.deleting(DRIVER, "ds");
        assertThat(terminating()).isTrue();
        caches.objectSeen(daemonSet("ds", 2));
        assertThat(terminating()).isTrue();

        caches.objectGone(daemonSet("ds", 3));
        caches.objectSeen(daemonSet("next", 4));
        assertThat(caches.owned("gpu")).containsKey(DRIVER);
        assertThat(terminating()).as("another one of its name").isFalse();
    }

    @Test
    void norDoesOneOfAPod() {
        caches.podSeen(pod("pod", 1));
        caches.deleting(POD, "pod");
        caches.podSeen(pod("pod", 2));
        assertThat(caches.pods("ds")).hasSize(1).allMatch(PodFacts::terminating);

        caches.podGone(pod("pod", 3));
        caches.podSeen(pod("next", 4));
        assertThat(caches.pods("ds")).hasSize(1).noneMatch(PodFacts::terminating);
    }
}
