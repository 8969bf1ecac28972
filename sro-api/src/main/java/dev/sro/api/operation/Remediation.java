package dev.sro.api.operation;

import dev.sro.api.Checks;
import java.util.List;
import java.util.Optional;
import org.immutables.value.Value;

/** What is done about a node whose devices are not well; steps one after the other until it is. Immutable. */
@Value.Immutable
@ValueStyle
public abstract class Remediation {

    Remediation() {}

    /** What can be done. */
    public enum Step {
        /** The pods of the operands on the node are restarted. */
        RESTART_OPERANDS,
        /** Users of the device go, and it is reset. */
        RESET_DEVICE,
        /** The node is drained. */
        DRAIN,
        /** The node is booted anew. */
        REBOOT,
        /** The workflow {@link Remediation#workflow()} is started. */
        WORKFLOW,
        /** A person is called. */
        CALL
    }

    /** One after the other; nothing is done when empty. */
    public abstract List<Step> steps();

    /** Name of the object that describes the workflow; needed exactly when it is a step. */
    public abstract Optional<String> workflow();

    /** Whether each step waits until a person allows it. */
    @Value.Default
    public boolean needsApproval() {
        return true;
    }

    /** How often a node may go through it in a day before a person is called. */
    @Value.Default
    public int maxPerDay() {
        return 3;
    }

    @Value.Check
    void check() {
        Checks.require(
                steps().contains(Step.WORKFLOW) == workflow().isPresent(),
                "Remediation.workflow",
                "name it exactly when WORKFLOW is a step");
        Checks.range("Remediation.maxPerDay", maxPerDay(), 1, 100);
    }

    /** Nothing is done. */
    public static Remediation none() {
        return builder().build();
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link Remediation}. Not thread-safe. */
    public static final class Builder extends ImmutableRemediation.Builder {
        Builder() {}
    }
}
