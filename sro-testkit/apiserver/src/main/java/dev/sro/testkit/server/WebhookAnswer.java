package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What came of calling a webhook: its {@code response}, or why there is none.
 *
 * @param response missing if the call failed
 * @param failure empty if it did not
 */
record WebhookAnswer(JsonNode response, String failure) {
    static WebhookAnswer failed(String why) {
        return new WebhookAnswer(Json.object().path("none"), why);
    }
}
