package dev.sro.core.rollout;

import dev.sro.api.operation.PodUse;
import dev.sro.core.model.Marks;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.probe.NodePod;
import dev.sro.core.recipe.UpgradeAdvice;
import dev.sro.core.upgrade.PodBlock;
import dev.sro.core.upgrade.PodRemoval;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Which pods of a node are in the way of a new driver. Stateless. */
public final class PodJudge {

    /** What the operator that is installed by its chart, its manifests or its bundle is called. */
    private static final String INSTALLED = "special-resource-operator";

    private PodJudge() {}

    /**
     * Pods in the way.
     *
     * @param jobs that are waited for
     * @param users of the device
     * @param drained all that a drain takes away
     */
    public record InTheWay(List<PodBlock> jobs, List<PodBlock> users, List<PodBlock> drained) {
        /** Copies. */
        public InTheWay {
            jobs = List.copyOf(jobs);
            users = List.copyOf(users);
            drained = List.copyOf(drained);
        }
    }

    /**
     * Judges the pods of a node. Those of SRO itself are never in the way.
     *
     * @param refused what was said of an eviction that was refused
     */
    public static InTheWay of(
            List<NodePod> pods,
            UpgradeRules rules,
            UpgradeKeys keys,
            UpgradeAdvice advice,
            Function<ObjectRef, Optional<String>> refused) {
        PodRemoval deletion = rules.policy("").podDeletion().orElse(PodRemoval.DEFAULT);
        PodRemoval drain = rules.policy("").drain().orElse(PodRemoval.DEFAULT);
        List<NodePod> present = pods.stream()
                .filter(pod -> !pod.finished() && !pod.isBound() && !isOperator(pod))
                .sorted(java.util.Comparator.comparing(NodePod::namespace).thenComparing(NodePod::name))
                .toList();
        Set<NodePod> users = users(present, rules, advice);
        List<PodBlock> waited = new ArrayList<>();
        List<PodBlock> using = new ArrayList<>();
        List<PodBlock> drained = new ArrayList<>();
        for (NodePod pod : present) {
            if (rules.jobPods().filter(jobs -> jobs.matches(pod.labels())).isPresent()) {
                waited.add(new PodBlock(pod.namespace(), pod.name(), PodBlock.Reason.RUNNING, ""));
            }
            boolean kept = "true".equals(pod.labels().get(keys.keepPod()));
            if (users.contains(pod) && !kept) {
                using.add(block(pod, deletion, refused));
            }
            if (!kept && rules.drains(pod.labels())) {
                drained.add(block(pod, drain, refused));
            }
        }
        return new InTheWay(waited, using, drained);
    }

    /** Who drains must not drain itself away. Where SRO is a part of another program, its pods say so by the label. */
    private static boolean isOperator(NodePod pod) {
        return "true".equals(pod.labels().get(Marks.OPERATOR))
                || INSTALLED.equals(pod.labels().get("app.kubernetes.io/name"));
    }

    private static Set<NodePod> users(List<NodePod> pods, UpgradeRules rules, UpgradeAdvice advice) {
        Set<NodePod> users = new java.util.HashSet<>();
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

    private static PodBlock block(NodePod pod, PodRemoval how, Function<ObjectRef, Optional<String>> refused) {
        if (pod.terminating()) {
            return new PodBlock(
                    pod.namespace(),
                    pod.name(),
                    pod.held() ? PodBlock.Reason.FINALIZER : PodBlock.Reason.TERMINATING,
                    "");
        }
        if (pod.controller().isEmpty() && !how.force()) {
            return new PodBlock(pod.namespace(), pod.name(), PodBlock.Reason.UNMANAGED, "");
        }
        if (pod.emptyDir() && !how.deleteEmptyDir()) {
            return new PodBlock(pod.namespace(), pod.name(), PodBlock.Reason.EMPTY_DIR, "");
        }
        Optional<String> why = refused.apply(new ObjectRef("v1", "Pod", pod.namespace(), pod.name()));
        return new PodBlock(
                pod.namespace(),
                pod.name(),
                why.isPresent() ? PodBlock.Reason.DISRUPTION_BUDGET : PodBlock.Reason.NONE,
                why.orElse(""));
    }
}
