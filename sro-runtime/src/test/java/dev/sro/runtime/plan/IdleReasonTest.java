package dev.sro.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.runtime.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who serves no node is told what keeps the nodes out: selector, device or taints. */
class IdleReasonTest {

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: gpus}
        spec:
          namespace: gpus
          nodeSelector: {example.com/rack: a}
          plugin: {name: nvidia-gpu}
        """;

    private static final String NODE = """
        apiVersion: v1
        kind: Node
        metadata:
          name: worker-%s
          labels:
            example.com/rack: a
            kubernetes.io/arch: amd64
            kubernetes.io/os: linux
            feature.node.kubernetes.io/pci-10de.present: "%s"
        spec: {taints: [%s]}
        status:
          nodeInfo:
            architecture: amd64
            operatingSystem: linux
            kernelVersion: 5.15.0-100-generic
            osImage: Ubuntu 22.04.4 LTS
        ---
        """;

    @TempDir
    private static Path plugins;

    @TempDir
    private Path folder;

    private Path resource = Path.of("");

    @BeforeAll
    static void buildPlugins() {
        Cli.plugins(plugins);
        Cli.plugin(plugins, "sro-plugins-nvidia", "nvidia-gpu");
    }

    @BeforeEach
    void write() throws IOException {
        resource = Files.writeString(folder.resolve("gpus.yaml"), RESOURCE);
    }

    private Cli run(String command, String nodes, String... more) throws IOException {
        Path file = Files.writeString(folder.resolve("nodes.yaml"), nodes);
        String[] all = new String[7 + more.length];
        System.arraycopy(
                new String[] {
                    command, "-f", resource.toString(), "--nodes", file.toString(), "--plugins", plugins.toString()
                },
                0,
                all,
                0,
                7);
        System.arraycopy(more, 0, all, 7, more.length);
        return Cli.run(all);
    }

    @Test
    void namesTheDeviceThatIsNotThere() throws IOException {
        String nodes = NODE.formatted("1", "false", "") + NODE.formatted("2", "false", "");
        String why = "2 nodes match spec.nodeSelector, and plugin nvidia-gpu";

        Cli plan = run("plan", nodes);
        assertThat(plan.out())
                .contains("serves 0 of 2 nodes", why, "finds its device on none of them, so there is nothing to do")
                .doesNotContain("no node matches");
        assertThat(run("render", nodes).err()).contains(why, "so there is nothing to render");
        assertThat(run("lint", nodes).out()).contains("NothingRendered", why);
        assertThat(new ObjectMapper()
                        .readTree(run("plan", nodes, "-o", "json").out())
                        .findValuesAsText("idle"))
                .singleElement()
                .asString()
                .startsWith(why);
    }

    @Test
    void namesTheSelectorThatNoNodeHas() throws IOException {
        assertThat(run("plan", NODE.formatted("1", "true", "").replace("rack: a", "rack: b"))
                        .out())
                .contains("no node matches spec.nodeSelector, so there is nothing to do");
    }

    @Test
    void namesTheTaintsThatKeepOperandsOff() throws IOException {
        Files.writeString(
                resource,
                RESOURCE.replace("nvidia-gpu", "simple-kmod")
                        + "  driverContainer: {source: {git: {uri: 'https://git.example.com/kmod', ref: main}}}\n");

        assertThat(run("plan", NODE.formatted("1", "true", "{key: other, value: x, effect: NoSchedule}"))
                        .out())
                .contains("1 node matches spec.nodeSelector, and taints keep the operands off");
    }

    @Test
    void isSilentWhereNodesAreServed() throws IOException {
        assertThat(run("plan", NODE.formatted("1", "true", "")).out())
                .contains("serves 1 of 1 node")
                .doesNotContain("nothing to do");
    }

    @Test
    void aPluginsNameWhereItsObjectBelongsIsToldWithTheFix() throws IOException {
        Files.writeString(resource, RESOURCE.replace("{name: nvidia-gpu}", "nvidia-gpu"));

        assertThat(run("plan", NODE.formatted("1", "true", "")).err())
                .contains("spec.plugin in body must be of type object", "; write plugin: {name: nvidia-gpu}");
    }

    @Test
    void aFieldThatIsNoneNamesTheOneThatWasMeant() throws IOException {
        Files.writeString(resource, RESOURCE.replace("nodeSelector", "nodeSelecter") + "  zzz: 1\n");

        assertThat(run("plan", NODE.formatted("1", "true", "")).err().lines())
                .anyMatch(line -> line.endsWith(
                        "field spec.nodeSelecter is not known and is ignored; did you mean" + " nodeSelector?"))
                .anyMatch(line -> line.endsWith("field spec.zzz is not known and is ignored"));
    }
}
