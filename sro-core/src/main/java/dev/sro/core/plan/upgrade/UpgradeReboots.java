package dev.sro.core.plan.upgrade;

import dev.sro.api.Problem;
import dev.sro.api.resource.UpgradeReboot;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.AppliedDigest;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Operands;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.UpgradeInput;
import dev.sro.core.plan.Write;
import dev.sro.core.probe.NodePod;
import dev.sro.core.upgrade.cluster.DriverRevisions;
import dev.sro.core.upgrade.machine.Journal;
import dev.sro.core.upgrade.machine.JournalEntry;
import dev.sro.core.upgrade.machine.UpgradePhase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pods by which SRO boots nodes, one a node, where it is to do that itself. Stateless. */
final class UpgradeReboots {

    private static final String KEPT = "reboot";
    private static final int MAX_NAME = 63;

    /** The kubelet starts a pod again that it does not know to have ended; the boot after is not to be left, too. */
    private static final String SCRIPT =
            "[ \"$(cat /proc/sys/kernel/random/boot_id)\" = \"$SRO_BOOT\" ] || exit 0; exec chroot /host \"$@\"";

    private static final List<Object> COMMAND = List.of("systemctl", "reboot");

    private UpgradeReboots() {}

    private static ObjectRef ref(RolloutInput in, String node) {
        String name = in.resource().getMetadata().getName();
        return new ObjectRef(
                "v1", "Pod", Operands.namespace(in.resource()), MetadataKeys.fit(name + "-reboot-" + node, MAX_NAME));
    }

    /**
     * The pod that boots a node.
     *
     * @param driver what carries the driver: its image comes to the node anyway, and its account may be privileged
     * @param bootId that is left behind; in another one the pod does nothing
     */
    static KubeObject pod(RolloutInput in, UpgradeReboot how, KubeObject driver, String node, String bootId) {
        Map<String, Object> tree = UpgradeMaintenances.kept(in, ref(in, node), KEPT);
        Map<String, Object> template = DriverRevisions.template(driver);
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("nodeName", node);
        spec.put("restartPolicy", "Never");
        spec.put("hostPID", true);
        spec.put("automountServiceAccountToken", false);
        spec.put("priorityClassName", "system-node-critical");
        spec.put("tolerations", List.of(Map.of("operator", "Exists")));
        Map<String, Object> source = ValueTrees.map(template, "spec");
        for (String key : List.of("serviceAccountName", "imagePullSecrets")) {
            if (source.containsKey(key)) {
                spec.put(key, source.get(key));
            }
        }
        spec.put("containers", List.of(container(how, template, bootId)));
        spec.put("volumes", List.of(Map.of("name", "host", "hostPath", Map.of("path", "/", "type", "Directory"))));
        tree.put("spec", spec);
        return AppliedDigest.stamp(KubeObject.of(tree));
    }

    private static Map<String, Object> container(UpgradeReboot how, Map<String, Object> template, String bootId) {
        List<Object> command = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "sro"));
        command.addAll(how.getCommand().isEmpty() ? COMMAND : how.getCommand());
        Map<String, Object> container = new LinkedHashMap<>();
        container.put("name", KEPT);
        container.put("image", how.getImage() == null ? UpgradeRequirements.image(template) : how.getImage());
        container.put("command", command);
        container.put("env", List.of(Map.of("name", "SRO_BOOT", "value", bootId)));
        container.put("terminationMessagePolicy", "FallbackToLogsOnError");
        container.put(
                "resources",
                Map.of("requests", Map.of("cpu", "5m", "memory", "16Mi"), "limits", Map.of("memory", "64Mi")));
        container.put("securityContext", Map.of("privileged", true, "runAsUser", 0));
        container.put("volumeMounts", List.of(Map.of("name", "host", "mountPath", "/host")));
        return container;
    }

    /** Whether it is one of them. */
    static boolean isOne(RolloutInput in, NodePod pod) {
        KubeObject live = in.owned().get(new ObjectRef("v1", "Pod", pod.namespace(), pod.name()));
        return live != null && live.uid().equals(pod.uid()) && isOne(live);
    }

    private static boolean isOne(KubeObject live) {
        return live.ref().kind().equals("Pod")
                && UpgradeInput.kept(live).filter(KEPT::equals).isPresent();
    }

    /** Why the node's pod boots nothing; empty when there is none, or nothing is known to be wrong. */
    static String problem(RolloutInput in, String node) {
        ObjectRef ref = ref(in, node);
        Optional<Problem> refused = in.refusals().problem(ref);
        if (refused.isPresent()) {
            return refused.get().message();
        }
        KubeObject live = in.owned().get(ref);
        if (live == null) {
            return "";
        }
        for (Map<String, Object> status : live.maps("status", "containerStatuses")) {
            Map<String, Object> waiting = ValueTrees.map(status, "state", "waiting");
            Map<String, Object> ended = ValueTrees.map(status, "state", "terminated");
            String why = ValueTrees.text(waiting, "message") + ValueTrees.text(ended, "message");
            String reason = ValueTrees.text(waiting, "reason") + ValueTrees.text(ended, "reason");
            if (!reason.equals("ContainerCreating") && !reason.equals("Completed") && !reason.isEmpty()) {
                return live.ref() + " is " + reason + (why.isEmpty() ? "" : ": " + why.strip());
            }
        }
        return "";
    }

    /** The deletion of those whose node is to boot no more, or has. */
    static List<Write> done(RolloutInput in, UpgradeInput upgrade, Journal journal) {
        List<Write> writes = new ArrayList<>();
        for (KubeObject live : in.owned().values()) {
            if (!isOne(live) || live.terminating()) {
                continue;
            }
            String node = ValueTrees.text(live.map("spec"), "nodeName");
            JournalEntry entry = journal.entries().get(node);
            ObservedNode observed = in.nodes().get(node);
            boolean due = upgrade.rules().rebooter().isPresent()
                    && observed != null
                    && entry != null
                    && entry.phase() == UpgradePhase.REBOOT
                    && entry.bootId().equals(observed.facts().bootId());
            if (!due) {
                writes.add(new Write.Delete(
                        live.ref(), live.uid(), false, "", "", "node " + node + " is not to boot any more"));
            }
        }
        return writes;
    }
}
