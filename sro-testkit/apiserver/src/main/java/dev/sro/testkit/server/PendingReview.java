package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A write cannot go on before a webhook has answered. Control flow: without a stack trace. */
final class PendingReview extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Webhook webhook;
    private final transient ObjectNode request;
    private final String key;

    PendingReview(Webhook webhook, ObjectNode request, String key) {
        super(key, null, false, false);
        this.webhook = webhook;
        this.request = request;
        this.key = key;
    }

    Webhook webhook() {
        return webhook;
    }

    /** The {@code request} of the AdmissionReview. */
    ObjectNode request() {
        return request;
    }

    /** Under which the answer is kept. */
    String key() {
        return key;
    }
}
