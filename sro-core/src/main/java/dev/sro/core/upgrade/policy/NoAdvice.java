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

/** The advice of a recipe that has none. */
final class NoAdvice implements UpgradeAdvice {

    @Override
    public Optional<UpgradeStrategy> strategy() {
        return Optional.empty();
    }

    @Override
    public UpgradeAction action(DriverSet running, DriverSet desired, NodeFacts node) {
        return UpgradeAction.FULL;
    }

    @Override
    public Optional<Problem> incompatibility(DriverSet running, DriverSet desired) {
        return Optional.empty();
    }

    @Override
    public Optional<List<Boolean>> usesDevice(List<PodUse> pods) {
        return Optional.empty();
    }

    @Override
    public Optional<UpgradePolicy.Verdict> classify(Problem problem) {
        return Optional.empty();
    }
}
