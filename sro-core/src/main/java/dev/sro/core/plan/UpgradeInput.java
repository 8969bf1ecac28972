package dev.sro.core.plan;

import dev.sro.core.manifest.Desired;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.upgrade.cluster.DriverRevisions;
import dev.sro.core.upgrade.machine.Journal;
import dev.sro.core.upgrade.machine.UpgradePhase;
import dev.sro.core.upgrade.policy.UpgradeKeys;
import dev.sro.core.upgrade.policy.UpgradeRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the upgrade of a driver depends on, beside the rest of a plan's input. Immutable.
 *
 * @param rules of the special resource
 * @param keys names of its labels and annotations
 * @param wanted identity of the driver that the recipe has
 * @param target identity of the driver in effect, by which the desired objects are made
 * @param drivers DaemonSets that carry the driver in effect
 * @param recipe the same, as the recipe has them
 * @param journal as last written
 * @param journalProblems what could not be read of it
 * @param journalRef the object in which it is
 * @param revisions as last written
 * @param revisionsRef the object in which they are
 * @param awaited nodes on which another special resource goes first and still has to begin
 * @param followers field managers of special resources that wait for this one
 * @param oneNode whether the cluster has one node only, so that pods have nowhere else to go
 */
public record UpgradeInput(
        UpgradeRules rules,
        UpgradeKeys keys,
        String wanted,
        String target,
        List<Desired> drivers,
        List<Desired> recipe,
        Journal journal,
        List<String> journalProblems,
        ObjectRef journalRef,
        DriverRevisions revisions,
        ObjectRef revisionsRef,
        Map<String, String> awaited,
        Set<String> followers,
        boolean oneNode) {

    /** Phases in which it matters which pods are on the node. */
    private static final Set<String> WITH_PODS = Stream.of(UpgradePhase.values())
            .filter(UpgradePhase::inProgress)
            .filter(phase -> phase != UpgradePhase.VALIDATION && phase != UpgradePhase.UNCORDON)
            .map(UpgradePhase::label)
            .collect(Collectors.toUnmodifiableSet());

    /** Copies the collections. */
    public UpgradeInput {
        drivers = List.copyOf(drivers);
        recipe = List.copyOf(recipe);
        journalProblems = List.copyOf(journalProblems);
        awaited = Map.copyOf(awaited);
        followers = Set.copyOf(followers);
    }

    /** Phases in which the pods of a node matter. */
    public static Set<String> phasesWithPods() {
        return WITH_PODS;
    }

    /** What an object in which an upgrade is kept is: {@code journal}, {@code revisions} or {@code maintenance}. */
    public static Optional<String> kept(KubeObject live) {
        return live.annotation(dev.sro.core.model.MetadataKeys.UPGRADE);
    }
}
