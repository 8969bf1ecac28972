package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a kube-apiserver refuses in the status of built-in types. Stateless. */
final class StatusValidation {
    private static final List<String> BUDGET =
            List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods");
    private static final List<String> JOB = List.of("active", "succeeded", "failed");
    private static final Set<String> NATIVE =
            Set.of("cpu", "memory", "storage", "ephemeral-storage", "pods", "attachable-volumes");

    private final List<FieldError> errors = new ArrayList<>();
    private final JsonNode status;

    private StatusValidation(JsonNode status) {
        this.status = status;
    }

    /**
     * What is wrong with a changed status.
     *
     * @param old the stored object, null on create, when there is no status to look at
     */
    static List<FieldError> validate(String kind, ObjectNode object, @Nullable ObjectNode old) {
        JsonNode status = object.path("status");
        StatusValidation v = new StatusValidation(status);
        if (old == null || status.equals(old.path("status"))) {
            return v.errors;
        }
        switch (kind) {
            case "/Pod" -> v.pod(old.path("status"));
            case "/Node" -> v.node();
            case "/Service" -> v.service(object);
            case "networking.k8s.io/Ingress" -> v.ingress();
            case "policy/PodDisruptionBudget" -> v.notNegative(BUDGET);
            case "batch/Job" -> v.job();
            default -> {
                return v.errors;
            }
        }
        return v.errors;
    }

    private void notNegative(List<String> fields) {
        for (String field : fields) {
            if (status.path(field).asLong() < 0) {
                errors.add(FieldError.invalid("status." + field, status.get(field), Checks.NOT_NEGATIVE));
            }
        }
    }

    private void job() {
        notNegative(JOB);
        long ready = status.path("ready").asLong();
        if (ready > status.path("active").asLong()) {
            errors.add(FieldError.invalid(
                    "status.ready", LongNode.valueOf(ready), "cannot set more ready pods than active"));
        }
    }

    private void pod(JsonNode before) {
        int i = 0;
        for (JsonNode ip : status.path("podIPs")) {
            address("status.podIPs[" + i++ + "]", ip.path("ip"));
        }
        if (before.has("qosClass") && !before.path("qosClass").equals(status.path("qosClass"))) {
            errors.add(FieldError.invalid("status.qosClass", status.get("qosClass"), "field is immutable"));
        }
    }

    private void address(String at, JsonNode ip) {
        if (!isIp(ip.asText())) {
            errors.add(FieldError.invalid(at, ip, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"));
        }
    }

    private static boolean isIp(String text) {
        return Formats.matches("ipv4", text) || Formats.matches("ipv6", text);
    }

    private static boolean isWhole(String quantity) {
        return Quantities.value(quantity)
                .map(amount -> amount.stripTrailingZeros().scale() <= 0)
                .orElse(true);
    }

    /** Devices are counted in whole numbers. */
    private void node() {
        for (String field : List.of("capacity", "allocatable")) {
            for (Map.Entry<String, JsonNode> e : status.path(field).properties()) {
                boolean extended = !NATIVE.contains(e.getKey()) && e.getKey().contains("/");
                if (extended && !isWhole(e.getValue().asText())) {
                    errors.add(FieldError.invalid(
                            "status." + field + "." + e.getKey(), e.getValue(), "must be an integer"));
                }
            }
        }
    }

    private void service(ObjectNode object) {
        JsonNode points = status.path("loadBalancer").path("ingress");
        if (!points.isEmpty() && !object.path("spec").path("type").asText().equals("LoadBalancer")) {
            errors.add(FieldError.forbidden(
                    "status.loadBalancer.ingress", "may only be used when `spec.type` is 'LoadBalancer'"));
            return;
        }
        ingress();
    }

    private void ingress() {
        int i = 0;
        for (JsonNode point : status.path("loadBalancer").path("ingress")) {
            String at = "status.loadBalancer.ingress[" + i++ + "]";
            if (!point.path("ip").asText().isEmpty()) {
                address(at + ".ip", point.path("ip"));
            }
            JsonNode host = point.path("hostname");
            if (!host.asText().isEmpty() && isIp(host.asText())) {
                errors.add(FieldError.invalid(at + ".hostname", host, "must be a DNS name, not an IP address"));
            }
        }
    }
}
