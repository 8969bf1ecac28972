package dev.sro.core.partition;

import dev.sro.api.Checks;
import dev.sro.api.Problem;
import dev.sro.api.resource.HardPartitioning;
import dev.sro.api.resource.PartitionPriorityClass;
import dev.sro.api.resource.PartitionTaint;
import dev.sro.api.resource.Partitioning;
import dev.sro.api.resource.ReadinessTaint;
import dev.sro.api.resource.SoftPartitioning;
import dev.sro.api.resource.SpecialResourceSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What can be wrong with {@code spec.partitioning}, and with what SRO v1 had for it, whatever the recipe is. Stateless. */
public final class PartitionChecks {

    /** The problem code. */
    static final String INVALID = "InvalidPartitioning";

    private static final int MOST = 1_000_000_000;

    private PartitionChecks() {}

    /** All that is wrong. */
    public static List<Problem> check(SpecialResourceSpec spec) {
        List<Problem> problems = new ArrayList<>();
        LegacyScheduling.contradiction(spec).ifPresent(problems::add);
        Partitioning said = Partitions.said(spec);
        boolean old = spec.getPartitioning() == null;
        HardPartitioning hard = said.getHard();
        if (hard != null) {
            taints(problems, old ? "spec.taints" : "spec.partitioning.hard.taints", hard, spec);
        }
        SoftPartitioning soft = said.getSoft();
        if (soft != null) {
            classes(problems, old ? "spec.priorityClasses" : "spec.partitioning.soft.priorityClasses", soft);
        }
        said.getResources()
                .forEach(name -> checked(
                        problems,
                        () -> Checks.ownedName(
                                "spec.partitioning.resources",
                                name.endsWith("*") ? name.substring(0, name.length() - 1) + "x" : name)));
        said.getDeviceClasses()
                .forEach(name -> checked(problems, () -> Checks.dnsSubdomain("spec.partitioning.deviceClasses", name)));
        return problems;
    }

    private static void taints(List<Problem> problems, String path, HardPartitioning hard, SpecialResourceSpec spec) {
        Set<String> seen = new HashSet<>();
        ReadinessTaint readiness = spec.getReadinessTaint();
        if (readiness != null) {
            seen.add(readiness.getKey() + ":" + Objects.requireNonNullElse(readiness.getEffect(), "NoSchedule"));
        }
        for (PartitionTaint taint : hard.getTaints()) {
            String key = taint.getKey();
            checked(problems, () -> Checks.qualifiedName(path + "[].key", key));
            if (isKubernetes(key)) {
                problems.add(Problem.user(
                        INVALID,
                        path + "[].key: \"" + key + "\" belongs to Kubernetes, which sets and removes it itself; use"
                                + " another key, such as the name of the extended resource"));
            }
            String effect = Objects.requireNonNullElse(taint.getEffect(), "NoSchedule");
            if (!seen.add(key + ":" + effect)) {
                problems.add(Problem.user(
                        INVALID,
                        path + ": " + key + ":" + effect + " is there twice, or it is the readiness taint; a node can"
                                + " have one taint of each key and effect"));
            }
        }
    }

    private static boolean isKubernetes(String key) {
        String domain = key.contains("/") ? key.substring(0, key.indexOf('/')) : "";
        return domain.equals("kubernetes.io") || domain.endsWith(".kubernetes.io");
    }

    private static void classes(List<Problem> problems, String path, SoftPartitioning soft) {
        Set<String> seen = new HashSet<>();
        for (PartitionPriorityClass each : soft.getPriorityClasses()) {
            String name = each.getName();
            checked(problems, () -> Checks.dnsSubdomain(path + "[].name", name));
            if (name.startsWith("system-")) {
                problems.add(Problem.user(
                        INVALID,
                        path + "[].name: \"" + name
                                + "\" must not begin with \"system-\", which Kubernetes keeps for itself"));
            }
            Integer value = each.getValue();
            if (value == null || value > MOST || value < -MOST) {
                problems.add(Problem.user(
                        INVALID,
                        path + "[" + name + "].value: " + (value == null ? "missing" : value)
                                + "; it has to be a number from -1000000000 to 1000000000"));
            }
            if (Boolean.TRUE.equals(each.getGlobalDefault())) {
                problems.add(Problem.user(
                        INVALID,
                        path + "[" + name + "].globalDefault: would give the class to all pods of the cluster; remove"
                                + " it, and use spec.partitioning.soft.defaultClass for pods that ask for the device"));
            }
            if (!seen.add(name)) {
                problems.add(Problem.user(INVALID, path + ": \"" + name + "\" is there twice; remove one"));
            }
        }
    }

    private static void checked(List<Problem> problems, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException e) {
            problems.add(Problem.user(INVALID, String.valueOf(e.getMessage())));
        }
    }
}
