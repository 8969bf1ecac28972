package dev.sro.plugins.simplekmod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.junit.SroTest;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The main job in both variants: built, loaded and proved for each kernel. */
class SimpleKmodScenarioTest {

    /** As users of the Special Resource Operator write it. */
    static final String RESOURCE = """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: simple-kmod}
            spec:
              namespace: simple-kmod
              plugin: {name: simple-kmod}
              set:
                kind: Values
                apiVersion: sro.openshift.io/v1beta1
                kmodNames: [simple-kmod, simple-procfs-kmod]
                buildArgs: [{name: KMODVER, value: SRO}]
              driverContainer:
                source: {git: {ref: master, uri: "https://github.com/openshift-psap/kvc-simple-kmod.git"}}
            """;

    private static final Duration LIMIT = Duration.ofMinutes(30);

    @Test
    @SroTest(plugins = SimpleKmodPlugin.class)
    void buildsPushesAndRunsOneImagePerKernelOnKubernetes(SroSandbox sandbox) {
        sandbox.nodes().create("rhel", NodeProfile.of(OsRelease.RHEL_9));
        sandbox.nodes().create("amd", NodeProfile.of(OsRelease.UBUNTU_22));
        sandbox.nodes().create("arm", NodeProfile.of(OsRelease.UBUNTU_22).withArchitecture("arm64"));
        sandbox.simulation().registry().onlyPushed("localhost:32000/*");
        sandbox.run(Duration.ofMinutes(2));

        sandbox.apply(RESOURCE);

        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("simple-kmod")))
                .isTrue();
        assertThat(sandbox.simulation().registry().pushes())
                .hasSize(3)
                .doesNotHaveDuplicates()
                .allMatch(image -> image.startsWith("localhost:32000/simple-kmod/simple-kmod-driver-container:v"));
        assertThat(readyNodes(sandbox)).containsExactlyInAnyOrder("rhel", "amd", "arm");
    }

    @Test
    @SroTest(plugins = SimpleKmodPlugin.class, openShift = true)
    void buildsPushesAndRunsOneImagePerKernelOnOpenShift(SroSandbox sandbox) {
        sandbox.nodes().create("old", NodeProfile.of(OsRelease.RHCOS_8));
        sandbox.nodes().create("new", NodeProfile.of(OsRelease.RHCOS_9));
        sandbox.run(Duration.ofMinutes(2));

        sandbox.apply(RESOURCE);

        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("simple-kmod")))
                .isTrue();
        assertThat(sandbox.simulation().registry().pushes()).hasSize(2).doesNotHaveDuplicates();
        assertThat(readyNodes(sandbox)).containsExactlyInAnyOrder("old", "new");
    }

    private static List<String> readyNodes(SroSandbox sandbox) {
        return sandbox
                .client()
                .nodes()
                .withLabel("specialresource.openshift.io/state-simple-kmod-2000", "Ready")
                .list()
                .getItems()
                .stream()
                .map(node -> node.getMetadata().getName())
                .toList();
    }
}
