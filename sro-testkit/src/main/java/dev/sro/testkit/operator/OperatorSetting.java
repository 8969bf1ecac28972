package dev.sro.testkit.operator;

import dev.sro.core.client.ClientOperator;
import java.util.concurrent.Executor;

/** Something that an operator is started with. */
@FunctionalInterface
interface OperatorSetting {

    /**
     * @param operator to set it on
     * @param workers runs what would block
     */
    void set(ClientOperator.Builder operator, Executor workers);
}
