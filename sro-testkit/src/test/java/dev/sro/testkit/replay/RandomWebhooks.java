package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Configurations of webhooks at random, most of them valid. */
final class RandomWebhooks {
    private static final List<String> WEBHOOKS = List.of(
            "/validate", "/validate-teapot", "/validate-plain", "/warn", "/baduid", "/allow", "/fail", "/mutate");

    private final RandomMatches random;

    RandomWebhooks(RandomMatches random) {
        this.random = random;
    }

    /** @param url of the server that the hooks are at. */
    ObjectNode next(boolean mutating, String name, String url, String caBundle) {
        ObjectNode configuration = RandomAdmission.named(
                mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration", name);
        ArrayNode webhooks = configuration.putArray("webhooks");
        for (int i = random.nextInt(2); i >= 0; i--) {
            ObjectNode webhook = webhooks.addObject();
            webhook.put(
                    "name",
                    random.wrong()
                            ? "short"
                            : "w" + (random.wrong() ? 0 : i) + "." + random.namespace() + ".example.com");
            ObjectNode client = webhook.putObject("clientConfig");
            client.put("url", (random.wrong() ? url.replace("https", "http") : url) + random.pick(WEBHOOKS));
            client.put("caBundle", random.wrong() ? "bm8=" : caBundle);
            if (random.wrong()) {
                client.putObject("service").put("namespace", "default").put("name", "x");
            }
            webhook.put("sideEffects", random.wrong() ? "Some" : random.once(2) ? "None" : "NoneOnDryRun");
            webhook.putArray("admissionReviewVersions").add(random.wrong() ? "v9" : "v1");
            if (random.once(3)) {
                webhook.put("failurePolicy", random.once(2) ? "Ignore" : "Fail");
            }
            if (random.once(4)) {
                webhook.put("timeoutSeconds", random.wrong() ? 31 : 5);
            }
            if (mutating && random.once(3)) {
                webhook.put("reinvocationPolicy", random.once(2) ? "IfNeeded" : "Never");
            }
            random.ofWebhook(webhook);
            random.matchConditions(webhook);
        }
        return configuration;
    }
}
