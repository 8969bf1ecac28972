package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Validation of PriorityClasses ({@code pkg/apis/scheduling/validation}). Stateless. */
final class PriorityClassValidation {
    /** {@code HighestUserDefinablePriority}. */
    private static final long HIGHEST = 1_000_000_000;

    private static final String SYSTEM = "system-";

    /** Those that a cluster comes with. */
    private static final Map<String, Integer> OF_SYSTEM =
            Map.of("system-node-critical", 2_000_001_000, "system-cluster-critical", 2_000_000_000);

    private PriorityClassValidation() {}

    static List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old) {
        Checks checks = new Checks(new ArrayList<>());
        if (old != null) {
            // What may not change is no business of this.
            return checks.errors();
        }
        String name = JsonTree.text(object.path("metadata"), "name");
        if (name.startsWith(SYSTEM)) {
            String fault = systemFault(name, object);
            if (!fault.isEmpty()) {
                checks.forbidden(
                        "metadata.name",
                        "priority class names with '" + SYSTEM + "' prefix are reserved for system use only. error: "
                                + fault);
            }
        } else if (object.path("value").asLong() > HIGHEST) {
            checks.forbidden("value", "maximum allowed value of a user defined priority is " + HIGHEST);
        }
        checks.oneOf(object, "preemptionPolicy", "", "PreemptLowerPriority", "Never");
        return checks.errors();
    }

    private static String systemFault(String name, ObjectNode object) {
        Integer value = OF_SYSTEM.get(name);
        if (value == null) {
            return name + " is not a known system priority class";
        }
        if (object.path("value").asInt() != value) {
            return "value of " + name + " PriorityClass must be " + value;
        }
        return object.path("globalDefault").asBoolean()
                ? "globalDefault of " + name + " PriorityClass must be false"
                : "";
    }
}
