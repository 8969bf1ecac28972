package dev.sro.core.upgrade.machine;

import dev.sro.api.operation.UpgradeAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** A node of the model: what the API server says of it, and how its pods behave. One driver for each special resource. */
final class SimNode {

    final String name;
    final Driver[] drivers;
    boolean adminCordon;
    boolean ready = true;
    int boot = 1;
    /** Ticks until it is Ready again after a reboot. */
    int booting;

    boolean skip;
    boolean dead;

    SimNode(String name, int resources) {
        this.name = name;
        this.drivers = new Driver[resources];
        for (int i = 0; i < resources; i++) {
            drivers[i] = new Driver();
        }
    }

    /** What belongs to one special resource on the node. */
    static final class Driver {
        String label = "";
        String note = "";
        boolean cordon;
        boolean requested;
        boolean safeLoad;
        boolean unknownAction;
        /** Revision of the pod; empty when there is none. */
        String revision = "";

        int pod;
        int restarts;
        boolean terminating;
        boolean orphaned;
        /** Ticks until the pod is ready. */
        int starting;
        /** Ticks until validation passes. */
        int validating;
        /** The driver with this revision does not start here. */
        String broken = "";

        boolean validationFails;
        int users;
        /** Ticks that a user's pod takes to end; 0 for one that has not been evicted. */
        int leaving;

        BlockingPod.Reason stuck = BlockingPod.Reason.NONE;
        int jobs;
        NodeCheck.State maintenance = NodeCheck.State.ABSENT;
        int writes;
        int deletions;
        int reboots;

        void newPod(String target, Random random) {
            revision = target;
            pod++;
            restarts = 0;
            terminating = false;
            orphaned = false;
            starting = 1 + random.nextInt(3);
            validating = 1 + random.nextInt(3);
        }

        boolean podReady() {
            return !revision.isEmpty() && !terminating && starting == 0;
        }
    }

    boolean unschedulable() {
        if (adminCordon) {
            return true;
        }
        for (Driver driver : drivers) {
            if (driver.cordon) {
                return true;
            }
        }
        return false;
    }

    boolean available() {
        return ready && !unschedulable();
    }

    UpgradeNode facts(int resource, String target, UpgradeAction action, boolean podsAlways) {
        Driver mine = drivers[resource];
        boolean progress =
                UpgradePhase.parse(mine.label).filter(UpgradePhase::inProgress).isPresent();
        boolean known = podsAlways || progress;
        UpgradeNode.Builder facts = UpgradeNode.builder()
                .name(name)
                .label(mine.label)
                .note(mine.note)
                .cordoned(unschedulable())
                .cordonedByUs(mine.cordon)
                .ready(ready)
                .bootId("boot-" + boot)
                .skip(skip)
                .requested(mine.requested)
                .safeLoadWaiting(mine.safeLoad)
                .driver(pod(mine, target))
                .action(mine.unknownAction ? Optional.empty() : Optional.of(action))
                .podsKnown(known)
                .maintenance(new NodeCheck(mine.maintenance, ""))
                .validation(validation(mine))
                .labels(Map.of("wave", name.equals("n0") ? "canary" : "rest"));
        if (known) {
            facts.jobs(pods(mine.jobs, "job", BlockingPod.Reason.RUNNING));
            BlockingPod.Reason reason =
                    mine.leaving > 0 && !mine.stuck.hopeless() ? BlockingPod.Reason.TERMINATING : mine.stuck;
            facts.users(pods(mine.users + mine.jobs, "user", reason));
            facts.drainPods(pods(
                    mine.users + mine.jobs,
                    "user",
                    mine.leaving > 0 ? BlockingPod.Reason.TERMINATING : BlockingPod.Reason.NONE));
        }
        if (resource == 1) {
            UpgradePhase other = UpgradePhase.parse(drivers[0].label).orElse(UpgradePhase.UNKNOWN);
            boolean first = other.inProgress() || other == UpgradePhase.REQUIRED;
            facts.holder(other.inProgress() ? Optional.of("r0") : Optional.empty())
                    .yields(first);
        } else if (drivers.length > 1) {
            UpgradePhase other = UpgradePhase.parse(drivers[1].label).orElse(UpgradePhase.UNKNOWN);
            facts.holder(other.inProgress() ? Optional.of("r1") : Optional.empty())
                    .awaited(drivers[1].cordon && !other.inProgress());
        }
        return facts.build();
    }

    private static NodeCheck validation(Driver mine) {
        if (!mine.podReady()) {
            return NodeCheck.waiting("");
        }
        if (mine.validationFails) {
            return NodeCheck.failed("wrong result");
        }
        return mine.validating == 0 ? NodeCheck.READY : NodeCheck.waiting("not yet");
    }

    private static DriverPod pod(Driver mine, String target) {
        if (mine.revision.isEmpty()) {
            return DriverPod.ABSENT;
        }
        DriverPod.State state = DriverPod.State.OUTDATED;
        if (mine.terminating) {
            state = DriverPod.State.TERMINATING;
        } else if (mine.orphaned) {
            state = DriverPod.State.ORPHANED;
        } else if (mine.revision.equals(target)) {
            state = mine.podReady() ? DriverPod.State.CURRENT_READY : DriverPod.State.CURRENT_NOT_READY;
        }
        return new DriverPod(state, "pod-" + mine.pod, mine.restarts, "");
    }

    private static List<BlockingPod> pods(int count, String prefix, BlockingPod.Reason reason) {
        if (count == 0) {
            return List.of();
        }
        List<BlockingPod> pods = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            pods.add(new BlockingPod("default", prefix + i, reason, ""));
        }
        return pods;
    }

    /** What happens by itself while a little time passes. */
    void tick(String[] targets, Random random) {
        if (booting > 0 && --booting == 0 && !dead) {
            ready = true;
        }
        for (int i = 0; i < drivers.length; i++) {
            tick(drivers[i], targets[i], random);
        }
    }

    private void tick(Driver mine, String target, Random random) {
        if (mine.jobs > 0 && random.nextInt(3) == 0) {
            mine.jobs--;
        }
        if (!ready) {
            return;
        }
        if (mine.leaving > 0 && --mine.leaving == 0) {
            mine.users = 0;
        }
        if (mine.terminating || mine.revision.isEmpty()) {
            mine.newPod(target, random);
        } else if (mine.starting > 0 && !mine.safeLoad) {
            if (mine.revision.equals(mine.broken)) {
                mine.restarts += 2;
            } else {
                mine.starting--;
            }
        } else if (mine.validating > 0) {
            mine.validating--;
        }
        if (mine.maintenance == NodeCheck.State.WAITING && random.nextBoolean()) {
            mine.maintenance = NodeCheck.State.READY;
            mine.users = 0;
        }
    }

    void reboot() {
        boot++;
        ready = false;
        booting = 1 + 1;
        for (Driver driver : drivers) {
            driver.starting = Math.max(1, driver.starting);
            driver.validating = Math.max(1, driver.validating);
            driver.users = 0;
            driver.leaving = 0;
        }
    }
}
