package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;

/** How a definition wants its versions converted. Stateless. */
final class CrdConversionCheck {
    private static final String PATH = "spec.conversion";
    private static final List<String> STRATEGIES = List.of("\"None\"", "\"Webhook\"");

    private CrdConversionCheck() {}

    static List<FieldError> validate(JsonNode spec) {
        List<FieldError> errors = new ArrayList<>();
        JsonNode conversion = spec.path("conversion");
        String strategy = JsonTree.text(conversion, "strategy");
        JsonNode webhook = conversion.path("webhook");
        String client = PATH + ".webhookClientConfig";
        String versions = PATH + ".conversionReviewVersions";
        if (!strategy.isEmpty() && !STRATEGIES.contains("\"" + strategy + "\"")) {
            errors.add(FieldError.notSupported(PATH + ".strategy", TextNode.valueOf(strategy), STRATEGIES));
        }
        if (strategy.equals("Webhook")) {
            if (webhook.hasNonNull("clientConfig")) {
                errors.addAll(WebhookValidation.client(webhook.path("clientConfig"), client));
            } else {
                errors.add(FieldError.required(client, "required when strategy is set to Webhook"));
            }
            errors.addAll(WebhookValidation.conversionVersions(webhook.path("conversionReviewVersions"), versions));
            return errors;
        }
        String unasked = "should not be set when strategy is not set to Webhook";
        if (webhook.hasNonNull("clientConfig")) {
            errors.add(FieldError.forbidden(client, unasked));
        }
        if (!webhook.path("conversionReviewVersions").isEmpty()) {
            errors.add(FieldError.forbidden(versions, unasked));
        }
        return errors;
    }
}
