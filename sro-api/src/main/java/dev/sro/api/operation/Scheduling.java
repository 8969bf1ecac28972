package dev.sro.api.operation;

import dev.sro.api.Checks;
import io.fabric8.kubernetes.api.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * Rules about the pods that come to the nodes of a device, and their priorities. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class Scheduling {

    Scheduling() {}

    /** Tolerations that every pod of the operands gets beside those of its manifest. */
    public abstract List<Toleration> tolerations();

    /** Taints that keep pods without a use for the device off its nodes. */
    public abstract List<NodeTaint> taints();

    /** A taint that new nodes carry until {@link #readyState()} is ready on them. */
    public abstract Optional<NodeTaint> readinessTaint();

    /** Id of the state whose readiness takes the readiness taint away; needed exactly when there is one. */
    public abstract Optional<String> readyState();

    /** Values of priority classes by name, from -1000000000 to 1000000000. */
    public abstract Map<String, Integer> priorityClasses();

    @Value.Check
    void check() {
        Checks.require(
                readinessTaint().isPresent() == readyState().isPresent(),
                "Scheduling.readyState",
                "a readiness taint and the state that takes it away belong together; set both or none");
        Checks.noDuplicates(
                "Scheduling.taints",
                taints().stream()
                        .map(taint -> taint.key() + ":" + taint.effect())
                        .toList());
        priorityClasses().forEach((name, value) -> {
            Checks.dnsSubdomain("Scheduling.priorityClasses", name);
            Checks.require(
                    !name.startsWith("system-"),
                    "Scheduling.priorityClasses",
                    "\"" + name + "\" must not begin with \"system-\", which Kubernetes keeps for itself");
            Checks.range("Scheduling.priorityClasses[" + name + "]", value, -1_000_000_000, 1_000_000_000);
        });
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link Scheduling}. Not thread-safe. */
    public static final class Builder extends ImmutableScheduling.Builder {
        Builder() {}
    }
}
