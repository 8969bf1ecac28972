package dev.sro.core.upgrade.policy;

import dev.sro.api.NodeFacts;
import dev.sro.api.Problem;
import dev.sro.api.operation.DriverSet;
import dev.sro.api.operation.PodUse;
import dev.sro.api.operation.UpgradeAction;
import dev.sro.api.operation.UpgradePolicy;
import dev.sro.api.operation.UpgradeStrategy;
import java.util.List;
import java.util.Optional;

/** What a recipe says of upgrades of its driver; a plugin is asked through the guard. Implementations are thread-safe. */
public interface UpgradeAdvice {

    /** How it goes from node to node; empty when the recipe does not say. Throws what the guard throws. */
    Optional<UpgradeStrategy> strategy();

    /** What a change asks of a node. Throws what the guard throws. */
    UpgradeAction action(DriverSet running, DriverSet desired, NodeFacts node);

    /** Why one driver cannot follow the other. Throws what the guard throws. */
    Optional<Problem> incompatibility(DriverSet running, DriverSet desired);

    /** Which of these pods use the device; empty when the recipe does not say. Throws what the guard throws. */
    Optional<List<Boolean>> usesDevice(List<PodUse> pods);

    /** What to do about a problem on a node; empty when the recipe does not say. Throws what the guard throws. */
    Optional<UpgradePolicy.Verdict> classify(Problem problem);

    /** A recipe that says nothing: every change is a whole one. */
    static UpgradeAdvice none() {
        return new NoAdvice();
    }
}
