package dev.sro.plugins.solarflare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.sim.Behavior;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods of Onload order themselves by files on their node, on simulated nodes that have such files. */
class OnloadBarriersTest {

    private static final Duration LONG = Duration.ofMinutes(40);
    private static final String MODULES = "/run/sro/barriers/onload/modules";
    private static final String FILES = "/run/sro/barriers/onload/files";
    private static final String PTP = "ptp: {image: \"registry.example/sfptpd:3.7\", config: \"[general]\\n\"}";
    private static final List<String> OPERANDS = List.of("onload-user", "onload-device-plugin", "onload-ptp");

    private final SroSandbox sandbox = SroSandbox.create(new OnloadPlugin());

    @BeforeEach
    void likeTheScripts() {
        sandbox.simulation()
                .behaviors()
                .add(Behavior.leavesFile(MODULES).workload("onload-driver-load*"))
                .add(Behavior.leavesFile(FILES).container("user-files"))
                .add(Behavior.waitsForFiles(MODULES).container("wait-for-modules"))
                .add(Behavior.waitsForFiles(MODULES, FILES).container("wait-for-driver"));
        sandbox.nodes().create("one", Onload.node(OsRelease.RHEL_9));
        sandbox.run(Duration.ofMinutes(2));
        sandbox.apply(Onload.resource("9.0.1", PTP));
        until(() -> sandbox.isReady("onload"));
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void until(BooleanSupplier condition) {
        assertThat(sandbox.runUntil(LONG, condition))
                .as(() -> sandbox.state("onload") + pods("one") + pods("two"))
                .isTrue();
    }

    private List<Pod> podsOf(String prefix) {
        return sandbox.client().pods().inNamespace("onload").list().getItems().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith(prefix))
                .toList();
    }

    /** Phases by the operands that a node has. */
    private Map<String, String> pods(String node) {
        Map<String, String> phases = new TreeMap<>();
        for (String operand : OPERANDS) {
            podsOf(operand).stream()
                    .filter(pod -> node.equals(pod.getSpec().getNodeName()))
                    .forEach(pod -> phases.put(operand, pod.getStatus().getPhase()));
        }
        return phases;
    }

    private Set<String> uids(String prefix) {
        return podsOf(prefix).stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
    }

    private static Map<String, String> all(String phase) {
        return OPERANDS.stream().collect(Collectors.toMap(operand -> operand, operand -> phase));
    }

    private Map<String, String> labels(String node) {
        return sandbox.client().nodes().withName(node).get().getMetadata().getLabels();
    }

    /** What a new node needs of SRO is the label of its pool; whoever is before the other is found on the node. */
    @Test
    void aNewNodeGetsThereInOrderWhileTheOperatorIsDown() {
        Behavior stuck = Behavior.neverReady().workload("onload-driver-load*").node("two");
        sandbox.simulation().behaviors().add(stuck);
        sandbox.nodes().create("two", Onload.node(OsRelease.RHEL_9));
        until(() -> labels("two").containsKey("sro.dev/pool-onload"));
        sandbox.kill();

        sandbox.run(Duration.ofMinutes(30));
        assertThat(pods("two")).as("they are there, and wait").isEqualTo(all("Pending"));
        assertThat(pods("one")).isEqualTo(all("Running"));

        sandbox.simulation().behaviors().remove(stuck);
        podsOf("onload-driver-load").stream()
                .filter(pod -> "two".equals(pod.getSpec().getNodeName()))
                .forEach(pod -> sandbox.simulation()
                        .restartContainers("onload", pod.getMetadata().getName(), ""));
        until(() -> pods("two").equals(all("Running")));

        assertThat(sandbox.simulation().files().on("two")).containsExactly(FILES, MODULES);
        assertThat(labels("two").keySet())
                .as("nobody wrote that")
                .noneMatch(label -> label.startsWith("specialresource.openshift.io/state-onload"));
    }

    @Test
    void aRebootNeedsNobodyEither() {
        sandbox.kill();
        sandbox.nodes().reboot("one");
        // Nothing is said of the boot before.
        until(() -> sandbox.simulation().files().on("one").isEmpty());

        until(() -> sandbox.simulation().files().on("one").equals(Set.of(FILES, MODULES)));
        until(() -> pods("one").equals(all("Running")));
    }

    @Test
    void nodesThatAreNotServedGetNoPods() {
        sandbox.nodes().create("two", Onload.node(OsRelease.RHEL_9).withoutDevices());
        sandbox.run(Duration.ofMinutes(30));

        assertThat(pods("two")).isEmpty();
        assertThat(sandbox.isReady("onload")).isTrue();
    }

    /** Numbers of the states whose pods a node is to lose. */
    private static Set<String> leaving(Change change) {
        Set<String> numbers = new TreeSet<>();
        change.object().at("/metadata/labels").properties().forEach(label -> {
            if (label.getValue().asText().equals("Leaving")) {
                numbers.add(label.getKey().substring(label.getKey().length() - 4));
            }
        });
        return numbers;
    }

    @Test
    void anUpgradeTakesThemOffBeforeTheDriverAndTheyComeBackBehindIt() {
        Map<String, Set<String>> before = OPERANDS.stream().collect(Collectors.toMap(operand -> operand, this::uids));
        Set<String> seen = Collections.synchronizedSet(new TreeSet<>());
        sandbox.cluster().api().subscribe(Gvr.NODES, change -> seen.addAll(leaving(change)));
        sandbox.apply(Onload.resource("9.1.0", PTP));
        sandbox.run(Duration.ofSeconds(5));
        until(() -> sandbox.isReady("onload")
                && images("onload-user").equals(Set.of("registry.example/onload/user:9.1.0"))
                && "upgrade-done".equals(labels("one").get("sro.dev/onload.driver-upgrade-state"))
                && pods("one").equals(all("Running")));

        assertThat(seen).containsExactly("1000", "2000", "3000");
        OPERANDS.forEach(operand -> assertThat(uids(operand)).doesNotContainAnyElementsOf(before.get(operand)));
        assertThat(labels("one")).doesNotContainValue("Leaving").containsEntry(state("2000"), "Ready");
    }

    @Test
    void otherFilesAloneGoTheSameWayAndLeaveTheModulesLoaded() {
        Set<String> loaders = uids("onload-driver-load");
        Set<String> plugins = uids("onload-device-plugin");
        sandbox.apply(Onload.resource("9.0.1", PTP).replace("user:9.0.1", "user:9.0.2"));
        sandbox.run(Duration.ofSeconds(5));
        until(() -> sandbox.isReady("onload")
                && images("onload-user").equals(Set.of("registry.example/onload/user:9.0.2"))
                && pods("one").equals(all("Running")));

        assertThat(uids("onload-driver-load")).isEqualTo(loaders);
        assertThat(uids("onload-device-plugin")).doesNotContainAnyElementsOf(plugins);
    }

    @Test
    void aRollbackBringsModulesAndFilesOfOneVersion() {
        sandbox.simulation()
                .behaviors()
                .add(Behavior.neverReady().image("*/module:9.1.0-*").workload("onload-driver-load*"));
        sandbox.apply(Onload.resource("9.1.0", PTP)
                .replace(
                        "autoUpgrade: true,",
                        "autoUpgrade: true, haltOnFailures: 1, rollback: {automatic: true}, deadlines: {restartSeconds:"
                                + " 300},"));
        until(() -> images("onload-driver-load").stream().anyMatch(image -> image.contains(":9.1.0-")));
        until(() -> images("onload-driver-load").stream().allMatch(image -> image.contains(":9.0.1-"))
                && pods("one").equals(all("Running")));

        assertThat(images("onload-user")).containsExactly("registry.example/onload/user:9.0.1");
    }

    private static String loading(String driver) {
        return Onload.resource("9.0.1", PTP).replace("  plugin:\n", "  driver: " + driver + "\n  plugin:\n");
    }

    @Test
    void otherModulesOfTheSpecialResourceLeaveTheSameBarrier() {
        sandbox.apply(loading("{modprobe: {moduleName: onload}}"));
        until(() -> sandbox.isReady("onload") && images("onload-driver-load").size() == 1);

        assertThat(podsOf("onload-driver-load"))
                .isNotEmpty()
                .allSatisfy(pod -> assertThat(pod.toString())
                        .contains("SRO_BARRIER='/run/sro/barriers/onload/modules'")
                        .doesNotContain("sfc_resource"));
    }

    @Test
    void whereNobodyWouldLeaveTheBarrierThatIsToldAndNothingWaitsForEver() {
        sandbox.apply(loading("{loader: KmmModule, modprobe: {moduleName: onload}}"));
        sandbox.run(Duration.ofMinutes(5));

        assertThat(sandbox.state("onload"))
                .contains("spec.driver.loader: the operands of the plugin wait on each node for"
                        + " /run/sro/barriers/onload/modules, which only DriverDaemonSet and WorkerPod leave");
        assertThat(pods("one")).as("what runs goes on").isEqualTo(all("Running"));
    }

    private static String state(String number) {
        return "specialresource.openshift.io/state-onload-" + number;
    }

    private Set<String> images(String prefix) {
        return podsOf(prefix).stream()
                .map(pod -> pod.getSpec().getContainers().get(0).getImage())
                .collect(Collectors.toSet());
    }
}
