package dev.sro.core.upgrade.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.NodeFacts;
import dev.sro.api.Problem;
import dev.sro.api.operation.DriverSet;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradeAction;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import dev.sro.api.resource.DriverUpgradePolicy;
import dev.sro.core.probe.NodePod;
import dev.sro.core.upgrade.machine.BlockingPod;
import dev.sro.core.upgrade.policy.UpgradeAdvice;
import dev.sro.core.upgrade.policy.UpgradeKeys;
import dev.sro.core.upgrade.policy.UpgradeRules;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class BlockingPodsTest {

    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    /** A plugin for which plugin.example/device, and claims of plugin.example, make a user. */
    private static final UpgradeAdvice PLUGIN = new UpgradeAdvice() {
        @Override
        public Optional<UpgradeStrategy> strategy() {
            return Optional.empty();
        }

        @Override
        public UpgradeAction action(DriverSet running, DriverSet desired, NodeFacts node) {
            return UpgradeAction.FULL;
        }

        @Override
        public Optional<Problem> incompatibility(DriverSet running, DriverSet desired) {
            return Optional.empty();
        }

        @Override
        public Optional<List<Boolean>> usesDevice(List<PodUse> pods) {
            return Optional.of(pods.stream()
                    .map(pod -> pod.resources().containsKey("plugin.example/device")
                            || pod.draDrivers().contains("plugin.example"))
                    .toList());
        }

        @Override
        public Optional<UpgradePolicy.Verdict> classify(Problem problem) {
            return Optional.empty();
        }
    };

    private static DriverUpgradePolicy policy(String text) {
        String flow = text.equals("{}") ? text : "{" + text + "}";
        return YAML.unmarshal("---\n" + flow, DriverUpgradePolicy.class);
    }

    private static NodePod pod(String text) {
        Map<String, String> labels = new HashMap<>();
        Map<String, String> resources = new HashMap<>();
        Set<String> words = Set.of(text.split(" "));
        String controller = "ReplicaSet";
        NodePod.Claims claims =
                words.contains("claims") ? new NodePod.Claims(true, Set.of("ns/c"), Set.of()) : NodePod.Claims.NONE;
        for (String word : words) {
            String value = word.substring(word.indexOf('=') + 1);
            if (word.startsWith("resource=")) {
                resources.put(value, "1");
            } else if (word.startsWith("label=")) {
                labels.put(value.substring(0, value.indexOf(':')), value.substring(value.indexOf(':') + 1));
            } else if (word.startsWith("controller=")) {
                controller = value.equals("-") ? "" : value;
            } else if (word.startsWith("dra=")) {
                claims = new NodePod.Claims(true, Set.of("ns/c"), Set.of(value));
            }
        }
        return new NodePod(
                "ns",
                "p",
                "uid",
                labels,
                resources,
                controller,
                words.contains("mirror"),
                words.contains("emptydir"),
                claims,
                words.contains("finished"),
                words.contains("terminating"),
                words.contains("held"),
                Instant.EPOCH);
    }

    private static void tell(List<String> words, String word, List<BlockingPod> blocks, Set<BlockingPod.Reason> plain) {
        blocks.forEach(block -> {
            words.add(word);
            if (!plain.contains(block.reason())) {
                words.add(block.reason().name());
            }
        });
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "pods.psv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '~')
    void podsAreInTheWayByWhatTheyAskForAndHowTheyCanGo(String id, String policy, String pod, String expected) {
        DriverUpgradePolicy spec = policy(policy);
        UpgradeRules rules = UpgradeRules.read(spec, Optional.empty());
        BlockingPods found = BlockingPods.find(
                List.of(pod(pod)),
                rules,
                UpgradeKeys.of("gpu", spec),
                PLUGIN,
                ref -> pod.contains("refused") ? Optional.of("the budget says no") : Optional.empty());
        List<String> words = new ArrayList<>();
        tell(words, "job", found.jobs(), Set.of(BlockingPod.Reason.RUNNING));
        tell(words, "uses", found.users(), Set.of(BlockingPod.Reason.NONE));
        if (rules.policy("").drain().isPresent()) {
            tell(words, "drained", found.drained(), Set.of(BlockingPod.Reason.NONE));
        }
        assertThat(words.isEmpty() ? "-" : String.join(" ", words)).as(id).isEqualTo(expected);
    }
}
