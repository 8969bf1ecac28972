package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sro.testkit.schema.FieldError;
import dev.sro.testkit.schema.GoText;
import java.util.ArrayList;
import java.util.List;

/** Whether a custom resource has what its scale is made of, where the definition says. Immutable. */
record ScalePaths(JsonNode scale) {

    /** Of the whole object. */
    List<FieldError> validate(JsonNode object) {
        List<FieldError> errors = new ArrayList<>();
        if (scale.isObject()) {
            replicas(object, Json.text(scale, "specReplicasPath"), errors);
            errors.addAll(validateStatus(object));
        }
        return errors;
    }

    /** Of the status. */
    List<FieldError> validateStatus(JsonNode object) {
        List<FieldError> errors = new ArrayList<>();
        if (scale.isObject()) {
            replicas(object, Json.text(scale, "statusReplicasPath"), errors);
            String selector = Json.text(scale, "labelSelectorPath");
            JsonNode value = selector.isEmpty() ? object.path("") : at(object, selector, TextNode.valueOf(""), errors);
            if (!value.isMissingNode() && !value.isTextual()) {
                wrong(selector, selector, value, "string", TextNode.valueOf(""), errors);
            }
        }
        return errors;
    }

    private static void replicas(JsonNode object, String path, List<FieldError> errors) {
        JsonNode value = at(object, path, LongNode.valueOf(0), errors);
        if (value.isMissingNode()) {
            return;
        }
        if (!value.isIntegralNumber()) {
            wrong(path, path, value, "int64", LongNode.valueOf(0), errors);
        } else if (value.longValue() < 0) {
            errors.add(FieldError.invalid(path, value, "should be a non-negative integer"));
        } else if (value.longValue() > Integer.MAX_VALUE) {
            errors.add(FieldError.invalid(path, value, "should be less than or equal to " + Integer.MAX_VALUE));
        }
    }

    /** The value at a path; missing if it is not there, or the way leads through something else than objects, which is an error. */
    private static JsonNode at(JsonNode object, String path, JsonNode zero, List<FieldError> errors) {
        JsonNode value = object;
        StringBuilder walked = new StringBuilder();
        for (String step : path.substring(1).split("\\.", -1)) {
            walked.append('.').append(step);
            if (value.isNull()) {
                return object.path("");
            }
            if (!value.isObject()) {
                wrong(path, walked.toString(), value, "map[string]interface{}", zero, errors);
                return object.path("");
            }
            value = value.path(step);
            if (value.isMissingNode()) {
                return value;
            }
        }
        return value;
    }

    private static void wrong(
            String path, String walked, JsonNode value, String wanted, JsonNode zero, List<FieldError> errors) {
        errors.add(FieldError.invalid(path, zero, accessor(walked, value, wanted)));
    }

    /** That a value is not of the type that is looked for at its path. */
    static String accessor(String path, JsonNode value, String wanted) {
        return path + " accessor error: " + GoText.write(value) + " is of the type " + GoText.type(value)
                + ", expected " + wanted;
    }
}
