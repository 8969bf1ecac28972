package dev.sro.testkit.contract;

import dev.sro.api.Checks;
import java.util.Map;

/** Labels that a plugin wants on nodes. Stateless. */
final class Labels {

    private Labels() {}

    /**
     * The labels, if an API server would take them and if they are under a domain.
     *
     * @throws IllegalArgumentException otherwise
     */
    static Map<String, String> checked(Map<String, String> labels) {
        labels.forEach((key, value) -> {
            Checks.ownedName("nodeLabels", key);
            Checks.labelValue("nodeLabels[" + key + "]", value);
        });
        return labels;
    }
}
