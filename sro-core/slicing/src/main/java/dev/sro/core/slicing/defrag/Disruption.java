package dev.sro.core.slicing.defrag;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The costs of moving instances. An instance of which nothing is said here costs 1. Pinned instances never move;
 * foreign ones are to be pinned. Immutable and thread-safe.
 */
public final class Disruption {
    private static final Disruption EQUAL = new Disruption(Map.of());

    /** The cost of what can not be moved. */
    static final long PINNED = Long.MAX_VALUE;

    private final Map<Integer, Map<Integer, Long>> costs;

    private Disruption(Map<Integer, Map<Integer, Long>> costs) {
        this.costs = Collections.unmodifiableMap(costs);
    }

    /** Every instance can be moved at a cost of 1. */
    public static Disruption equal() {
        return EQUAL;
    }

    /** A builder with nothing pinned. */
    public static Builder builder() {
        return new Builder();
    }

    /** Devices of which something is said, ascending, with costs by placement. */
    Map<Integer, Map<Integer, Long>> costs() {
        return costs;
    }

    /** Builds {@link Disruption}s; not thread-safe. */
    public static final class Builder {
        private final TreeMap<Integer, Map<Integer, Long>> costs = new TreeMap<>();

        private Builder() {}

        /** Never moves the instance with this placement on this device. */
        public Builder pin(int device, int placement) {
            return put(device, placement, PINNED);
        }

        /**
         * The cost of moving the instance with this placement on this device.
         *
         * @throws IllegalArgumentException if {@code cost} is not between 1 and 2<sup>40</sup>
         */
        public Builder cost(int device, int placement, long cost) {
            if (cost < 1 || cost > 1L << 40) {
                throw new IllegalArgumentException("cost " + cost + " is not between 1 and 2^40");
            }
            return put(device, placement, cost);
        }

        private Builder put(int device, int placement, long cost) {
            costs.computeIfAbsent(device, d -> new TreeMap<>()).put(placement, cost);
            return this;
        }

        /** The costs so far. */
        public Disruption build() {
            TreeMap<Integer, Map<Integer, Long>> copy = new TreeMap<>();
            costs.forEach((device, map) -> copy.put(device, new TreeMap<>(map)));
            return new Disruption(copy);
        }
    }
}
