package dev.sro.runtime.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.runtime.Cli;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** {@code sro slices publish}, {@code audit} and {@code claim}. */
class DraCommandsTest extends SliceFiles {
    private static final String[] EIGHT = {"slices", "publish", "--model", "A100-40GB", "--count", "8", "--node", "w1"};

    @Test
    void whatIsPublishedPassesTheAudit() throws IOException {
        Cli published = Cli.run(EIGHT);
        assertThat(published.code()).isZero();
        assertThat(published.out())
                .contains(
                        "kind: \"DeviceClass\"",
                        "extendedResourceName: \"nvidia.com/mig-1g.5gb.me\"",
                        "name: \"w1-slices.sro.dev-gpu-07\"");
        Cli audit = Cli.run("slices", "audit", file("slices.yaml", published.out()));
        assertThat(audit.out()).isEqualTo("8 GPUs, 18552 layouts, nothing is wrong\n");
        assertThat(audit.code()).isZero();
    }

    @Test
    void aFleetIsPublishedWithWhatIsOnIt() throws IOException {
        Cli published = Cli.run("slices", "publish", fleet, "--only", "slices", "--kubernetes", "v1.36.2");
        assertThat(published.code()).isZero();
        assertThat(published.out()).doesNotContain("DeviceClass").contains("nodeName: \"node-1\"");
        assertThat(published.err())
                .contains("note: Kubernetes 1.36.2: counters are cached by the name of the pool alone");
        Cli audit = Cli.run("slices", "audit", file("slices.yaml", published.out()), "--format", "json");
        JsonNode json = json(audit);
        assertThat(json.get("clean").asBoolean()).isTrue();
        assertThat(json.get("findings").get(0).get("kind").asText()).isEqualTo("note");
    }

    @Test
    void theAuditNamesALayoutThatIsWronglyAdmittedInSlicesOfAnybody() throws IOException {
        String list = """
                apiVersion: v1
                kind: List
                items:
                - apiVersion: resource.k8s.io/v1beta1
                  kind: ResourceSlice
                  metadata: {name: n1-gpu.example.com-a}
                  spec:
                    driver: gpu.example.com
                    nodeName: n1
                    pool: {name: n1, generation: 1, resourceSliceCount: 1}
                    sharedCounters:
                    - name: gpu-0
                      counters: {memory-slice-0: {value: "1"}, memory-slice-1: {value: "1"}, memory-slice-2: {value: "1"}, memory-slice-3: {value: "1"}}
                    devices:
                    - name: gpu-0-mig-4g24gb-0
                      basic:
                        attributes: {productName: {string: NVIDIA A30}, profile: {string: 4g.24gb}}
                        consumesCounters: [{counterSet: gpu-0, counters: {memory-slice-0: {value: "1"}}}]
                    - name: gpu-0-mig-2g12gb-2
                      basic:
                        attributes: {productName: {string: NVIDIA A30}, profile: {string: 2g.12gb}}
                        consumesCounters: [{counterSet: gpu-0, counters: {memory-slice-2: {value: "1"}, memory-slice-3: {value: "1"}}}]
                """;
        Cli audit = Cli.run("slices", "audit", file("list.yaml", list), "--kubernetes", "1.34");
        assertThat(audit.code()).isEqualTo(1);
        assertThat(audit.out())
                .contains(
                        "gpu.example.com n1 gpu-0: wrongly admitted: 2g.12gb at 2, 4g.24gb at 0 (gpu-0-mig-2g12gb-2, gpu-0-mig-4g24gb-0)")
                .contains("not listed: 1g.6gb at 0")
                .endsWith("1 GPU, 3 layouts, 2 things are wrong\n");
        assertThat(Cli.run("slices", "audit", fleet).err()).contains("has no ResourceSlice");
    }

    @Test
    void aTemplateAsksForPlacesThatSpoilLittleFirst() {
        Cli claim = Cli.run("slices", "claim", "--profile", "1g.10gb", "--name", "notebook");
        assertThat(claim.code()).isZero();
        assertThat(claim.out())
                .contains(
                        "kind: \"ResourceClaimTemplate\"",
                        "deviceClassName: \"1g-10gb.slices.sro.dev\"",
                        ".lossClass <= 0",
                        "name: \"any\"");
        Cli gang = Cli.run(
                "slices", "claim", "--profile", "1g.10gb", "--count", "2", "--same-gpu", "--kubernetes", "1.36.2");
        assertThat(gang.out()).contains("matchAttribute: \"slices.sro.dev/parent\"");
        assertThat(gang.err()).contains("note: Kubernetes 1.36.2: such a claim may wait though there is room");
    }

    @Test
    void wrongArgumentsSayWhatToGive() {
        assertThat(Cli.run("slices", "publish").err()).contains("give either a fleet file or --model");
        assertThat(Cli.run("slices", "publish", "--model", "A100-40GB", "--kubernetes", "1.33")
                        .err())
                .contains("--kubernetes: Kubernetes 1.33: has no resource.k8s.io/v1");
        assertThat(Cli.run("slices", "claim", "--profile", "1g.10gb", "--count", "0")
                        .err())
                .contains("count: 0 slices; a claim has 1 to 32 requests");
    }
}
