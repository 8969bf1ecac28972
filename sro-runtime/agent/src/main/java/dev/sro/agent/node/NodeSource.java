package dev.sro.agent.node;

import java.io.IOException;

/** What the Node says now. Thread-safe. */
@FunctionalInterface
public interface NodeSource {
    /**
     * What it says.
     *
     * @throws IOException if nobody could ever be asked
     */
    NodeFacts node() throws IOException;
}
