package dev.sro.core.upgrade.machine;

import dev.sro.api.operation.UpgradeAction;
import dev.sro.core.upgrade.machine.DriverPod.State;
import java.util.Optional;

/** What the facts of a node ask for, whatever phase it is in. */
final class NodeNeeds {

    private NodeNeeds() {}

    /** Whether an idle node wants to be upgraded. */
    static boolean upgrade(UpgradeNode node) {
        return node.requested() || node.safeLoadWaiting() || outdated(node) || reset(node);
    }

    /** Whether devices need a reset, so that their users have to go. */
    static boolean reset(UpgradeNode node) {
        return node.reset().due();
    }

    /** Whether the driver's pod runs what is not wanted. */
    static boolean outdated(UpgradeNode node) {
        return node.driver().state() == State.OUTDATED && !node.action().equals(Optional.of(UpgradeAction.NONE));
    }

    /** Whether the pod can be replaced under its users; of a node in progress. */
    static boolean restartOnly(UpgradeNode node) {
        return node.driver().state() == State.OUTDATED
                && !node.safeLoadWaiting()
                && node.action()
                        .filter(action -> action == UpgradeAction.RESTART_ONLY || action == UpgradeAction.NONE)
                        .isPresent();
    }

    static boolean reboot(UpgradeNode node) {
        return node.driver().state() == State.OUTDATED && node.action().equals(Optional.of(UpgradeAction.REBOOT));
    }

    /** Whether the driver is the wanted one and does its work. */
    static boolean satisfied(UpgradeNode node) {
        return node.driver().state() == State.CURRENT_READY && !node.safeLoadWaiting();
    }

    static boolean current(UpgradeNode node) {
        return node.driver().state() == State.CURRENT_READY || node.driver().state() == State.CURRENT_NOT_READY;
    }

    /** Whether somebody else keeps the node unschedulable. */
    static boolean cordonedByOthers(UpgradeNode node) {
        return node.cordoned() && !node.cordonedByUs();
    }
}
