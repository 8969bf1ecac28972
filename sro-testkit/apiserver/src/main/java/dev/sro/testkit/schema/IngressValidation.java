package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validation of Ingresses and their classes. One use. */
final class IngressValidation {
    private static final int MAX_CONTROLLER = 250;
    private static final String CLASS_ANNOTATION = "kubernetes.io/ingress.class";
    private static final List<String> BAD_STEPS = List.of("//", "/./", "/../", "%2f", "%2F");
    private static final List<String> BAD_ENDS = List.of("/..", "/.");
    private static final String PATH_FORM = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
    private static final Pattern PATH = Pattern.compile(PATH_FORM);
    private static final Pattern WILDCARD =
            Pattern.compile("\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final String WILDCARD_TEXT =
            "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist"
                    + " of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g."
                    + " '*.example.com', regex used for validation is"
                    + " '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

    private final Checks checks = new Checks(new ArrayList<>());

    private IngressValidation() {}

    static List<FieldError> ingress(ObjectNode object, boolean created) {
        IngressValidation v = new IngressValidation();
        JsonNode spec = object.path("spec");
        v.spec(spec);
        JsonNode annotated = object.path("metadata").path("annotations").path(CLASS_ANNOTATION);
        if (created
                && annotated.isTextual()
                && spec.path("ingressClassName").isTextual()
                && !annotated.equals(spec.get("ingressClassName"))) {
            v.checks.invalid(
                    "annotations." + CLASS_ANNOTATION,
                    annotated,
                    "must match `ingressClassName` when both are specified");
        }
        return v.checks.errors();
    }

    private void spec(JsonNode spec) {
        List<ObjectNode> rules = JsonTree.objects(spec, "rules");
        if (rules.isEmpty() && !spec.path("defaultBackend").isObject()) {
            checks.invalid("spec", NullNode.getInstance(), "either `defaultBackend` or `rules` must be specified");
        }
        if (spec.get("defaultBackend") instanceof ObjectNode backend) {
            backend(backend, "spec.defaultBackend");
        }
        for (int i = 0; i < rules.size(); i++) {
            rule(rules.get(i), "spec.rules[" + i + "]");
        }
        List<ObjectNode> tls = JsonTree.objects(spec, "tls");
        for (int i = 0; i < tls.size(); i++) {
            JsonNode hosts = tls.get(i).path("hosts");
            for (int j = 0; j < hosts.size(); j++) {
                host(hosts.get(j).asText(), "spec.tls[" + i + "].hosts[" + j + "]");
            }
            String secret = JsonTree.text(tls.get(i), "secretName");
            if (!secret.isEmpty()) {
                checks.subdomain(secret, "spec.tls[" + i + "].secretName");
            }
        }
        JsonNode name = spec.path("ingressClassName");
        if (name.isTextual()) {
            checks.subdomain(name.textValue(), "spec.ingressClassName");
        }
    }

    private void host(String host, String at) {
        if (!host.contains("*")) {
            checks.subdomain(host, at);
        } else if (!WILDCARD.matches(host)) {
            checks.invalid(at, host, WILDCARD_TEXT);
        }
    }

    private void rule(ObjectNode rule, String at) {
        String host = JsonTree.text(rule, "host");
        if (!host.isEmpty()) {
            if (Formats.matches("ipv4", host) || (host.contains(":") && Formats.matches("ipv6", host))) {
                checks.invalid(at + ".host", host, "must be a DNS name, not an IP address");
            }
            host(host, at + ".host");
        }
        if (rule.get("http") instanceof ObjectNode http) {
            List<ObjectNode> paths = JsonTree.objects(http, "paths");
            if (paths.isEmpty()) {
                checks.required(at + ".http.paths", "");
            }
            for (int i = 0; i < paths.size(); i++) {
                path(paths.get(i), at + ".http.paths[" + i + "]");
            }
        }
    }

    private void path(ObjectNode rule, String at) {
        JsonNode type = rule.path("pathType");
        if (!type.isTextual()) {
            checks.required(at + ".pathType", "pathType must be specified");
            return;
        }
        String path = JsonTree.text(rule, "path");
        switch (type.textValue()) {
            case "Exact", "Prefix" -> {
                if (!path.startsWith("/")) {
                    checks.invalid(at + ".path", path, "must be an absolute path");
                }
                BAD_STEPS.stream()
                        .filter(path::contains)
                        .forEach(step -> checks.invalid(at + ".path", path, "must not contain '" + step + "'"));
                BAD_ENDS.stream()
                        .filter(path::endsWith)
                        .forEach(end -> checks.invalid(at + ".path", path, "cannot end with '" + end + "'"));
            }
            case "ImplementationSpecific" -> {
                if (!path.isEmpty() && !path.startsWith("/")) {
                    checks.invalid(at + ".path", path, "must be an absolute path");
                }
            }
            default ->
                checks.notSupported(at + ".pathType", type.textValue(), "Exact", "ImplementationSpecific", "Prefix");
        }
        if (rule.get("backend") instanceof ObjectNode backend) {
            backend(backend, at + ".backend");
        }
    }

    private void backend(ObjectNode backend, String at) {
        JsonNode service = backend.get("service");
        JsonNode resource = backend.get("resource");
        if (service != null && resource != null) {
            checks.invalid(at, "", "cannot set both resource and service backends");
        } else if (resource != null) {
            reference(resource, at + ".resource");
        } else if (service != null) {
            service(service, at);
        } else {
            checks.invalid(at, "", "resource or service backend is required");
        }
    }

    private void service(JsonNode service, String at) {
        if (checks.present(service, "name", at + ".service")) {
            checks.label(JsonTree.text(service, "name"), at + ".service.name");
        }
        String name = JsonTree.text(service.path("port"), "name");
        JsonNode number = service.path("port").path("number");
        boolean numbered = number.asLong() != 0;
        if (!name.isEmpty() && numbered) {
            checks.invalid(at, "", "cannot set both port name & port number");
        } else if (!name.isEmpty()) {
            Checks.portName(name).forEach(fault -> checks.invalid(at + ".service.port.name", name, fault));
        } else if (numbered) {
            checks.port(number, at + ".service.port.number");
        } else {
            checks.required(at, "port name or number is required");
        }
    }

    private void reference(JsonNode reference, String at) {
        JsonNode group = reference.path("apiGroup");
        if (group.isTextual()) {
            checks.subdomain(group.textValue(), at + ".apiGroup");
        }
        checks.presentSegment(reference, "kind", at);
        checks.presentSegment(reference, "name", at);
    }

    static List<FieldError> ingressClass(ObjectNode object) {
        IngressValidation v = new IngressValidation();
        JsonNode spec = object.path("spec");
        v.controller(JsonTree.text(spec, "controller"));
        v.parameters(spec.get("parameters"));
        return v.checks.errors();
    }

    private void controller(String controller) {
        String at = "spec.controller";
        if (controller.length() > MAX_CONTROLLER) {
            checks.add(FieldError.tooLong(at, MAX_CONTROLLER));
        }
        if (controller.isEmpty()) {
            checks.required(at, "");
            return;
        }
        int slash = controller.indexOf('/');
        if (slash <= 0 || slash == controller.length() - 1) {
            checks.invalid(at, controller, "must be a domain-prefixed path (such as \"acme.io/foo\")");
            return;
        }
        checks.subdomain(controller.substring(0, slash), at);
        String path = controller.substring(slash + 1);
        if (!PATH.matches(path)) {
            checks.invalid(at, path, "Invalid path (regex used for validation is '" + PATH_FORM + "')");
        }
    }

    private void parameters(@Nullable JsonNode parameters) {
        if (!(parameters instanceof ObjectNode)) {
            return;
        }
        String at = "spec.parameters";
        reference(parameters, at);
        JsonNode scope = parameters.path("scope");
        JsonNode namespace = parameters.path("namespace");
        if (!scope.isTextual()) {
            checks.required(at + ".scope", "");
            return;
        }
        checks.oneOf(parameters, "scope", at, "Cluster", "Namespace");
        if (scope.asText().equals("Namespace")) {
            if (!namespace.isTextual()) {
                checks.required(at + ".namespace", "`parameters.scope` is set to 'Namespace'");
            } else {
                checks.label(namespace.asText(), at + ".namespace");
            }
        } else if (scope.asText().equals("Cluster") && namespace.isTextual()) {
            checks.forbidden(at + ".namespace", "`parameters.scope` is set to 'Cluster'");
        }
    }
}
