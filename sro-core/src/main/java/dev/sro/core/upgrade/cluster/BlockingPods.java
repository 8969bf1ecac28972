package dev.sro.core.upgrade.cluster;

import dev.sro.api.operation.PodUse;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.probe.NodePod;
import dev.sro.core.upgrade.machine.BlockingPod;
import dev.sro.core.upgrade.policy.PodRemoval;
import dev.sro.core.upgrade.policy.UpgradeAdvice;
import dev.sro.core.upgrade.policy.UpgradeKeys;
import dev.sro.core.upgrade.policy.UpgradeRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Pods of a node that are in the way of a new driver. Immutable.
 *
 * @param jobs that are waited for
 * @param users of the device
 * @param drained all that a drain takes away
 */
public record BlockingPods(List<BlockingPod> jobs, List<BlockingPod> users, List<BlockingPod> drained) {

    /** What the operator that is installed by its chart, its manifests or its bundle is called. */
    private static final String INSTALLED = "special-resource-operator";

    /** Copies. */
    public BlockingPods {
        jobs = List.copyOf(jobs);
        users = List.copyOf(users);
        drained = List.copyOf(drained);
    }

    /**
     * Finds them among the pods of a node. Those of SRO itself are never in the way.
     *
     * @param refused what was said of an eviction that was refused
     */
    public static BlockingPods find(
            List<NodePod> pods,
            UpgradeRules rules,
            UpgradeKeys keys,
            UpgradeAdvice advice,
            Function<ObjectRef, Optional<String>> refused) {
        PodRemoval deletion = rules.policy("").podDeletion().orElse(PodRemoval.DEFAULT);
        PodRemoval drain = rules.policy("").drain().orElse(PodRemoval.DEFAULT);
        List<NodePod> present = pods.stream()
                .filter(pod -> !pod.finished() && !pod.isBound() && !isOperator(pod))
                .sorted(Comparator.comparing(NodePod::namespace).thenComparing(NodePod::name))
                .toList();
        Set<NodePod> users = users(present, rules, advice);
        List<BlockingPod> waited = new ArrayList<>();
        List<BlockingPod> using = new ArrayList<>();
        List<BlockingPod> drained = new ArrayList<>();
        for (NodePod pod : present) {
            if (rules.jobPods().filter(jobs -> jobs.matches(pod.labels())).isPresent()) {
                waited.add(new BlockingPod(pod.namespace(), pod.name(), BlockingPod.Reason.RUNNING, ""));
            }
            boolean kept = "true".equals(pod.labels().get(keys.keepPod()));
            if (users.contains(pod) && !kept) {
                using.add(block(pod, deletion, refused));
            }
            if (!kept && rules.drains(pod.labels())) {
                drained.add(block(pod, drain, refused));
            }
        }
        return new BlockingPods(waited, using, drained);
    }

    /** Who drains must not drain itself away. Where SRO is a part of another program, its pods say so by the label. */
    private static boolean isOperator(NodePod pod) {
        return "true".equals(pod.labels().get(MetadataKeys.OPERATOR))
                || INSTALLED.equals(pod.labels().get("app.kubernetes.io/name"));
    }

    private static Set<NodePod> users(List<NodePod> pods, UpgradeRules rules, UpgradeAdvice advice) {
        Set<NodePod> users = new HashSet<>();
        List<PodUse> uses = pods.stream()
                .map(pod -> new PodUse(
                        pod.namespace(),
                        pod.name(),
                        pod.labels(),
                        pod.resources(),
                        pod.claims().drivers()))
                .toList();
        List<Boolean> said =
                uses.isEmpty() ? List.of() : advice.usesDevice(uses).orElse(List.of());
        for (int i = 0; i < pods.size(); i++) {
            NodePod pod = pods.get(i);
            boolean asks = pod.resources().keySet().stream()
                    .anyMatch(name -> rules.resources().stream().anyMatch(name::startsWith));
            boolean claims = (rules.claimsCount() && pod.claims().any())
                    || pod.claims().drivers().stream().anyMatch(rules.draDrivers()::contains);
            if (asks || claims || (i < said.size() && said.get(i))) {
                users.add(pod);
            }
        }
        return users;
    }

    private static BlockingPod block(NodePod pod, PodRemoval how, Function<ObjectRef, Optional<String>> refused) {
        if (pod.terminating()) {
            return new BlockingPod(
                    pod.namespace(),
                    pod.name(),
                    pod.held() ? BlockingPod.Reason.FINALIZER : BlockingPod.Reason.TERMINATING,
                    "");
        }
        if (pod.controller().isEmpty() && !how.force()) {
            return new BlockingPod(pod.namespace(), pod.name(), BlockingPod.Reason.UNMANAGED, "");
        }
        if (pod.emptyDir() && !how.deleteEmptyDir()) {
            return new BlockingPod(pod.namespace(), pod.name(), BlockingPod.Reason.EMPTY_DIR, "");
        }
        Optional<String> why = refused.apply(new ObjectRef("v1", "Pod", pod.namespace(), pod.name()));
        return new BlockingPod(
                pod.namespace(),
                pod.name(),
                why.isPresent() ? BlockingPod.Reason.DISRUPTION_BUDGET : BlockingPod.Reason.NONE,
                why.orElse(""));
    }
}
