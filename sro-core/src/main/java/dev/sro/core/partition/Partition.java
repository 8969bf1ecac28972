package dev.sro.core.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the nodes of a special resource are partitioned. Immutable.
 *
 * @param taints of the nodes, for the hard way; empty without it
 * @param classes priority classes, for the soft way; empty without it
 * @param defaultClass the one of them for pods that ask for the device and name none
 * @param resources names of extended resources by which pods ask for the device; one that ends with {@code *} stands for all that begin
 *     like it
 * @param deviceClasses by which claims of pods ask for the device
 * @param admission who changes such pods
 * @param tolerations that all pods of the special resource have besides, as in the spec of a pod
 */
public record Partition(
        List<TaintSpec> taints,
        List<PriorityClassSpec> classes,
        Optional<PriorityClassSpec> defaultClass,
        List<String> resources,
        List<String> deviceClasses,
        Admission admission,
        List<Map<String, Object>> tolerations) {

    /** Who changes pods that ask for the device. */
    public enum Admission {
        /** The first of the other two that there is. */
        AUTO,
        /** A MutatingAdmissionPolicy. */
        POLICY,
        /** The operator's webhook. */
        WEBHOOK,
        /** Not SRO. */
        NONE
    }

    /** None at all. */
    public static final Partition NONE =
            new Partition(List.of(), List.of(), Optional.empty(), List.of(), List.of(), Admission.AUTO, List.of());

    /** Copies the lists. */
    public Partition {
        taints = List.copyOf(taints);
        classes = List.copyOf(classes);
        resources = List.copyOf(resources);
        deviceClasses = List.copyOf(deviceClasses);
        tolerations = List.copyOf(tolerations);
    }

    /** What all operands tolerate. */
    public List<Map<String, Object>> operandTolerations() {
        List<Map<String, Object>> all = new ArrayList<>(tolerations);
        taints.stream()
                .map(TaintSpec::toleration)
                .filter(toleration -> !all.contains(toleration))
                .forEach(all::add);
        return all;
    }

    /** The taints as texts, {@code key=value:Effect}. */
    public List<String> taintTexts() {
        return taints.stream().map(TaintSpec::text).toList();
    }

    /** What pods that ask for the device get. */
    public PodRules podRules() {
        List<String> names = new ArrayList<>(resources);
        // The name under which Kubernetes offers each class as an extended resource.
        deviceClasses.forEach(name -> names.add("deviceclass.resource.kubernetes.io/" + name));
        return new PodRules(
                names, deviceClasses, taints.stream().map(TaintSpec::toleration).toList(), defaultClass);
    }
}
