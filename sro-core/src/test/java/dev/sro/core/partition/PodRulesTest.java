package dev.sro.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of pods that ask for a device. */
class PodRulesTest {

    private static final Map<String, Object> TOLERATION =
            new TaintSpec("nvidia.com/gpu", "x", "NoSchedule").toleration();
    private static final PodRules RULES = new PodRules(
            List.of("nvidia.com/gpu", "nvidia.com/mig-*"),
            List.of(),
            List.of(TOLERATION),
            Optional.of(new PriorityClassSpec("gpu-high", 1_000_000, "Never", "")));

    @SuppressWarnings("unchecked")
    private static Map<String, Object> pod(String spec) {
        return Serialization.unmarshal("spec: " + spec, Map.class);
    }

    private static List<String> patched(String spec) {
        return RULES.patch(pod(spec)).stream()
                .map(each -> each.get("op") + " " + each.get("path") + " " + each.get("value"))
                .toList();
    }

    @Test
    void aPodThatAsksGetsWhatItLacks() {
        assertThat(patched("{containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}"))
                .containsExactly(
                        "add /spec/tolerations [" + TOLERATION + "]",
                        "add /spec/priorityClassName gpu-high",
                        "add /spec/priority 1000000",
                        "add /spec/preemptionPolicy Never");
    }

    @Test
    void whatAPodHasStays() {
        assertThat(patched("{priorityClassName: mine, tolerations: [{key: other, operator: Exists}], containers:"
                        + " [{resources: {requests: {nvidia.com/gpu: 1}}}]}"))
                .containsExactly("add /spec/tolerations/- " + TOLERATION);
        assertThat(patched("{priorityClassName: mine, tolerations: [{operator: Exists}], containers: [{resources:"
                        + " {requests: {nvidia.com/gpu: 1}}}]}"))
                .isEmpty();
        assertThat(patched("{priorityClassName: mine, tolerations: [{key: nvidia.com/gpu, operator: Exists}],"
                        + " containers: [{resources: {requests: {nvidia.com/gpu: 1}}}]}"))
                .isEmpty();
        // It tolerates one value alone.
        assertThat(patched("{priorityClassName: mine, tolerations: [{key: nvidia.com/gpu, value: y}],"
                        + " containers: [{resources: {requests: {nvidia.com/gpu: 1}}}]}"))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "nvidia.com/gpu, true",
        "nvidia.com/mig-1g.5gb, true",
        "nvidia.com/gpu.shared, false",
        "cpu, false",
        "amd.com/gpu, false",
    })
    void asksByTheNameOfAResource(String resource, boolean asks) {
        String container = "{resources: {requests: {" + resource + ": 1}}}";
        assertThat(!patched("{containers: [{}, " + container + "]}").isEmpty()).isEqualTo(asks);
        assertThat(!patched("{initContainers: [" + container + "], containers: [{}]}")
                        .isEmpty())
                .isEqualTo(asks);
    }

    @Test
    void theRulesAreReadAsTheyWereWritten() {
        assertThat(PodRules.parse(RULES.text()).text()).isEqualTo(RULES.text());
        assertThat(PodRules.parse(RULES.text())
                        .patch(pod("{containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}")))
                .isEqualTo(RULES.patch(pod("{containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}")));
        assertThat(RULES.text())
                .isEqualTo("resources=nvidia.com/gpu,nvidia.com/mig-*;tolerations=nvidia.com/gpu:NoSchedule;"
                        + "class=gpu-high:1000000:Never");
    }
}
