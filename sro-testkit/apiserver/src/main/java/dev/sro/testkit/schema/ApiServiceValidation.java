package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Validation of APIServices. One use. */
final class ApiServiceValidation {
    private static final long MAX_GROUP_PRIORITY = 20_000;
    private static final long MAX_VERSION_PRIORITY = 1000;

    private ApiServiceValidation() {}

    /** What it is called follows from what it serves. */
    private static void names(JsonNode metadata, String wanted, Checks checks) {
        String detail = "must be `spec.version+\".\"+spec.group`: \"" + wanted + "\"";
        String name = JsonTree.text(metadata, "name");
        boolean path = !name.contains("/") && !name.contains("%") && !name.matches("\\.\\.?");
        if (!name.isEmpty() && path && !name.equals(wanted)) {
            checks.invalid("metadata.name", name, detail);
        }
        String base = JsonTree.text(metadata, "generateName");
        if (!base.isEmpty() && !base.equals(wanted)) {
            checks.invalid("metadata.generateName", base, detail);
        }
    }

    static List<FieldError> validate(ObjectNode object) {
        Checks checks = new Checks(new ArrayList<>());
        JsonNode spec = object.path("spec");
        String group = JsonTree.text(spec, "group");
        String version = JsonTree.text(spec, "version");
        names(object.path("metadata"), version + "." + group, checks);
        if (group.isEmpty() && !version.equals("v1")) {
            checks.required("spec.group", "only v1 may have an empty group and it better be legacy kube");
        } else if (!group.isEmpty()) {
            checks.subdomain(group, "spec.group");
        }
        checks.dns1035(version, "spec.version");
        priority(checks, spec, "groupPriorityMinimum", MAX_GROUP_PRIORITY);
        priority(checks, spec, "versionPriority", MAX_VERSION_PRIORITY);
        if (spec.get("service") instanceof ObjectNode service) {
            checks.present(service, "namespace", "spec.service");
            checks.present(service, "name", "spec.service");
            JsonNode port = service.path("port");
            if (port.isNumber() && (port.asLong() < 1 || port.asLong() > Checks.MAX_PORT)) {
                checks.invalid("spec.service.port", port, "port is not valid: " + Checks.PORT_RANGE);
            }
            if (spec.path("insecureSkipTLSVerify").asBoolean()
                    && !JsonTree.text(spec, "caBundle").isEmpty()) {
                checks.invalid(
                        "spec.insecureSkipTLSVerify",
                        spec.get("insecureSkipTLSVerify"),
                        "may not be true if caBundle is present");
            }
        } else if (spec.path("insecureSkipTLSVerify").asBoolean()) {
            checks.invalid(
                    "spec.insecureSkipTLSVerify",
                    spec.get("insecureSkipTLSVerify"),
                    "local APIServices may not have insecureSkipTLSVerify");
        }
        return checks.errors();
    }

    private static void priority(Checks checks, JsonNode spec, String field, long max) {
        long value = spec.path(field).asLong();
        if (value <= 0 || value > max) {
            checks.invalid("spec." + field, spec.get(field), "must be positive and less than " + max);
        }
    }
}
