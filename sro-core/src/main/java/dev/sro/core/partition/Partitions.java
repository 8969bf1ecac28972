package dev.sro.core.partition;

import dev.sro.api.Problem;
import dev.sro.api.device.DeviceClassValue;
import dev.sro.api.device.Exposure;
import dev.sro.api.operation.Scheduling;
import dev.sro.api.resource.HardPartitioning;
import dev.sro.api.resource.PartitionToleration;
import dev.sro.api.resource.Partitioning;
import dev.sro.api.resource.SoftPartitioning;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.partition.Partition.Admission;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/** What a special resource and its recipe say of partitioning. Stateless. */
public final class Partitions {

    private Partitions() {}

    /** What the special resource says, in today's words. */
    static Partitioning said(SpecialResourceSpec spec) {
        Partitioning said = spec.getPartitioning();
        if (said != null && (said.getHard() != null || said.getSoft() != null)) {
            return said;
        }
        Optional<Partitioning> old = LegacyScheduling.convert(spec);
        if (old.isPresent() && said != null) {
            // The rest of today's fields goes with the old ones.
            old.get().setResources(said.getResources().isEmpty() ? null : said.getResources());
            old.get().setDeviceClasses(said.getDeviceClasses().isEmpty() ? null : said.getDeviceClasses());
            old.get().setAdmission(said.getAdmission());
            old.get().setTolerations(said.getTolerations().isEmpty() ? null : said.getTolerations());
        }
        return old.orElseGet(() -> said == null ? new Partitioning() : said);
    }

    /** What all pods of its operands tolerate, beside what the recipe says; for a special resource that was checked. */
    public static List<Map<String, Object>> operandTolerations(SpecialResource resource, Scheduling scheduling) {
        SpecialResourceSpec spec = resource.getSpec();
        if (spec == null) {
            return List.of();
        }
        Partitioning said = said(spec);
        return new Partition(
                        taints(said, scheduling),
                        List.of(),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        Admission.NONE,
                        tolerations(said))
                .operandTolerations();
    }

    /**
     * The partition of a special resource.
     *
     * @param resource which was checked
     * @throws RecipeFailure if the recipe gives no answer
     */
    public static Partition resolve(SpecialResource resource, Recipe recipe) {
        SpecialResourceSpec spec = resource.getSpec();
        if (spec == null) {
            return Partition.NONE;
        }
        Partitioning said = said(spec);
        List<TaintSpec> taints = taints(said, recipe.scheduling());
        List<PriorityClassSpec> classes = classes(said, recipe.scheduling());
        SoftPartitioning soft = said.getSoft();
        String defaultName = soft == null ? "" : soft.getDefaultClass();
        Optional<PriorityClassSpec> defaultClass =
                classes.stream().filter(each -> each.name().equals(defaultName)).findFirst();
        boolean asks = !taints.isEmpty() || !defaultName.isEmpty();
        Optional<Exposure> exposure = asks ? recipe.exposure() : Optional.empty();
        return new Partition(
                taints,
                classes,
                defaultClass,
                resources(said, exposure, taints),
                deviceClasses(said, exposure),
                admission(said),
                tolerations(said));
    }

    /** What of it does not fit the recipe. */
    public static List<Problem> check(SpecialResource resource, Recipe recipe, Partition partition) {
        List<Problem> problems = new ArrayList<>();
        SpecialResourceSpec spec = resource.getSpec();
        if (spec == null) {
            return problems;
        }
        Partitioning said = said(spec);
        boolean nobody = spec.getNodeSelector().isEmpty() && !recipe.findsDevices();
        if (nobody && !partition.taints().isEmpty()) {
            problems.add(Problem.user(
                    PartitionChecks.INVALID,
                    "spec.partitioning.hard: without spec.nodeSelector the taints would be on every node of the"
                            + " cluster, as the recipe does not know which of them have the device; set"
                            + " spec.nodeSelector"));
        }
        if (said.getHard() != null && partition.taints().isEmpty()) {
            problems.add(missing("spec.partitioning.hard", "taints"));
        }
        SoftPartitioning soft = said.getSoft();
        if (soft != null && partition.classes().isEmpty()) {
            problems.add(missing("spec.partitioning.soft", "priorityClasses"));
        }
        if (soft != null
                && !soft.getDefaultClass().isEmpty()
                && partition.defaultClass().isEmpty()) {
            problems.add(Problem.user(
                    PartitionChecks.INVALID,
                    "spec.partitioning.soft.defaultClass: \"" + soft.getDefaultClass() + "\" is none of the classes "
                            + partition.classes().stream()
                                    .map(PriorityClassSpec::name)
                                    .toList()));
        }
        if (partition.defaultClass().isPresent()
                && partition.resources().isEmpty()
                && partition.deviceClasses().isEmpty()) {
            problems.add(Problem.user(
                    PartitionChecks.INVALID,
                    "spec.partitioning.soft.defaultClass: it is not known how pods ask for the device; set"
                            + " spec.partitioning.resources or spec.partitioning.deviceClasses"));
        }
        return problems;
    }

    private static Problem missing(String path, String field) {
        return Problem.user(
                PartitionChecks.INVALID,
                path + ": says no " + field + ", and the recipe has none for it; set " + path + "." + field);
    }

    private static List<TaintSpec> taints(Partitioning said, Scheduling scheduling) {
        HardPartitioning hard = said.getHard();
        if (hard == null) {
            return List.of();
        }
        return hard.getTaints().isEmpty()
                ? scheduling.taints().stream()
                        .map(taint -> new TaintSpec(
                                taint.key(), taint.value(), taint.effect().word()))
                        .toList()
                : hard.getTaints().stream()
                        .map(taint -> new TaintSpec(
                                taint.getKey(),
                                taint.getValue(),
                                Objects.requireNonNullElse(taint.getEffect(), "NoSchedule")))
                        .toList();
    }

    private static List<PriorityClassSpec> classes(Partitioning said, Scheduling scheduling) {
        SoftPartitioning soft = said.getSoft();
        if (soft == null) {
            return List.of();
        }
        return soft.getPriorityClasses().isEmpty()
                ? new TreeMap<>(scheduling.priorityClasses())
                        .entrySet().stream()
                                .map(each -> new PriorityClassSpec(
                                        each.getKey(), each.getValue(), PriorityClassSpec.PREEMPTS, ""))
                                .toList()
                : soft.getPriorityClasses().stream()
                        .map(each -> new PriorityClassSpec(
                                each.getName(),
                                Objects.requireNonNullElse(each.getValue(), 0),
                                Objects.requireNonNullElse(each.getPreemptionPolicy(), PriorityClassSpec.PREEMPTS),
                                each.getDescription()))
                        .toList();
    }

    /** By the convention of Kubernetes' ExtendedResourceToleration the key of a taint is the name of the resource. */
    private static List<String> resources(Partitioning said, Optional<Exposure> exposure, List<TaintSpec> taints) {
        if (!said.getResources().isEmpty()) {
            return said.getResources();
        }
        List<String> exposed =
                new ArrayList<>(exposure.map(Exposure::resourceNames).orElse(List.of()));
        exposure.stream()
                .flatMap(each -> each.deviceClasses().stream())
                .flatMap(each -> each.extendedResource().stream())
                .forEach(exposed::add);
        if (!exposed.isEmpty() || !deviceClasses(said, exposure).isEmpty()) {
            return exposed;
        }
        return taints.stream()
                .map(TaintSpec::key)
                .filter(key -> key.contains("/"))
                .distinct()
                .toList();
    }

    private static List<String> deviceClasses(Partitioning said, Optional<Exposure> exposure) {
        return said.getDeviceClasses().isEmpty()
                ? exposure.map(Exposure::deviceClasses).orElse(List.of()).stream()
                        .map(DeviceClassValue::name)
                        .toList()
                : said.getDeviceClasses();
    }

    private static Admission admission(Partitioning said) {
        String word = said.getAdmission();
        return word == null ? Admission.AUTO : Admission.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private static List<Map<String, Object>> tolerations(Partitioning said) {
        return said.getTolerations().stream().map(Partitions::tree).toList();
    }

    private static Map<String, Object> tree(PartitionToleration toleration) {
        Map<String, Object> tree = new LinkedHashMap<>();
        put(tree, "key", toleration.getKey());
        put(tree, "operator", Objects.requireNonNullElse(toleration.getOperator(), ""));
        put(tree, "value", toleration.getValue());
        put(tree, "effect", toleration.getEffect());
        return tree;
    }

    private static void put(Map<String, Object> tree, String key, String value) {
        if (!value.isEmpty()) {
            tree.put(key, value);
        }
    }
}
