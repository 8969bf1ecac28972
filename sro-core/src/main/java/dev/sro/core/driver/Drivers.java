package dev.sro.core.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The drivers of all pools of a special resource, and the states that SRO makes of them. Immutable; equal values mean that nothing
 * is to be rendered anew.
 *
 * @param states in front of those of the recipe, in this order
 * @param byPool by name of the pool; a pool of which nothing is said need not be in it
 */
public record Drivers(List<DriverState> states, Map<String, PoolDriver> byPool) {

    /** Nothing is said of drivers. */
    public static final Drivers NONE = new Drivers(List.of(), Map.of());

    /** Copies. */
    public Drivers {
        states = List.copyOf(states);
        byPool = Map.copyOf(byPool);
    }

    /** Whether any pool has this state, or may have it for all that is known. */
    public boolean has(DriverState state) {
        return state.isIn(this);
    }

    /** The same with one state more, behind the others. */
    public Drivers and(DriverState state) {
        List<DriverState> all = new ArrayList<>(states);
        all.add(state);
        return new Drivers(all, byPool);
    }

    /** That of a pool. */
    public PoolDriver of(String pool) {
        return byPool.getOrDefault(pool, PoolDriver.NONE);
    }
}
