package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Validation of how a Deployment replaces its pods. One use. */
final class DeploymentStrategy {
    private static final String AT = "spec.strategy.rollingUpdate";
    private static final Pattern PERCENT = Pattern.compile("[0-9]+%");

    private final List<FieldError> errors = new ArrayList<>();

    private DeploymentStrategy() {}

    static List<FieldError> validate(JsonNode strategy) {
        DeploymentStrategy v = new DeploymentStrategy();
        String type = JsonTree.text(strategy, "type");
        JsonNode rolling = strategy.path("rollingUpdate");
        if (type.equals("Recreate")) {
            if (rolling.isObject()) {
                v.errors.add(FieldError.forbidden(AT, "may not be specified when strategy `type` is 'Recreate'"));
            }
        } else if (type.equals("RollingUpdate")) {
            v.rolling(rolling.path("maxUnavailable"), rolling.path("maxSurge"));
        } else {
            v.errors.add(FieldError.notSupported(
                    "spec.strategy", shown(type, rolling), List.of("\"Recreate\"", "\"RollingUpdate\"")));
        }
        return v.errors;
    }

    /** A strategy as the server shows it. */
    static JsonNode shown(String type, JsonNode rolling) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode().put("Type", type);
        if (!rolling.isObject()) {
            return shown.set("RollingUpdate", NullNode.getInstance());
        }
        ObjectNode values = shown.putObject("RollingUpdate");
        for (String field : new String[] {"maxUnavailable", "maxSurge"}) {
            JsonNode value = rolling.path(field);
            String name = "M" + field.substring(1);
            values.set(name, value.isMissingNode() ? IntNode.valueOf(0) : value);
        }
        return shown;
    }

    private void rolling(JsonNode unavailable, JsonNode surge) {
        share(unavailable, AT + ".maxUnavailable");
        share(surge, AT + ".maxSurge");
        if (isZero(unavailable) && isZero(surge)) {
            errors.add(FieldError.invalid(AT + ".maxUnavailable", unavailable, "may not be 0 when `maxSurge` is 0"));
        }
        String text = unavailable.asText();
        if (unavailable.isTextual()
                && PERCENT.matcher(text).matches()
                && Long.parseLong(text.substring(0, text.length() - 1)) > 100) {
            errors.add(FieldError.invalid(AT + ".maxUnavailable", unavailable, "must not be greater than 100%"));
        }
    }

    private static boolean isZero(JsonNode share) {
        return share.isTextual() ? share.asText().equals("0%") : share.isNumber() && share.asInt() == 0;
    }

    private void share(JsonNode share, String at) {
        if (share.isTextual() && !PERCENT.matcher(share.asText()).matches()) {
            errors.add(FieldError.invalid(
                    at,
                    share,
                    "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%',"
                            + " regex used for validation is '[0-9]+%')"));
        } else if (share.isNumber() && share.asLong() < 0) {
            errors.add(FieldError.invalid(at, share, "must be greater than or equal to 0"));
        }
    }
}
