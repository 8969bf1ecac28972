package dev.sro.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeLoadTest {

    @Test
    void aLabelMeansTheSameWhenItIsReadAgain() {
        NodeLoad load = new NodeLoad("0123456789abcdef", NodeLoad.hash("boot"), NodeLoad.hash("6.1.0"));

        assertThat(load.label()).hasSize(50);
        assertThat(NodeLoad.parse(load.label())).contains(load);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "0123456789abcdef", "0123456789abcdef.0123456789abcdef.0123456789abcdeg"})
    void whatSomebodyElseWroteSaysNothing(String label) {
        assertThat(NodeLoad.parse(label)).isEmpty();
        assertThat(WorkerTask.parse(label)).isEmpty();
    }

    @Test
    void workMeansTheSameWhenItIsReadAgain() {
        WorkerTask work = new WorkerTask(WorkerTask.Task.UNLOAD, "0123456789abcdef", NodeLoad.hash("boot"));

        assertThat(WorkerTask.parse(work.text())).contains(work);
    }

    @Test
    void podsHaveOneNameForEachNode() {
        String longName = "a".repeat(90);

        assertThat(WorkerPods.ref(longName, "ns", "n1").name())
                .hasSizeLessThanOrEqualTo(63)
                .isNotEqualTo(WorkerPods.ref(longName, "ns", "n2").name())
                .isNotEqualTo(WorkerPods.ref(longName + "b", "ns", "n1").name());
        assertThat(WorkerPods.ref("gpu", "ns", "n1").name()).startsWith("gpu-load-");
    }
}
