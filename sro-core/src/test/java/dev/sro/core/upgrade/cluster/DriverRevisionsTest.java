package dev.sro.core.upgrade.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DriverRevisionsTest {

    private static KubeObject daemonSet(String name, String image) {
        return KubeObject.of(Map.of(
                "apiVersion",
                "apps/v1",
                "kind",
                "DaemonSet",
                "metadata",
                Map.of("name", name),
                "spec",
                Map.of("template", Map.of("spec", Map.of("image", image, "grace", 30)))));
    }

    private static KubeObject live(String name, String image, String generation) {
        KubeObject desired = daemonSet(name, image);
        Map<String, Object> metadata = new HashMap<>();
        metadata.put("name", name);
        metadata.put("uid", "uid-" + name);
        metadata.put(
                "annotations",
                Map.of(
                        "deprecated.daemonset.template.generation",
                        generation,
                        MetadataKeys.DRIVER_REVISION,
                        DriverRevisions.digest(desired)));
        return KubeObject.of(Map.of(
                "apiVersion", "apps/v1", "kind", "DaemonSet", "metadata", metadata, "spec", desired.map("spec")));
    }

    private static DriverRevisions read(DriverRevisions revisions) {
        return DriverRevisions.read(Optional.of(KubeObject.of(
                Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of(), "data", revisions.text()))));
    }

    private static String target(DriverRevisions revisions, KubeObject... wanted) {
        Map<String, String> digests = new HashMap<>();
        for (KubeObject one : wanted) {
            digests.put(one.ref().name(), DriverRevisions.digest(one));
        }
        return revisions.target(digests);
    }

    @Test
    void aPodOfAnEarlierGenerationWithTheSameTemplateIsNotOutdated() {
        DriverRevisions revisions = DriverRevisions.EMPTY
                .seen(live("a", "1", "1"))
                .seen(live("a", "2", "2"))
                .seen(live("a", "1", "3"));

        DriverRevisions again = read(revisions);
        String digest = DriverRevisions.digest(daemonSet("a", "1"));
        assertThat(again.ofPod("uid-a", "1")).isEqualTo(digest).isEqualTo(again.ofPod("uid-a", "3"));
        assertThat(again.ofPod("uid-a", "2")).isNotEqualTo(digest);
        assertThat(again.ofPod("uid-a", "9")).isEmpty();
        assertThat(again.ofPod("uid-a", "x")).isEmpty();
    }

    @Test
    void aNewPoolJoinsTheTargetAndAnotherTemplateIsAnotherOne() {
        KubeObject a = daemonSet("a", "1");
        String first = target(DriverRevisions.EMPTY, a);
        DriverRevisions known = DriverRevisions.EMPTY.keeping(first, Map.of("a", a), "", Set.of());

        assertThat(target(known, a, daemonSet("b", "1"))).isEqualTo(first);
        assertThat(target(known, daemonSet("a", "2"))).isNotEqualTo(first);
        DriverRevisions both = known.keeping(first, Map.of("a", a, "b", daemonSet("b", "1")), "", Set.of());
        assertThat(target(both, daemonSet("b", "2"))).isNotEqualTo(first);
    }

    @Test
    void keepsTheTemplatesOfTheGoodDriverAndOfTheWantedOneOnly() {
        KubeObject one = daemonSet("a", "1");
        KubeObject two = daemonSet("a", "2");
        KubeObject three = daemonSet("a", "3");
        DriverRevisions known = DriverRevisions.EMPTY.keeping("one", Map.of("a", one), "", Set.of());
        known = read(known.keeping("two", Map.of("a", two), "one", Set.of()));
        known = read(known.keeping("three", Map.of("a", three), "one", Set.of()));

        assertThat(known.targets()).containsOnlyKeys("one", "three");
        assertThat(known.template("one", "a").map(KubeObject::of).map(KubeObject::digest))
                .isEqualTo(
                        Optional.of(KubeObject.of(one.map("spec", "template")).digest()));
        assertThat(known.template("two", "a")).isEmpty();
        assertThat(read(known).text()).isEqualTo(known.text());
    }

    @Test
    void whatWasEditedByHandIsLeftOut() {
        KubeObject edited = KubeObject.of(Map.of(
                "apiVersion",
                "v1",
                "kind",
                "ConfigMap",
                "metadata",
                Map.of(),
                "data",
                Map.of("template-x", "{no json", "generations-u", "one two\n", "target-t", "nonsense", "other", "")));

        DriverRevisions revisions = DriverRevisions.read(Optional.of(edited));

        assertThat(revisions.templates()).isEmpty();
        assertThat(revisions.ofPod("u", "1")).isEmpty();
    }

    private static KubeObject workers(String config, String parameter) {
        return KubeObject.of(Map.of(
                "apiVersion",
                "v1",
                "kind",
                "PodTemplate",
                "metadata",
                Map.of("name", "load-" + config + "-5c7d", "annotations", Map.of(MetadataKeys.LOAD_CONFIG, config)),
                "template",
                Map.of("spec", Map.of("containers", List.of(Map.of("image", parameter))))));
    }

    @Test
    void templatesOfWorkerPodsAreKnownByANameWithoutTheirConfigurationAndComeBack() {
        KubeObject good = workers("1111111111111111", "streams=1");
        KubeObject bad = workers("2222222222222222", "streams=2");
        String name = DriverRevisions.name(good);
        assertThat(name).isEqualTo(DriverRevisions.name(bad)).isEqualTo("load-5c7d");
        DriverRevisions known = DriverRevisions.EMPTY
                .keeping("one", Map.of(name, good), "", Set.of())
                .keeping("two", Map.of(name, bad), "one", Set.of());

        assertThat(known.target(Map.of(name, DriverRevisions.digest(bad)))).isEqualTo("two");
        assertThat(known.former("one", bad)).isEqualTo(good);
        assertThat(known.former("never", bad)).isEqualTo(bad);
    }
}
