package dev.sro.core.plan.upgrade;

import dev.sro.api.Outcome;
import dev.sro.api.resource.UpgradeMaintenance;
import dev.sro.core.manifest.AppliedDigest;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Operands;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.plan.UpgradeInput;
import dev.sro.core.upgrade.machine.NodeCheck;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The objects by which another operator is asked for cordon and drain, one a node. Stateless. */
final class UpgradeMaintenances {

    private static final int MAX_NAME = 253;

    private UpgradeMaintenances() {}

    /** How far the other operator is with a node. */
    static NodeCheck check(RolloutInput in, UpgradeInput upgrade, String node) {
        Optional<UpgradeMaintenance> asked = upgrade.rules().maintenance();
        if (asked.isEmpty()) {
            return NodeCheck.ABSENT;
        }
        ObjectRef ref = ref(in, asked.get(), node);
        Outcome unseen = in.unseenKinds().get(ref.kindKey());
        if (unseen instanceof Outcome.Failed failed) {
            return NodeCheck.waiting(failed.problem().message());
        }
        KubeObject live = in.owned().get(ref);
        if (live == null || live.terminating()) {
            return NodeCheck.ABSENT;
        }
        for (Map<String, Object> condition : live.maps("status", "conditions")) {
            if ("Ready".equals(ValueTrees.text(condition, "type"))) {
                String why = ValueTrees.text(condition, "reason") + ": " + ValueTrees.text(condition, "message");
                boolean ready = "True".equals(ValueTrees.text(condition, "status"));
                return ready ? NodeCheck.READY : NodeCheck.waiting(live.ref() + " is not Ready, " + why);
            }
        }
        return NodeCheck.waiting(live.ref() + " is not Ready");
    }

    /** What names the object of a node. */
    static ObjectRef ref(RolloutInput in, UpgradeMaintenance asked, String node) {
        String kind = String.valueOf(asked.getKind());
        int last = kind.lastIndexOf('/');
        String namespace = asked.getNamespace() == null ? Operands.namespace(in.resource()) : asked.getNamespace();
        String name = MetadataKeys.fit(in.resource().getMetadata().getName() + "-" + node, MAX_NAME);
        return new ObjectRef(kind.substring(0, last), kind.substring(last + 1), namespace, name);
    }

    /** The object that asks. */
    static KubeObject object(RolloutInput in, UpgradeInput upgrade, UpgradeMaintenance asked, String node) {
        ObjectRef ref = ref(in, asked, node);
        String name = in.resource().getMetadata().getName();
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("requestorID", asked.getRequestorId() == null ? "sro." + name : asked.getRequestorId());
        spec.put("nodeName", node);
        spec.put("cordon", true);
        upgrade.rules().policy("").drain().ifPresent(drain -> {
            Map<String, Object> how = new LinkedHashMap<>();
            how.put("force", drain.force());
            how.put("deleteEmptyDir", drain.deleteEmptyDir());
            how.put("timeoutSeconds", drain.timeout().toSeconds());
            if (!upgrade.rules().resources().isEmpty()) {
                how.put(
                        "podEvictionFilters",
                        upgrade.rules().resources().stream()
                                .map(resource -> Map.of("byResourceNameRegex", "^" + resource))
                                .toList());
            }
            spec.put("drainSpec", how);
        });
        Map<String, Object> tree = kept(in, ref, "maintenance");
        tree.put("spec", spec);
        return AppliedDigest.stamp(KubeObject.of(tree));
    }

    /** An object in which something of an upgrade is kept, without content. */
    static Map<String, Object> kept(RolloutInput in, ObjectRef ref, String what) {
        String name = in.resource().getMetadata().getName();
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", ref.name());
        metadata.put("namespace", ref.namespace());
        metadata.put(
                "labels",
                new TreeMap<>(Map.of(
                        MetadataKeys.OWNED,
                        "true",
                        MetadataKeys.SPECIAL_RESOURCE,
                        MetadataKeys.specialResourceLabel(name))));
        metadata.put("annotations", Map.of(MetadataKeys.UPGRADE, what, MetadataKeys.WAIT, "false"));
        Map<String, Object> owner = new LinkedHashMap<>();
        owner.put("apiVersion", in.resource().getApiVersion());
        owner.put("kind", in.resource().getKind());
        owner.put("name", name);
        owner.put("uid", in.uid());
        owner.put("controller", true);
        owner.put("blockOwnerDeletion", false);
        metadata.put("ownerReferences", List.of(owner));
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", ref.apiVersion());
        tree.put("kind", ref.kind());
        tree.put("metadata", metadata);
        return tree;
    }
}
