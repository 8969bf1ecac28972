package dev.sro.plugins.simplekmod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.SpecialResource;
import dev.sro.testkit.junit.SroTest;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.Behavior;
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

    @Test
    @SroTest(plugins = SimpleKmodPlugin.class)
    void whatDoesNotCompileIsTriedOnceAndTheStatusHasTheCompilersLine(SroSandbox sandbox) {
        sandbox.nodes().create("a", NodeProfile.of(OsRelease.UBUNTU_22));
        sandbox.simulation().registry().onlyPushed("localhost:32000/*");
        sandbox.simulation()
                .behaviors()
                .add(Behavior.fail(42, Duration.ofMinutes(2))
                        .image("*buildkit*")
                        .saying("""
                                #9 3.6 /src/simple-kmod.c:17:9: error: expected ';'
                                #9 3.7 make: *** [all] Error 2
                                #9 3.7 sro: the modules do not compile
                                error: failed to solve: exit code: 1
                                """));
        sandbox.run(Duration.ofMinutes(1));
        sandbox.apply(RESOURCE);
        sandbox.run(Duration.ofMinutes(30));

        assertThat(sandbox.state("simple-kmod")).contains("/src/simple-kmod.c:17:9: error: expected ';'");
        assertThat(sandbox.client().pods().inNamespace("simple-kmod").list().getItems())
                .as("one attempt")
                .hasSize(1);
    }

    @Test
    @SroTest(plugins = SimpleKmodPlugin.class)
    void whatTheRegistryRefusesIsTriedAgain(SroSandbox sandbox) {
        sandbox.nodes().create("a", NodeProfile.of(OsRelease.UBUNTU_22));
        sandbox.simulation().registry().onlyPushed("localhost:32000/*");
        sandbox.simulation()
                .behaviors()
                .add(Behavior.fail(1, Duration.ofMinutes(2))
                        .image("*buildkit*")
                        .saying("#12 ERROR: failed to push localhost:32000/x: dial tcp 127.0.0.1:32000: connection"
                                + " refused\n")
                        .times(2));
        sandbox.run(Duration.ofMinutes(1));
        sandbox.apply(RESOURCE);
        sandbox.run(Duration.ofMinutes(3));
        assertThat(sandbox.state("simple-kmod")).contains("attempt 1 of 7 failed", "connection refused");

        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("simple-kmod")))
                .isTrue();
    }

    @Test
    @SroTest(plugins = SimpleKmodPlugin.class)
    void modulesThatDoNotLoadAreSaidInTheWordsOfModprobe(SroSandbox sandbox) {
        sandbox.nodes().create("a", NodeProfile.of(OsRelease.UBUNTU_22));
        sandbox.simulation()
                .behaviors()
                .add(Behavior.fail(1, Duration.ofSeconds(1))
                        .image("*driver-container:*")
                        .workload("*-driver-container-*")
                        .saying("modprobe: ERROR: could not insert 'simple_kmod': Exec format error\n"));
        sandbox.run(Duration.ofMinutes(1));
        sandbox.apply(RESOURCE);
        sandbox.run(Duration.ofMinutes(10));

        assertThat(sandbox.state("simple-kmod")).contains("could not insert 'simple_kmod': Exec format error");
    }

    @Test
    @SroTest(plugins = SimpleKmodPlugin.class)
    void driverPodsGoAtOnceWhenTheSpecialResourceGoes(SroSandbox sandbox) {
        sandbox.nodes().create("a", NodeProfile.of(OsRelease.UBUNTU_22));
        sandbox.run(Duration.ofMinutes(1));
        sandbox.apply(RESOURCE);
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("simple-kmod")))
                .isTrue();

        sandbox.client()
                .resources(SpecialResource.class)
                .withName("simple-kmod")
                .delete();

        assertThat(sandbox.runUntil(
                        Duration.ofSeconds(30), () -> sandbox.get("simple-kmod").isEmpty()))
                .as("on a real node it took 86 s, 60 of them the grace period of a pod that did not hear SIGTERM")
                .isTrue();
    }

    /** The label is that of the kernel before: the old pods come up, and must not be taken for a driver of the new kernel. */
    @Test
    @SroTest(plugins = SimpleKmodPlugin.class)
    void aNodeThatBootsIntoAnotherKernelWhileTheOperatorIsDownIsNotReadyByItsOldPods(SroSandbox sandbox) {
        sandbox.nodes().create("a", NodeProfile.of(OsRelease.UBUNTU_22));
        sandbox.run(Duration.ofMinutes(1));
        sandbox.apply(RESOURCE);
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("simple-kmod")))
                .isTrue();
        sandbox.kill();
        // The modules are those of the kernel before: modprobe looks for them under the name of the kernel that runs.
        Behavior nothingLoads = Behavior.fail(1, Duration.ofSeconds(1))
                .image("*:v5.15.0-91-generic-*")
                .saying("modprobe: FATAL: Module simple-kmod not found in directory /lib/modules/5.15.0-92-generic\n");
        sandbox.simulation().behaviors().add(nothingLoads);
        sandbox.nodes().reboot("a", "5.15.0-92-generic");
        sandbox.run(Duration.ofMinutes(3));
        assertThat(sandbox.client().pods().inNamespace("simple-kmod").list().getItems())
                .filteredOn(pod -> pod.getMetadata().getName().contains("driver-container"))
                .as("none of the kernel before is ready on the new one")
                .noneMatch(pod -> pod.getStatus().getConditions().stream()
                        .anyMatch(c ->
                                c.getType().equals("Ready") && c.getStatus().equals("True")));

        sandbox.start();
        assertThat(sandbox.runUntil(LIMIT, () -> sandbox.isReady("simple-kmod")))
                .as(sandbox.state("simple-kmod"))
                .isTrue();
        assertThat(sandbox.client().pods().inNamespace("simple-kmod").list().getItems())
                .flatExtracting(pod -> pod.getSpec().getContainers())
                .extracting(container -> container.getImage())
                .noneMatch(image -> image.contains(":v5.15.0-91-generic-"));
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
