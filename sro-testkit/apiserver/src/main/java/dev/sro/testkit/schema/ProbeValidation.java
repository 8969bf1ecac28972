package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import java.util.List;

/** Validation of probes and of what is done when a container starts and stops. Not thread-safe. */
final class ProbeValidation {
    private static final Pattern HEADER = Pattern.compile("[-A-Za-z0-9]+");
    private static final List<String> COUNTS =
            List.of("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold");

    private final Checks checks;

    ProbeValidation(Checks checks) {
        this.checks = checks;
    }

    void liveness(JsonNode probe, String path) {
        probe(probe, path);
        once(probe, path);
    }

    void readiness(JsonNode probe, String path) {
        probe(probe, path);
        if (probe.hasNonNull("terminationGracePeriodSeconds")) {
            checks.invalid(
                    path + ".terminationGracePeriodSeconds",
                    probe.get("terminationGracePeriodSeconds"),
                    "must not be set for readinessProbes");
        }
    }

    private void once(JsonNode probe, String path) {
        if (probe.isObject() && probe.path("successThreshold").asInt() != 1) {
            checks.invalid(path + ".successThreshold", probe.get("successThreshold"), "must be 1");
        }
    }

    private void probe(JsonNode probe, String path) {
        if (!(probe instanceof ObjectNode object)) {
            return;
        }
        handler(object, path, List.of("exec", "httpGet", "tcpSocket", "grpc"));
        for (String count : COUNTS) {
            checks.notNegative(probe, count, path);
        }
        checks.positive(probe, "terminationGracePeriodSeconds", path);
    }

    /** What is done when the container started, and before it is stopped. */
    void lifecycle(JsonNode lifecycle, long grace, String path) {
        for (String moment : List.of("postStart", "preStop")) {
            if (lifecycle.get(moment) instanceof ObjectNode handler) {
                handler(handler, path + "." + moment, List.of("exec", "httpGet", "tcpSocket", "sleep"));
                boolean first = !handler.has("exec") && !handler.has("httpGet") && !handler.has("tcpSocket");
                JsonNode seconds = handler.path("sleep").path("seconds");
                if (!first) {
                    continue;
                }
                if (seconds.asLong() < 0 || seconds.asLong() > grace) {
                    checks.invalid(
                            path + "." + moment + ".sleep",
                            seconds,
                            "must be non-negative and less than terminationGracePeriodSeconds (" + grace + ")");
                }
            }
        }
    }

    private void handler(ObjectNode handler, String path, List<String> kinds) {
        int handlers = 0;
        for (String kind : kinds) {
            if (!(handler.get(kind) instanceof ObjectNode action)) {
                continue;
            }
            if (handlers++ > 0) {
                checks.forbidden(path + "." + kind, "may not specify more than 1 handler type");
                continue;
            }
            action(kind, action, path + "." + kind);
        }
        if (handlers == 0) {
            checks.required(path, "must specify a handler type");
        }
    }

    private void action(String kind, ObjectNode action, String path) {
        switch (kind) {
            case "exec" -> {
                if (action.path("command").isEmpty()) {
                    checks.required(path + ".command", "");
                }
            }
            case "httpGet" -> httpGet(action, path);
            case "tcpSocket" -> checks.portOrName(action.get("port"), path + ".port");
            case "grpc" -> checks.port(action.get("port"), path + ".port");
            default -> {}
        }
    }

    private void httpGet(ObjectNode get, String path) {
        checks.present(get, "path", path);
        checks.portOrName(get.get("port"), path + ".port");
        checks.oneOf(get, "scheme", path, "HTTP", "HTTPS");
        List<ObjectNode> headers = JsonTree.objects(get, "httpHeaders");
        for (ObjectNode header : headers) {
            String name = JsonTree.text(header, "name");
            if (!HEADER.matches(name)) {
                checks.invalid(
                        path + ".httpHeaders",
                        name,
                        "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex"
                                + " used for validation is '[-A-Za-z0-9]+')");
            }
        }
    }
}
