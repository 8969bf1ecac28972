package dev.sro.runtime.allocator;

import dev.sro.core.allocation.MovablePod;
import dev.sro.core.allocation.VacatableRoom;
import dev.sro.runtime.scheduler.NodeRoom;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;

/** What nodes have beside devices, as if pods had ended and others had come in their place. Not thread-safe. */
final class VacatedRoom implements VacatableRoom {
    private final NodeRoom room;
    private final Map<String, Pod> pods;

    /** @param pods that wait or may end, by UID */
    VacatedRoom(NodeRoom room, Map<String, Pod> pods) {
        this.room = room;
        this.pods = pods;
    }

    @Override
    public boolean take(String uid, String node) {
        Pod pod = pods.get(uid);
        if (pod == null || room.against(pod, node).isPresent()) {
            return false;
        }
        room.take(node, pod);
        return true;
    }

    @Override
    public void giveBack(String uid, String node) {
        Pod pod = pods.get(uid);
        if (pod != null) {
            room.giveBack(node, pod);
        }
    }

    @Override
    public Object left(String node) {
        return room.left(node);
    }

    @Override
    public void vacate(MovablePod pod) {
        giveBack(pod.next().uid(), pod.node());
    }

    @Override
    public void restore(MovablePod pod) {
        Pod found = pods.get(pod.next().uid());
        if (found != null) {
            room.take(pod.node(), found);
        }
    }
}
