package dev.sro.core.allocation;

import java.util.List;

/**
 * Pods that end so that one that waits has room, and where all of them go. Immutable.
 *
 * @param node where the one that waits has room then
 * @param room its devices
 * @param moves in an order in which the place of each is free once those before it, and its own pod, have ended
 * @param slices how many slices change their place
 * @param fewest whether it is proved that no plan moves fewer slices
 */
public record RoomPlan(String node, List<PlacedDevice> room, List<PodMove> moves, int slices, boolean fewest) {
    /**
     * One pod that ends.
     *
     * @param pod that ends
     * @param node where the one in its place goes
     * @param to its devices; their claims are named as those of the pod that ends
     */
    public record PodMove(MovablePod pod, String node, List<PlacedDevice> to) {
        /** Copies the list. */
        public PodMove {
            to = List.copyOf(to);
        }
    }

    /** Copies the lists. */
    public RoomPlan {
        room = List.copyOf(room);
        moves = List.copyOf(moves);
    }
}
