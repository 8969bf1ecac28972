package dev.sro.core.driver;

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
        return byPool.values().stream().anyMatch(driver -> !driver.known() || state.isFor(driver));
    }

    /** That of a pool. */
    public PoolDriver of(String pool) {
        return byPool.getOrDefault(pool, PoolDriver.NONE);
    }
}
