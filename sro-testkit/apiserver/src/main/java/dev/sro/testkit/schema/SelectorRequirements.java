package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Requirements of selectors in questions about access, whose operators may be ones that the server does not know. Stateless. */
public final class SelectorRequirements {
    private SelectorRequirements() {}

    /**
     * What is wrong with one.
     *
     * @param labels whether it is about labels, and not about fields
     * @param path of the requirement
     */
    public static List<FieldError> validate(JsonNode requirement, boolean labels, String path) {
        List<FieldError> errors = new ArrayList<>();
        int values = requirement.path("values").size();
        String operator = JsonTree.text(requirement, "operator");
        switch (operator) {
            case "In", "NotIn" -> {
                if (values == 0) {
                    errors.add(FieldError.required(
                            path + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (values > 0) {
                    errors.add(FieldError.forbidden(
                            path + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
                }
            }
            default -> {}
        }
        if (labels && requirement instanceof ObjectNode) {
            DeviceNames.labelKey(JsonTree.text(requirement, "key"), path + ".key", errors);
            for (int i = 0; i < values; i++) {
                DeviceNames.labelValue(requirement.path("values").get(i).asText(), path + ".values[" + i + "]", errors);
            }
        } else if (JsonTree.text(requirement, "key").isEmpty()) {
            errors.add(FieldError.required(path + ".key", "must be specified"));
        }
        return errors;
    }
}
