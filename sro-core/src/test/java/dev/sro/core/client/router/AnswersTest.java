package dev.sro.core.client.router;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.resource.RecipeDependency;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.apply.StoredNode;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The answer to a write and the event of a watch say the same, in either order: whoever a change concerns is asked by the first of
 * them, and what is older changes nothing.
 */
class AnswersTest {

    private final List<String> asked = new ArrayList<>();
    private final Fabric8Codec codec = new Fabric8Codec(new KubernetesSerialization());
    private final ClusterCaches caches = new ClusterCaches(
            codec, new UnwatchedSource(() -> ClusterFacts.builder().build()), asked::add);

    private static SpecialResource resource(String name, int version) {
        SpecialResource resource = new SpecialResource();
        resource.getMetadata().setName(name);
        resource.getMetadata().setUid("uid-" + name);
        resource.getMetadata().setGeneration(1L);
        resource.getMetadata().setResourceVersion(String.valueOf(version));
        SpecialResourceSpec spec = new SpecialResourceSpec();
        spec.setNodeSelector(Map.of("example.com/device", "true"));
        resource.setSpec(spec);
        return resource;
    }

    private static SpecialResource ready(SpecialResource resource, String ready) {
        SpecialResourceStatus status = new SpecialResourceStatus();
        status.setObservedGeneration(resource.getMetadata().getGeneration());
        status.setConditions(List.of(new ConditionBuilder()
                .withType("Ready")
                .withStatus(ready)
                .withReason("Test")
                .build()));
        resource.setStatus(status);
        return resource;
    }

    private static SpecialResource needing(String name, String other) {
        SpecialResource resource = resource(name, 1);
        RecipeDependency dependency = new RecipeDependency();
        dependency.setName(other);
        SpecialResourceSpec spec = new SpecialResourceSpec();
        spec.setNodeSelector(Map.of("example.com/device", "true"));
        spec.setDependsOn(List.of(dependency));
        resource.setSpec(spec);
        return resource;
    }

    private static Node node(int version, String kernel) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName("n1")
                .withUid("uid-n1")
                .withResourceVersion(String.valueOf(version))
                .addToLabels("example.com/device", "true")
                .endMetadata()
                .withNewStatus()
                .withNewNodeInfo()
                .withKernelVersion(kernel)
                .endNodeInfo()
                .endStatus()
                .build();
    }

    private static DaemonSet daemonSet(String uid, int version) {
        return new DaemonSetBuilder()
                .withNewMetadata()
                .withName("driver")
                .withNamespace("gpu")
                .withUid(uid)
                .withResourceVersion(String.valueOf(version))
                .withLabels(Map.of(
                        MetadataKeys.OWNED,
                        "true",
                        MetadataKeys.SPECIAL_RESOURCE,
                        MetadataKeys.specialResourceLabel("gpu")))
                .endMetadata()
                .build();
    }

    private KubeObject tree(DaemonSet object) {
        return KubeObject.of(codec.toTree(object));
    }

    private List<ObjectRef> owned() {
        return List.copyOf(caches.owned("gpu").keySet());
    }

    private List<String> askedNow() {
        List<String> now = asked.stream().distinct().sorted().toList();
        asked.clear();
        return now;
    }

    @Test
    void aParentIsAskedByTheAnswerThatSaysThatItsChildIsReady() {
        caches.resourceSeen(ready(resource("child", 1), "False"));
        caches.resourceSeen(needing("parent", "child"));
        asked.clear();

        caches.stored(ready(resource("child", 2), "True"));

        assertThat(askedNow()).containsExactly("child", "parent");
        caches.resourceSeen(ready(resource("child", 2), "True"));
        assertThat(askedNow()).as("the event adds nothing for others").containsExactly("child");
    }

    @Test
    void neighboursAreAskedByAnAnswerThatBringsAUsersChange() {
        caches.resourceSeen(resource("one", 1));
        caches.resourceSeen(resource("two", 1));
        asked.clear();
        SpecialResource changed = resource("one", 3);
        changed.getMetadata().setGeneration(2L);

        caches.stored(changed);

        assertThat(askedNow()).containsExactly("one", "two");
    }

    @Test
    void labelsAndAnnotationsOfASpecialResourceAskOthersToo() {
        caches.resourceSeen(resource("one", 1));
        caches.resourceSeen(resource("two", 1));
        asked.clear();
        SpecialResource changed = resource("one", 2);
        changed.getMetadata().setAnnotations(Map.of("example.com/note", "x"));

        caches.resourceSeen(changed);

        assertThat(askedNow()).containsExactly("one", "two");
    }

    @Test
    void aChildThatAnotherParentMadeAsksEverybody() {
        caches.resourceSeen(needing("parent", "child"));
        asked.clear();
        SpecialResource child = resource("child", 5);
        child.getMetadata().setLabels(Map.of(MetadataKeys.DEPENDENCY, "true"));

        caches.stored(KubeObject.of(codec.toTree(child)));

        assertThat(askedNow()).containsExactly("child", "parent");
    }

    @Test
    void ownLabelsOnANodeAskAllThatSelectIt() {
        caches.resourceSeen(resource("one", 1));
        caches.resourceSeen(resource("two", 1));
        caches.nodeSeen(node(1, "5.14.0"));
        asked.clear();

        caches.stored(StoredNode.of(node(2, "5.14.0")
                .edit()
                .editMetadata()
                .addToLabels("sro.dev/some", "x")
                .endMetadata()
                .build()));

        assertThat(askedNow()).containsExactly("one", "two");
    }

    @Test
    void anEventThatIsOlderThanAnAnswerChangesNothing() {
        caches.resourceSeen(resource("one", 1));
        caches.nodeSeen(node(1, "5.14.0"));
        caches.stored(StoredNode.of(node(4, "6.1.0")));
        asked.clear();

        caches.nodeSeen(node(3, "5.14.0"));

        assertThat(askedNow()).isEmpty();
        assertThat(caches.nodes().iterator().next().facts().kernel().raw()).isEqualTo("6.1.0");
    }

    @Test
    void anAnswerThatComesAfterTheEndOfANodeBringsItNotBack() {
        caches.nodeSeen(node(1, "5.14.0"));
        caches.nodeGone(node(3, "5.14.0"));

        caches.stored(StoredNode.of(node(2, "5.14.0")));

        assertThat(caches.nodes()).isEmpty();
    }

    /** The answer that takes off the last finalizer has the version of the deletion, the event's object that of the last watch event. */
    @Test
    void aSpecialResourceThatIsGoneStaysGoneWhateverVersionAnAnswerHas() {
        caches.resourceSeen(resource("child", 3));
        caches.resourceSeen(needing("parent", "child"));
        caches.resourceGone(resource("child", 3));
        asked.clear();

        caches.stored(resource("child", 7));

        assertThat(caches.specialResource("child")).isEmpty();
        assertThat(asked).isEmpty();
    }

    @Test
    void theEndOfANodeIsNotTheEndOfTheNextOneOfItsName() {
        caches.nodeSeen(node(1, "5.14.0"));
        Node next = node(5, "6.1.0")
                .edit()
                .editMetadata()
                .withUid("next")
                .endMetadata()
                .build();
        caches.nodeSeen(next);

        caches.nodeGone(node(4, "5.14.0"));

        assertThat(caches.nodes()).hasSize(1);
    }

    @Test
    void anObjectThatOnlyLostItsLabelMayComeBack() {
        caches.resourceSeen(resource("gpu", 1));
        caches.objectSeen(daemonSet("ds", 1));
        caches.objectGone(daemonSet("ds", 2));

        caches.objectSeen(daemonSet("ds", 3));

        assertThat(owned()).hasSize(1);
    }

    @Test
    void whatWasMadeAndWentWhileNobodyWatchedIsGoneWithTheNextList() {
        caches.resourceSeen(resource("gpu", 1));
        caches.stored(tree(daemonSet("ds", 7)));
        assertThat(owned()).hasSize(1);
        asked.clear();

        caches.objectsListed("apps/v1/DaemonSet", "", "9");

        assertThat(owned()).isEmpty();
        assertThat(askedNow()).containsExactly("gpu");
    }

    @Test
    void whatAListCannotHaveYetStays() {
        caches.resourceSeen(resource("gpu", 1));
        caches.stored(tree(daemonSet("ds", 7)));

        caches.objectsListed("apps/v1/DaemonSet", "", "6");

        assertThat(owned()).hasSize(1);
    }

    @Test
    void whatAWatchHasToldOfIsNotMissingInAList() {
        caches.resourceSeen(resource("gpu", 1));
        caches.stored(tree(daemonSet("ds", 7)));
        caches.objectSeen(daemonSet("ds", 7));

        caches.objectsListed("apps/v1/DaemonSet", "", "9");

        assertThat(owned()).hasSize(1);
    }

    @Test
    void anAnswerThatComesAfterAListThatHadItNotIsTooLate() {
        caches.resourceSeen(resource("gpu", 1));
        caches.objectsListed("apps/v1/DaemonSet", "", "9");

        caches.stored(tree(daemonSet("ds", 7)));

        assertThat(owned()).isEmpty();
    }

    @Test
    void aListOfAnotherNamespaceSaysNothing() {
        caches.resourceSeen(resource("gpu", 1));
        caches.stored(tree(daemonSet("ds", 7)));

        caches.objectsListed("apps/v1/DaemonSet", "other", "9");
        assertThat(owned()).hasSize(1);

        caches.objectsListed("apps/v1/DaemonSet", "gpu", "9");
        assertThat(owned()).isEmpty();
    }

    @Test
    void anAnswerThatComesAfterAListOfItsNamespaceIsTooLateAndOneOfAnotherIsNot() {
        caches.resourceSeen(resource("gpu", 1));
        caches.objectsListed("apps/v1/DaemonSet", "other", "9");
        caches.stored(tree(daemonSet("ds", 7)));
        assertThat(owned()).hasSize(1);

        caches.objectGone(daemonSet("ds", 8));
        caches.objectsListed("apps/v1/DaemonSet", "gpu", "9");
        caches.stored(tree(daemonSet("late", 7)));
        assertThat(owned()).isEmpty();
    }

    /** Somebody else watches from now on, who was not told of what went before. */
    @Test
    void whatANewWatchDoesNotListIsGone() {
        caches.resourceSeen(resource("gpu", 1));
        caches.objectSeen(daemonSet("ds", 7));
        asked.clear();

        caches.objectsDoubted("apps/v1/DaemonSet", "gpu");
        assertThat(owned()).as("until it has listed").hasSize(1);
        caches.objectsListed("apps/v1/DaemonSet", "gpu", "9");

        assertThat(owned()).isEmpty();
        assertThat(askedNow()).containsExactly("gpu");
    }

    @Test
    void whatANewWatchListsStays() {
        caches.resourceSeen(resource("gpu", 1));
        caches.objectSeen(daemonSet("ds", 7));

        caches.objectsDoubted("apps/v1/DaemonSet", "");
        caches.objectSeen(daemonSet("ds", 7));
        caches.objectsListed("apps/v1/DaemonSet", "", "9");

        assertThat(owned()).hasSize(1);
    }

    @Test
    void whatNobodyWatchesAnyMoreIsForgottenWhereItWasWatched() {
        caches.resourceSeen(resource("gpu", 1));
        caches.objectSeen(daemonSet("ds", 7));

        caches.objectsForgotten("apps/v1/DaemonSet", "other"::equals);
        assertThat(owned()).hasSize(1);

        caches.objectsForgotten("apps/v1/DaemonSet", "gpu"::equals);
        assertThat(owned()).isEmpty();
    }

    @Test
    void aSpecialResourceThatAParentMadeAndThatWentUnseenIsGoneWithTheNextList() {
        caches.resourceSeen(needing("parent", "child"));
        SpecialResource child = resource("child", 5);
        child.getMetadata().setLabels(Map.of(MetadataKeys.DEPENDENCY, "true"));
        caches.stored(KubeObject.of(codec.toTree(child)));
        asked.clear();

        caches.resourcesListed("8");

        assertThat(caches.specialResource("child")).isEmpty();
        assertThat(askedNow()).containsExactly("child", "parent");
    }
}
