package dev.sro.core.plan;

import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.api.resource.UpgradeStatus;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether two statuses say the same: a list that is empty says no more than one that is absent, and which of the two an API server, or
 * whoever wrote before, keeps is nobody's business. To write the one over the other would change nothing, for ever. Stateless.
 */
final class StatusEquality {

    private StatusEquality() {}

    static boolean isSame(SpecialResourceStatus one, SpecialResourceStatus other) {
        return values(one).equals(values(other));
    }

    private static List<@Nullable Object> values(SpecialResourceStatus status) {
        return Arrays.asList(
                status.getState(),
                status.getObservedGeneration(),
                status.getConditions(),
                status.getManagedKinds(),
                status.getReadinessTaints(),
                status.getPartitionTaints(),
                status.getNodes(),
                status.getPoolCount(),
                status.getPools(),
                status.getStates(),
                status.getSamples(),
                upgrade(status.getUpgrade()),
                status.getAdditionalProperties());
    }

    private static List<@Nullable Object> upgrade(@Nullable UpgradeStatus upgrade) {
        return upgrade == null
                ? List.of()
                : Arrays.asList(
                        upgrade.getPhases(),
                        upgrade.getNodes(),
                        upgrade.getUpdated(),
                        upgrade.getWanted(),
                        upgrade.getTarget(),
                        upgrade.getLastGood(),
                        upgrade.getWave(),
                        upgrade.getState(),
                        upgrade.getMessage(),
                        upgrade.getSince(),
                        upgrade.getStuck(),
                        upgrade.getAdditionalProperties());
    }
}
