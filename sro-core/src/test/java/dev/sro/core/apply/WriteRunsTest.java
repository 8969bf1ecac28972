package dev.sro.core.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.partition.TaintChange;
import dev.sro.core.plan.Write;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class WriteRunsTest {

    private static Write label(String node) {
        return new Write.LabelNode(node, "uid-" + node, "sro.x", new TreeMap<>(Map.of("a", "b")));
    }

    private static Write clear(String node) {
        return new Write.ClearNode(node, "uid-" + node, new TreeSet<>(List.of("old")), new TreeSet<>(), "edited");
    }

    private static Write taint(String node) {
        return new Write.TaintNode(node, "uid-" + node, TaintChange.NONE);
    }

    private static Write deletePod(String pod) {
        return new Write.Delete(new ObjectRef("v1", "Pod", "ns", pod), "uid-" + pod, false, "1000-x", "p", "why");
    }

    private static Write evict(String pod) {
        return new Write.Evict(new ObjectRef("v1", "Pod", "ns", pod), "uid-" + pod, "n", "why");
    }

    private static Write apply(String kind, String name, String state, String pool) {
        return new Write.Apply(
                KubeObject.of(Map.of("apiVersion", "v1", "kind", kind, "metadata", Map.of("name", name))),
                true,
                state,
                pool,
                "missing");
    }

    private static Write worker(String name) {
        return new Write.Apply(
                KubeObject.of(Map.of(
                        "apiVersion",
                        "v1",
                        "kind",
                        "Pod",
                        "metadata",
                        Map.of("name", name, "annotations", Map.of(MetadataKeys.WORK, "load")))),
                true,
                "1000-x",
                "p",
                "missing");
    }

    @Test
    void writesToOneNodeStayInOrderAndThoseToOthersDoNotWaitForThem() {
        assertThat(WriteRuns.divide(List.of(label("a"), clear("b"), label("c"), taint("a"), taint("b"))))
                .containsExactly(
                        List.of(List.of(label("a"), taint("a")), List.of(clear("b"), taint("b")), List.of(label("c"))));
    }

    @Test
    void podsComeAfterAllNodesThatWereMarkedBeforeThem() {
        assertThat(WriteRuns.divide(List.of(label("a"), label("b"), evict("p"), deletePod("q"), label("c"))))
                .containsExactly(
                        List.of(List.of(label("a")), List.of(label("b"))),
                        List.of(List.of(evict("p")), List.of(deletePod("q"))),
                        List.of(List.of(label("c"))));
    }

    @Test
    void workerPodsOfOnePoolAreIndependent() {
        assertThat(WriteRuns.divide(List.of(worker("a"), worker("b"), deletePod("c"))))
                .hasSize(1);
    }

    @Test
    void whatPoolsShareComesFirstAndOnePoolsObjectsStayInOrder() {
        Write shared = apply("ServiceAccount", "s", "1000-x", "");
        Write first = apply("ConfigMap", "c-1", "1000-x", "p1");
        Write second = apply("DaemonSet", "d-1", "1000-x", "p1");
        Write other = apply("ConfigMap", "c-2", "1000-x", "p2");
        Write next = apply("DaemonSet", "e-1", "2000-y", "p1");
        assertThat(WriteRuns.divide(List.of(shared, first, second, other, next)))
                .containsExactly(
                        List.of(List.of(shared)),
                        List.of(List.of(first, second), List.of(other)),
                        List.of(List.of(next)));
    }

    @Test
    void everythingElseIsByItself() {
        ObjectRef self = new ObjectRef("sro.openshift.io/v1beta1", "SpecialResource", "", "x");
        Write finalizer = new Write.SetFinalizer(self, "uid", true);
        Write namespace = apply("Namespace", "ns", "", "");
        Write delete = new Write.Delete(new ObjectRef("v1", "ConfigMap", "ns", "c"), "u", false, "s", "p", "why");
        assertThat(WriteRuns.divide(List.of(finalizer, namespace, delete, delete)))
                .containsExactly(
                        List.of(List.of(finalizer)),
                        List.of(List.of(namespace)),
                        List.of(List.of(delete)),
                        List.of(List.of(delete)));
        assertThat(WriteRuns.divide(List.of())).isEmpty();
    }
}
