package dev.sro.core.partition;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A taint for the nodes of a special resource. Immutable.
 *
 * @param key of the taint
 * @param value may be empty
 * @param effect as Kubernetes writes it
 */
public record TaintSpec(String key, String value, String effect) {

    /** With this effect pods that do not tolerate the taint are driven off. */
    static final String NO_EXECUTE = "NoExecute";

    /** As nodes have it in their facts: {@code key=value:Effect}. */
    public String text() {
        return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
    }

    /** What pods have in their spec to come to nodes that carry it, whatever its value. */
    public Map<String, Object> toleration() {
        Map<String, Object> toleration = new LinkedHashMap<>();
        toleration.put("key", key);
        toleration.put("operator", "Exists");
        toleration.put("effect", effect);
        return toleration;
    }
}
