package dev.sro.core.partition;

import dev.sro.api.Problem;
import dev.sro.api.resource.HardPartitioning;
import dev.sro.api.resource.LocalReference;
import dev.sro.api.resource.PartitionPriorityClass;
import dev.sro.api.resource.PartitionTaint;
import dev.sro.api.resource.Partitioning;
import dev.sro.api.resource.PriorityClassObject;
import dev.sro.api.resource.SoftPartitioning;
import dev.sro.api.resource.SpecialResourceSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * {@code schedulingType}, {@code taints} and {@code priorityClasses} as special resources of SRO v1 have them, where each type excludes
 * the other and fields of the other type do nothing. Stateless.
 */
final class LegacyScheduling {

    /** The types, with the spellings of v1's constants, which its code did not compare with. */
    private static final Map<String, String> TYPES = Map.of(
            "TaintsTolerations", "TaintsTolerations",
            "TaintsToleration", "TaintsTolerations",
            "PriorityPreemption", "PriorityPreemption",
            "PrioriyPreemption", "PriorityPreemption");

    private LegacyScheduling() {}

    /** The same in today's words; empty when nothing is asked for. */
    static Optional<Partitioning> convert(SpecialResourceSpec spec) {
        String type = TYPES.getOrDefault(spec.getSchedulingType(), "");
        if (type.isEmpty()) {
            return Optional.empty();
        }
        Partitioning partitioning = new Partitioning();
        if (type.equals("TaintsTolerations")) {
            HardPartitioning hard = new HardPartitioning();
            hard.setTaints(spec.getTaints().isEmpty() ? null : spec.getTaints());
            partitioning.setHard(hard);
        } else {
            SoftPartitioning soft = new SoftPartitioning();
            soft.setPriorityClasses(
                    spec.getPriorityClasses().isEmpty()
                            ? null
                            : spec.getPriorityClasses().stream()
                                    .map(LegacyScheduling::simple)
                                    .toList());
            partitioning.setSoft(soft);
        }
        return Optional.of(partitioning);
    }

    private static PartitionPriorityClass simple(PriorityClassObject whole) {
        PartitionPriorityClass simple = new PartitionPriorityClass();
        LocalReference metadata = whole.getMetadata();
        simple.setName(metadata == null ? "" : metadata.getName());
        simple.setValue(whole.getValue());
        simple.setPreemptionPolicy(whole.getPreemptionPolicy());
        simple.setDescription(whole.getDescription());
        simple.setGlobalDefault(whole.getGlobalDefault());
        return simple;
    }

    /** What the old fields and the new ones say differently. */
    static Optional<Problem> contradiction(SpecialResourceSpec spec) {
        Partitioning said = spec.getPartitioning();
        boolean none = spec.getSchedulingType().equals("None");
        if (said == null || (said.getHard() == null && said.getSoft() == null)) {
            return Optional.empty();
        }
        Optional<Partitioning> old = convert(spec);
        boolean same = old.isEmpty()
                ? !none
                : Objects.equals(taints(old.get()), taints(said)) && Objects.equals(classes(old.get()), classes(said));
        return same
                ? Optional.empty()
                : Optional.of(Problem.user(
                        "InvalidPartitioning",
                        "spec.schedulingType: " + spec.getSchedulingType()
                                + " and spec.partitioning say different things; remove schedulingType, taints and"
                                + " priorityClasses, which are older"));
    }

    private static Optional<List<String>> taints(Partitioning said) {
        HardPartitioning hard = said.getHard();
        return Optional.ofNullable(hard)
                .map(each -> each.getTaints().stream()
                        .map(LegacyScheduling::text)
                        .sorted()
                        .toList());
    }

    private static String text(PartitionTaint taint) {
        return taint.getKey() + "=" + taint.getValue() + ":"
                + Objects.requireNonNullElse(taint.getEffect(), "NoSchedule");
    }

    private static Optional<List<String>> classes(Partitioning said) {
        SoftPartitioning soft = said.getSoft();
        return Optional.ofNullable(soft)
                .map(each -> each.getPriorityClasses().stream()
                        .map(one -> one.getName() + "=" + one.getValue() + " "
                                + Objects.requireNonNullElse(one.getPreemptionPolicy(), PriorityClassSpec.PREEMPTS))
                        .sorted()
                        .toList());
    }
}
