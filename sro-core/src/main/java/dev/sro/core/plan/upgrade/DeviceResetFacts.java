package dev.sro.core.plan.upgrade;

import dev.sro.api.Pool;
import dev.sro.api.Reach;
import dev.sro.api.operation.DeviceResets;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.plan.UpgradeInput;
import dev.sro.core.probe.PodFacts;
import dev.sro.core.upgrade.machine.DeviceReset;
import dev.sro.core.upgrade.machine.UpgradePhase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** What is said of resets that devices of nodes need, and who has to leave before. Lives for one plan. */
final class DeviceResetFacts {

    private final RolloutInput in;
    private final UpgradeInput upgrade;
    private final Optional<DeviceResets> resets;
    private final String manager;
    private final Function<ObservedNode, Optional<String>> first;

    /** @param first the state of a node that is the first to be away while its devices are reset; empty for none */
    DeviceResetFacts(RolloutInput in, UpgradeInput upgrade, Function<ObservedNode, Optional<String>> first) {
        this.in = in;
        this.upgrade = upgrade;
        this.first = first;
        this.resets = upgrade.rules().deviceResets();
        this.manager = MetadataKeys.nodeManager(in.resource().getMetadata().getName());
    }

    DeviceReset of(ObservedNode node, Pool pool) {
        if (resets.isEmpty()) {
            return DeviceReset.NONE;
        }
        DeviceResets rules = resets.get();
        Map<String, String> annotations = node.holds().annotations();
        SortedSet<String> needed = devices(annotations, rules.needed());
        SortedSet<String> failed = devices(annotations, rules.failed());
        failed.retainAll(needed);
        needed.removeAll(failed);
        boolean ours = node.holds().applied().getOrDefault(manager, Set.of()).contains(rules.order());
        String ordered = ours ? annotations.getOrDefault(rules.order(), "") : "";
        if (needed.isEmpty() && failed.isEmpty() && ordered.isEmpty()) {
            return DeviceReset.NONE;
        }
        boolean underway = UpgradePhase.DEVICE_RESET
                .label()
                .equals(node.facts().labels().get(upgrade.keys().state()));
        List<String> leaving = underway
                ? first.apply(node)
                        .map(from -> leaving(node, pool, from, rules.by()))
                        .orElse(List.of())
                : List.of();
        return new DeviceReset(needed, failed, ordered, "state " + rules.by(), leaving);
    }

    private static SortedSet<String> devices(Map<String, String> annotations, String key) {
        SortedSet<String> devices = new TreeSet<>();
        for (String device : annotations.getOrDefault(key, "").split(",", -1)) {
            if (!device.isBlank()) {
                devices.add(device.strip());
            }
        }
        return devices;
    }

    /** Pods on the node whose states are behind the first that is away, as far as they go by that, but for the one that resets. */
    private List<String> leaving(ObservedNode node, Pool pool, String from, String by) {
        List<String> leaving = new ArrayList<>();
        Set<String> gone = new HashSet<>();
        boolean behind = false;
        for (DesiredState desired : in.states()) {
            String id = desired.state().id();
            if (behind && !id.equals(by)) {
                objects(desired, pool)
                        .filter(object -> leaves(object, desired.state().reach(), gone))
                        .forEach(object -> addPods(leaving, object, node));
            }
            behind |= id.equals(from);
            if (behind && !id.equals(by)) {
                gone.add(MetadataKeys.stateLabel(
                        in.resource().getMetadata().getName(), desired.state().number()));
            }
        }
        return leaving;
    }

    private static Stream<KubeObject> objects(DesiredState desired, Pool pool) {
        return Stream.concat(desired.shared().stream(), desired.byPool().getOrDefault(pool.name(), List.of()).stream())
                .map(Desired::object)
                .filter(object -> object.ref().kind().equals("DaemonSet"));
    }

    private static boolean leaves(KubeObject object, Reach reach, Set<String> gone) {
        return reach.leavesWithDriver()
                || object.map("spec", "template", "spec", "nodeSelector").keySet().stream()
                        .anyMatch(gone::contains);
    }

    private void addPods(List<String> leaving, KubeObject wanted, ObservedNode node) {
        KubeObject live = in.owned().get(wanted.ref());
        if (live == null) {
            return;
        }
        for (PodFacts pod : in.podsOf(live)) {
            if (pod.node().equals(node.name())) {
                leaving.add("pod " + pod.namespace() + "/" + pod.name());
            }
        }
    }
}
