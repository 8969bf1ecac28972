package dev.sro.core.client;

import java.util.concurrent.Executor;

/** Something that an operator is started with, over what it is started with anyway. Stateless or thread-safe. */
@FunctionalInterface
public interface OperatorAdjustment {

    /**
     * Sets it.
     *
     * @param operator to set it on
     * @param blocking runs what would block
     */
    void adjust(ClientOperatorBuilder operator, Executor blocking);
}
