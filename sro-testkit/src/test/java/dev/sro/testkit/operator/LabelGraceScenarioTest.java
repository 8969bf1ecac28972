package dev.sro.testkit.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.server.Gvr;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Node Feature Discovery is restarted under a special resource that selects its nodes by the label of a device. */
class LabelGraceScenarioTest {

    private static final String GPU = "feature.node.kubernetes.io/pci-0302_10de.present";
    private static final NodeProfile NODE =
            NodeProfile.of(OsRelease.RHEL_9).withPci("0302", "10de", "2330").withPciLabelFields("class", "vendor");

    private final SroSandbox sandbox = SroSandbox.create(new KmodPlugin());

    @BeforeEach
    void ready() {
        sandbox.nodes().create("one", NODE);
        sandbox.nodes().create("two", NODE);
        sandbox.run(Duration.ofMinutes(2));
        sandbox.apply(KmodPlugin.RESOURCE.replace("example.com/device", GPU));
        assertThat(sandbox.runUntil(Duration.ofMinutes(10), () -> sandbox.isReady("kmod")))
                .isTrue();
        sandbox.run(Duration.ofMinutes(1));
        sandbox.cluster().recording().start();
    }

    @AfterEach
    void close() {
        sandbox.close();
    }

    private List<Recording.Entry> writes() {
        return sandbox.cluster().recording().entries(entry -> entry.userAgent().equals("sro") && entry.isWrite());
    }

    private Map<String, String> pods() {
        return sandbox.cluster().api().list(Gvr.PODS).stream()
                .collect(Collectors.toMap(
                        pod -> pod.at("/metadata/uid").asText(),
                        pod -> pod.at("/metadata/name").asText(),
                        (a, b) -> a,
                        TreeMap::new));
    }

    @Test
    void aRestartOfNodeFeatureDiscoveryCostsNoWriteAndNoPod() {
        Map<String, String> before = pods();
        assertThat(before).isNotEmpty();
        for (int times = 0; times < 3; times++) {
            sandbox.nodes().label("one", GPU, null).label("two", GPU, null);
            sandbox.run(Duration.ofSeconds(90));
            sandbox.nodes().label("one", GPU, "true").label("two", GPU, "true");
            sandbox.run(Duration.ofMinutes(10));
        }

        assertThat(writes()).isEmpty();
        assertThat(pods()).isEqualTo(before);
        assertThat(sandbox.isReady("kmod")).isTrue();
    }

    @Test
    void norWhenTheOperatorIsRestartedWithIt() {
        Map<String, String> before = pods();
        sandbox.kill();
        sandbox.nodes().label("one", GPU, null).label("two", GPU, null);
        sandbox.start();
        sandbox.run(Duration.ofSeconds(90));
        sandbox.nodes().label("one", GPU, "true").label("two", GPU, "true");
        sandbox.run(Duration.ofMinutes(10));

        assertThat(writes()).isEmpty();
        assertThat(pods()).isEqualTo(before);
    }

    @Test
    void aDeviceThatIsGoneTakesItsDriverWithIt() {
        sandbox.nodes().label("one", GPU, null);
        sandbox.run(Duration.ofMinutes(4));
        assertThat(writes()).isEmpty();
        sandbox.run(Duration.ofMinutes(5));

        assertThat(pods().values()).noneMatch(name -> nodeOf(name).equals("one"));
        assertThat(pods().values()).anyMatch(name -> nodeOf(name).equals("two"));
        assertThat(sandbox.isReady("kmod")).isTrue();
    }

    private String nodeOf(String pod) {
        return sandbox.cluster().api().list(Gvr.PODS).stream()
                .filter(each -> each.at("/metadata/name").asText().equals(pod))
                .filter(each ->
                        each.at("/metadata/ownerReferences/0/kind").asText().equals("DaemonSet"))
                .map(each -> each.at("/spec/nodeName").asText())
                .findFirst()
                .orElse("");
    }
}
