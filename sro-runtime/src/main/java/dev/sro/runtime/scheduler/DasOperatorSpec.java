package dev.sro.runtime.scheduler;

import dev.sro.core.model.ValueTrees;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a {@code DASOperator} asks for. Immutable.
 *
 * @param state of its management
 * @param nodeSelector labels of the nodes that shall have an agent
 * @param unserved what it asks for besides and nobody does, each with field and fix
 */
record DasOperatorSpec(State state, SortedMap<String, String> nodeSelector, List<String> unserved) {

    /** The one that DAS reads, and no other. */
    static final String SINGLETON = "cluster";

    /** How DASOperators are managed. */
    enum State {
        /** What it asks for is done; {@code Force} means no more. */
        MANAGED,
        /** Nothing is done. */
        UNMANAGED,
        /** Agents go, once nobody has slices. */
        REMOVED
    }

    private static final String NORMAL = "Normal";

    static DasOperatorSpec of(GenericKubernetesResource object) {
        Map<String, Object> spec = ValueTrees.map(ValueTrees.copy(object.getAdditionalProperties()), "spec");
        SortedMap<String, String> selector = new TreeMap<>();
        ValueTrees.map(spec, "nodeSelector").forEach((key, value) -> selector.put(key, String.valueOf(value)));
        List<String> unserved = new ArrayList<>();
        level(spec, "logLevel", "agents have", unserved);
        level(spec, "operatorLogLevel", "sro slices scheduler has", unserved);
        for (String field : List.of("observedConfig", "unsupportedConfigOverrides")) {
            if (!ValueTrees.map(spec, field).isEmpty()) {
                unserved.add("spec." + field + ": nobody reads it; take it out");
            }
        }
        return new DasOperatorSpec(state(ValueTrees.text(spec, "managementState")), selector, List.copyOf(unserved));
    }

    private static void level(Map<String, Object> spec, String field, String who, List<String> unserved) {
        String level = ValueTrees.text(spec, field);
        if (!level.isEmpty() && !level.equals(NORMAL)) {
            unserved.add("spec." + field + " " + level + ": " + who
                    + " one level of log alone, which kubectl logs prints;" + " set it to Normal");
        }
    }

    private static State state(String text) {
        return switch (text) {
            case "Unmanaged" -> State.UNMANAGED;
            case "Removed" -> State.REMOVED;
            default -> State.MANAGED;
        };
    }
}
