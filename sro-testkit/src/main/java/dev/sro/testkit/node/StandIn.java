package dev.sro.testkit.node;

import java.util.List;

/**
 * How an image starts that stands in for another one. Immutable.
 *
 * @param entry program that starts where a pod has no command, and its first arguments
 * @param environment variables of the image, as {@code NAME=value}
 */
public record StandIn(List<String> entry, List<String> environment) {
    /** Copies. */
    public StandIn {
        entry = List.copyOf(entry);
        environment = List.copyOf(environment);
    }

    /** Of an image whose pods all have a command. */
    public static StandIn withoutEntry() {
        return new StandIn(List.of("/bin/false"), List.of());
    }
}
