package dev.sro.core.upgrade.machine;

import dev.sro.api.operation.UpgradeAction;
import dev.sro.core.upgrade.policy.NodeShare;
import dev.sro.core.upgrade.policy.PodRemoval;
import dev.sro.core.upgrade.policy.RetryPolicy;
import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the words in which vectors give facts and policies. */
final class Facts {

    static final Instant NOW = Instant.parse("2026-11-22T05:00:00Z");
    static final String TARGET = "v2";

    private Facts() {}

    static Map<String, String> words(@Nullable String text) {
        Map<String, String> words = new HashMap<>();
        for (String word : text == null ? new String[0] : text.split(" ")) {
            String[] parts = word.split("=", 2);
            words.put(parts[0], parts.length == 2 ? parts[1] : "");
        }
        return words;
    }

    /**
     * A node. A label that is in progress or failed has a note of the same phase and our cordon, unless words say otherwise: {@code
     * noted=PHASE}, {@code noted=-}, {@code cordon=no|us|other}.
     */
    static UpgradeNode node(String name, String label, String text) {
        Map<String, String> words = words(text);
        Optional<UpgradePhase> phase = UpgradePhase.parse(label);
        boolean taken = phase.filter(one -> one.inProgress() || one == UpgradePhase.FAILED)
                .isPresent();
        String cordon = words.getOrDefault(
                "cordon", phase.filter(one -> taken && one.cordoned()).isPresent() ? "us" : "no");
        UpgradeNode.Builder node = UpgradeNode.builder()
                .name(name)
                .label(label)
                .cordoned(!cordon.equals("no"))
                .cordonedByUs(cordon.equals("us"))
                .note(note(words.getOrDefault("noted", taken ? label : "-"), words))
                .alone(words.containsKey("alone"))
                .ready(!words.containsKey("nodenotready"))
                .bootId("b1")
                .skip(words.containsKey("skip"))
                .requested(words.containsKey("requested"))
                .safeLoadWaiting(words.containsKey("safeload"))
                .holder(Optional.ofNullable(words.get("holder")))
                .yields(words.containsKey("yields"))
                .podsKnown(!words.containsKey("podsunknown"))
                .driver(driver(words))
                .action(action(words.getOrDefault("action", "full")))
                .maintenance(check(words.get("maint")))
                .validation(check(words.get("valid")))
                .reset(reset(words));
        BlockingPod.Reason reason =
                BlockingPod.Reason.valueOf(words.getOrDefault("reason", "none").toUpperCase(Locale.ROOT));
        return node.jobs(pods(words, "jobs", BlockingPod.Reason.RUNNING))
                .users(pods(words, "users", reason))
                .drainPods(pods(words, "drainpods", words.containsKey("drainable") ? BlockingPod.Reason.NONE : reason))
                .build();
    }

    private static String note(String phase, Map<String, String> words) {
        if (phase.equals("-")) {
            return "";
        }
        Instant since = NOW.minusSeconds(Long.parseLong(words.getOrDefault("age", "0")));
        Optional<Instant> started =
                Optional.ofNullable(words.get("started")).map(age -> NOW.minusSeconds(Long.parseLong(age)));
        UpgradePhase at = UpgradePhase.parse(phase).orElseThrow();
        boolean failed = at == UpgradePhase.FAILED;
        return new JournalEntry(
                        at,
                        since,
                        started,
                        false,
                        failed ? 1 : 0,
                        false,
                        words.getOrDefault("boot", ""),
                        "",
                        TARGET,
                        failed ? "DriverCrashes" : "",
                        "")
                .text();
    }

    private static DeviceReset reset(Map<String, String> words) {
        return new DeviceReset(
                devices(words.get("reset")),
                devices(words.get("resetfailed")),
                words.getOrDefault("ordered", ""),
                "state agent",
                words.containsKey("leaving") ? List.of("pod default/monitor") : List.of());
    }

    private static SortedSet<String> devices(@Nullable String text) {
        return text == null ? new TreeSet<>() : new TreeSet<>(List.of(text.split(",", -1)));
    }

    private static DriverPod driver(Map<String, String> words) {
        String word = words.getOrDefault("driver", "ready");
        DriverPod.State state = switch (word) {
            case "ready" -> DriverPod.State.CURRENT_READY;
            case "notready" -> DriverPod.State.CURRENT_NOT_READY;
            default -> DriverPod.State.valueOf(word.toUpperCase(Locale.ROOT));
        };
        return new DriverPod(state, "pod", Integer.parseInt(words.getOrDefault("restarts", "0")), "");
    }

    private static Optional<UpgradeAction> action(String word) {
        return switch (word) {
            case "unknown" -> Optional.empty();
            case "restart" -> Optional.of(UpgradeAction.RESTART_ONLY);
            default -> Optional.of(UpgradeAction.valueOf(word.toUpperCase(Locale.ROOT)));
        };
    }

    private static NodeCheck check(@Nullable String word) {
        return word == null
                ? NodeCheck.ABSENT
                : new NodeCheck(NodeCheck.State.valueOf(word.toUpperCase(Locale.ROOT)), "");
    }

    private static List<BlockingPod> pods(Map<String, String> words, String key, BlockingPod.Reason reason) {
        List<BlockingPod> pods = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(words.getOrDefault(key, "0")); i++) {
            pods.add(new BlockingPod("default", key + i, reason, ""));
        }
        return pods;
    }

    static RolloutPolicy.Builder policy(@Nullable String text) {
        Map<String, String> words = words(text);
        RolloutPolicy.Builder policy = RolloutPolicy.builder()
                .target(TARGET)
                .autoUpgrade(!words.containsKey("off"))
                .waitForJobs(words.containsKey("jobs"))
                .jobsTimeout(Duration.ofSeconds(Long.parseLong(words.getOrDefault("jobsTimeout", "0"))))
                .externalMaintenance(words.containsKey("external"))
                .validation(words.containsKey("validation"))
                .restartThreshold(Integer.parseInt(words.getOrDefault("restarts", "10")))
                .maxParallel(Integer.parseInt(words.getOrDefault("parallel", "1")))
                .maxUnavailable(NodeShare.parse("maxUnavailable", words.getOrDefault("unavailable", "100%")))
                .retry(new RetryPolicy(
                        Integer.parseInt(words.getOrDefault("retries", "0")),
                        Duration.ofMinutes(1),
                        Duration.ofHours(1),
                        !words.containsKey("noheal")));
        if (words.containsKey("nodelete")) {
            policy.podDeletion(Optional.empty());
        }
        if (words.containsKey("drain")) {
            policy.drain(PodRemoval.DEFAULT);
        }
        if (words.containsKey("bypass")) {
            policy.manualCordon(RolloutPolicy.ManualCordon.BYPASS);
        }
        if (words.containsKey("leave")) {
            policy.manualCordon(RolloutPolicy.ManualCordon.LEAVE);
        }
        return policy;
    }
}
