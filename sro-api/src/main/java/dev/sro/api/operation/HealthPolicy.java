package dev.sro.api.operation;

import dev.sro.api.NodeFacts;
import dev.sro.api.NotActedOnYet;
import dev.sro.api.RecipeContext;
import java.util.List;
import java.util.Map;

/** Optional for a plugin: judges the health of devices and says what is done about it. */
@NotActedOnYet(until = "use the vendor's exporter with alerts, and a readiness probe in the device plugin")
public interface HealthPolicy {

    /** What is read. */
    List<HealthSignal> healthSignals(RecipeContext context);

    /**
     * How well the devices of a node are.
     *
     * @param node the node
     * @param signals values by name of the signal; one that could not be read is not in it
     */
    HealthVerdict judge(NodeFacts node, Map<String, String> signals);

    /** What is done about a node that is not healthy. */
    default Remediation remediation(NodeFacts node, HealthVerdict verdict) {
        return Remediation.none();
    }
}
