package dev.sro.core.manifest;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Problem;
import dev.sro.api.State;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.partition.AdmissionSettings;
import dev.sro.core.partition.Partition;
import dev.sro.core.partition.PodAdmission;
import dev.sro.core.partition.PodRules;
import dev.sro.core.partition.PriorityClassSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The objects of partitioning: priority classes, and what changes pods that ask for the device. They are a state of their own, which no
 * other state waits for. Stateless.
 */
public final class PartitionManifests {

    /** Id of the state. */
    public static final String STATE = "0000-partitioning";

    private static final int MAX_NAME = 240;

    private PartitionManifests() {}

    /**
     * The state; empty when there is nothing to make.
     *
     * @param owned what there is of the special resource
     */
    public static Optional<DesiredState> state(
            SpecialResource resource,
            Partition partition,
            AdmissionSettings settings,
            ClusterFacts cluster,
            Map<ObjectRef, KubeObject> owned) {
        List<Map<String, Object>> trees = new ArrayList<>();
        Map<String, Problem> problems = new LinkedHashMap<>();
        PodRules rules = safe(partition, owned);
        if (!rules.isEmpty()) {
            String name = String.valueOf(resource.getMetadata().getName());
            String object = MetadataKeys.fit("sro-partitioning-" + name, MAX_NAME);
            switch (admission(partition, settings, cluster)) {
                case POLICY ->
                    trees.addAll(PodAdmission.policies(
                            object, rules, settings, cluster.serves("resource.k8s.io/v1", "ResourceClaim")));
                case WEBHOOK ->
                    settings.webhook()
                            .ifPresentOrElse(
                                    target -> {
                                        if (!rules.resources().isEmpty()) {
                                            trees.add(PodAdmission.webhook(object, name, rules, settings, target));
                                        }
                                    },
                                    () -> problems.put("", noWebhook()));
                default -> {}
            }
        }
        partition.classes().forEach(wanted -> trees.add(priorityClass(wanted)));
        if (trees.isEmpty() && problems.isEmpty()) {
            return Optional.empty();
        }
        State state = State.builder().id(STATE).scope(State.Scope.CLUSTER).build();
        List<Desired> objects = trees.stream()
                .map(tree -> new Desired(owned(resource, tree), STATE, null))
                .toList();
        return Optional.of(new DesiredState(state, Set.of(), objects, Map.of(), problems));
    }

    /** What nobody does for pods that ask for the device, for the user; empty when all is done, or somebody else does it. */
    public static Optional<String> warning(Partition partition, AdmissionSettings settings, ClusterFacts cluster) {
        boolean left = partition.admission() == Partition.Admission.AUTO
                && !partition.podRules().isEmpty()
                && admission(partition, settings, cluster) == Partition.Admission.NONE;
        return left
                ? Optional.of("partitioning: nobody gives a toleration to pods that ask for "
                        + partition.resources()
                        + ": there is no MutatingAdmissionPolicy (Kubernetes 1.36) and no webhook of the operator;"
                        + " where ExtendedResourceToleration does it say spec.partitioning.admission: None")
                : Optional.empty();
    }

    private static Partition.Admission admission(
            Partition partition, AdmissionSettings settings, ClusterFacts cluster) {
        if (partition.admission() != Partition.Admission.AUTO) {
            return partition.admission();
        }
        if (cluster.serves(PodAdmission.VERSION, PodAdmission.POLICY)) {
            return Partition.Admission.POLICY;
        }
        return settings.webhook().isPresent() ? Partition.Admission.WEBHOOK : Partition.Admission.NONE;
    }

    private static Problem noWebhook() {
        return Problem.user(
                "NoAdmissionWebhook",
                "spec.partitioning.admission: Webhook, but the operator serves none; start it with --webhook-service,"
                        + " or say Policy or None");
    }

    /**
     * Without the default class as long as the class is not there like this: the API server refuses pods whose class it does not find,
     * or finds with another value.
     */
    private static PodRules safe(Partition partition, Map<ObjectRef, KubeObject> owned) {
        PodRules rules = partition.podRules();
        boolean there = rules.defaultClass()
                .filter(wanted -> {
                    KubeObject live = owned.get(ref(wanted));
                    return live != null
                            && !live.terminating()
                            && !PriorityClasses.isOther(KubeObject.of(priorityClass(wanted)), live);
                })
                .isPresent();
        return there
                ? rules
                : new PodRules(rules.resources(), rules.deviceClasses(), rules.tolerations(), Optional.empty());
    }

    private static ObjectRef ref(PriorityClassSpec wanted) {
        return new ObjectRef(PriorityClasses.VERSION, PriorityClasses.KIND, "", wanted.name());
    }

    private static Map<String, Object> priorityClass(PriorityClassSpec wanted) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", PriorityClasses.VERSION);
        tree.put("kind", PriorityClasses.KIND);
        tree.put("metadata", Map.of("name", wanted.name()));
        tree.put("value", wanted.value());
        tree.put("preemptionPolicy", wanted.preemptionPolicy());
        if (!wanted.description().isEmpty()) {
            tree.put("description", wanted.description());
        }
        return tree;
    }

    private static KubeObject owned(SpecialResource resource, Map<String, Object> made) {
        Map<String, Object> tree = ValueTrees.mutableCopy(made);
        String name = String.valueOf(resource.getMetadata().getName());
        Map<String, Object> labels = ValueTrees.ensureMap(tree, "metadata", "labels");
        labels.put(MetadataKeys.OWNED, "true");
        labels.put(MetadataKeys.SPECIAL_RESOURCE, MetadataKeys.specialResourceLabel(name));
        ValueTrees.ensureMap(tree, "metadata", "annotations").put(MetadataKeys.STATE, STATE);
        ValueTrees.ensureMap(tree, "metadata").put("ownerReferences", List.of(CoreHooks.reference(resource)));
        return AppliedDigest.stamp(KubeObject.of(tree));
    }
}
