package dev.sro.runtime.allocator;

import dev.sro.core.allocation.AllocationSearch;
import dev.sro.runtime.scheduler.NodeRoom;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;

/** What nodes have beside devices, for the pods of one unit. Those that are bound are counted already. Not thread-safe. */
final class ClaimedRoom implements AllocationSearch.Room {
    private final NodeRoom room;
    private final Map<String, Pod> pods;

    /** @param pods by UID */
    ClaimedRoom(NodeRoom room, Map<String, Pod> pods) {
        this.room = room;
        this.pods = pods;
    }

    @Override
    public boolean take(String uid, String node) {
        Pod pod = pods.get(uid);
        if (pod == null || !AllocationMarks.node(pod).isEmpty()) {
            return true;
        }
        if (room.against(pod, node).isPresent()) {
            return false;
        }
        room.take(node, pod);
        return true;
    }

    @Override
    public void giveBack(String uid, String node) {
        Pod pod = pods.get(uid);
        if (pod != null && AllocationMarks.node(pod).isEmpty()) {
            room.giveBack(node, pod);
        }
    }

    @Override
    public Object left(String node) {
        return room.left(node);
    }
}
