package dev.sro.core.allocation;

import java.util.List;

/**
 * Pods that end so that a pod that waits, or all pods of a gang, have room, and where all of them go. Immutable.
 *
 * @param seats where those that wait have room then, in the order in which they were named
 * @param moves in an order in which the place of each is free once those before it, and its own pod, have ended
 * @param slices how many slices change their place
 * @param needed how many have to at least, as is proved: no plan moves fewer
 */
public record RoomPlan(List<Seat> seats, List<PodMove> moves, int slices, int needed) {
    /**
     * Room for one pod that waits.
     *
     * @param pod that waits
     * @param node where it has room
     * @param devices that it can have there
     */
    public record Seat(PodDemand pod, String node, List<PlacedDevice> devices) {
        /** Copies the list. */
        public Seat {
            devices = List.copyOf(devices);
        }
    }

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
        seats = List.copyOf(seats);
        moves = List.copyOf(moves);
    }

    /** Whether it is proved that no plan moves fewer slices. */
    public boolean fewest() {
        return slices <= needed;
    }

    /** The nodes on which room is made, sorted. */
    public List<String> nodes() {
        return seats.stream().map(Seat::node).distinct().sorted().toList();
    }

    RoomPlan proving(int atLeast) {
        return new RoomPlan(seats, moves, slices, atLeast);
    }
}
