package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of webhook configurations. */
final class WebhookValidation {
    private static final int MAX_TIMEOUT = 30;
    private static final int MAX_PORT = 65535;
    private static final String FORM = "; desired format: https://host[/path]";
    private static final List<String> FAILURE = List.of("\"Fail\"", "\"Ignore\"");
    private static final List<String> MATCH = List.of("\"Equivalent\"", "\"Exact\"");
    private static final List<String> REINVOCATION = List.of("\"IfNeeded\"", "\"Never\"");
    private static final List<String> EFFECTS = List.of("\"None\"", "\"NoneOnDryRun\"");
    private static final Set<String> REVIEW_VERSIONS = Set.of("v1", "v1beta1");

    private final List<FieldError> errors = new ArrayList<>();

    private WebhookValidation() {}

    static List<FieldError> validate(ObjectNode configuration) {
        WebhookValidation v = new WebhookValidation();
        Set<String> names = new HashSet<>();
        int i = 0;
        for (ObjectNode hook : JsonTree.objects(configuration, "webhooks")) {
            String path = "webhooks[" + i++ + "]";
            v.webhook(hook, path);
            String name = JsonTree.text(hook, "name");
            if (!name.isEmpty() && !names.add(name)) {
                v.errors.add(FieldError.duplicate(path + ".name", TextNode.valueOf(name)));
            }
        }
        return v.errors;
    }

    /** Where a webhook is. */
    static List<FieldError> client(JsonNode config, String path) {
        WebhookValidation v = new WebhookValidation();
        v.place(config, path);
        return v.errors;
    }

    /** Versions of reviews that a webhook for conversions takes. */
    static List<FieldError> conversionVersions(JsonNode versions, String path) {
        WebhookValidation v = new WebhookValidation();
        if (versions.isEmpty()) {
            v.errors.add(FieldError.required(path, ""));
        } else {
            v.versions(versions, path);
        }
        return v.errors;
    }

    private void webhook(ObjectNode hook, String path) {
        name(JsonTree.text(hook, "name"), path + ".name");
        int i = 0;
        for (ObjectNode rule : JsonTree.objects(hook, "rules")) {
            errors.addAll(AdmissionRuleValidation.validate(rule, path + ".rules[" + i++ + "]"));
        }
        oneOf(hook, "failurePolicy", FAILURE, path);
        oneOf(hook, "matchPolicy", MATCH, path);
        if (JsonTree.text(hook, "sideEffects").isEmpty()) {
            errors.add(FieldError.required(path + ".sideEffects", "must specify one of None, NoneOnDryRun"));
        } else {
            oneOf(hook, "sideEffects", EFFECTS, path);
        }
        JsonNode timeout = hook.path("timeoutSeconds");
        if (timeout.isNumber() && (timeout.asLong() < 1 || timeout.asLong() > MAX_TIMEOUT)) {
            errors.add(FieldError.invalid(
                    path + ".timeoutSeconds", timeout, "the timeout value must be between 1 and 30 seconds"));
        }
        oneOf(hook, "reinvocationPolicy", REINVOCATION, path);
        errors.addAll(AdmissionRuleValidation.selectors(hook, path));
        place(hook.path("clientConfig"), path + ".clientConfig");
        errors.addAll(AdmissionRuleValidation.conditions(hook, path, AdmissionTypes.of(false, true, false)));
        versions(hook.path("admissionReviewVersions"), path + ".admissionReviewVersions");
    }

    private void oneOf(ObjectNode hook, String field, List<String> allowed, String path) {
        JsonNode value = hook.path(field);
        if (value.isTextual() && !allowed.contains(value.toString())) {
            errors.add(FieldError.notSupported(path + "." + field, value, allowed));
        }
    }

    private void name(String name, String path) {
        if (name.isEmpty()) {
            errors.add(FieldError.required(path, ""));
            return;
        }
        if (!Names.isSubdomain(name)) {
            fault(path, name, Names.SUBDOMAIN);
        } else if (name.split("\\.", -1).length < 3) {
            errors.add(FieldError.invalid(
                    path, TextNode.valueOf(name), "should be a domain with at least three segments separated by dots"));
        }
    }

    private void versions(JsonNode versions, String path) {
        if (versions.isEmpty()) {
            errors.add(FieldError.required(path, "must specify one of v1, v1beta1"));
            return;
        }
        Set<String> seen = new HashSet<>();
        boolean known = false;
        for (int i = 0; i < versions.size(); i++) {
            String version = versions.get(i).asText();
            if (!seen.add(version)) {
                errors.add(FieldError.invalid(path + "[" + i + "]", versions.get(i), "duplicate version"));
                continue;
            }
            new Checks(errors).dns1035(version, path + "[" + i + "]");
            known |= REVIEW_VERSIONS.contains(version);
        }
        if (!known) {
            errors.add(FieldError.invalid(path, versions, "must include at least one of v1, v1beta1"));
        }
    }

    private void place(JsonNode config, String path) {
        boolean url = config.hasNonNull("url");
        boolean service = config.hasNonNull("service");
        if (url == service) {
            errors.add(FieldError.required(path, "exactly one of url or service is required"));
        } else if (url) {
            url(config.path("url").asText(), path + ".url");
        } else {
            service(config.path("service"), path + ".service");
        }
    }

    private void url(String text, String path) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            url = text.startsWith("https:///") ? URI.create("https:" + text.substring("https://".length())) : null;
            if (url == null) {
                errors.add(FieldError.required(path, "url must be a valid URL: " + e.getMessage() + FORM));
                return;
            }
        }
        if (!"https".equals(url.getScheme())) {
            fault(path, url.getScheme(), "'https' is the only allowed URL scheme" + FORM);
        }
        if (url.getHost() == null) {
            fault(path, "", "host must be specified" + FORM);
        }
        if (url.getUserInfo() != null) {
            fault(path, url.getUserInfo(), "user information is not permitted in the URL");
        }
        if (url.getFragment() != null) {
            fault(path, url.getFragment(), "fragments are not permitted in the URL");
        }
        if (url.getRawQuery() != null) {
            fault(path, url.getRawQuery(), "query parameters are not permitted in the URL");
        }
    }

    private void fault(String path, @org.jspecify.annotations.Nullable String value, String detail) {
        errors.add(FieldError.invalid(path, TextNode.valueOf(value == null ? "" : value), detail));
    }

    private void service(JsonNode service, String path) {
        // The server looks at the one and names the other.
        if (service.path("namespace").asText().isEmpty()) {
            errors.add(FieldError.required(path + ".name", ""));
        }
        if (service.path("name").asText().isEmpty()) {
            errors.add(FieldError.required(path + ".namespace", ""));
        }
        JsonNode port = service.path("port");
        if (port.isNumber() && (port.asLong() < 1 || port.asLong() > MAX_PORT)) {
            errors.add(FieldError.invalid(
                    path + ".port", port, "port is not valid: must be between 1 and 65535, inclusive"));
        }
        servicePath(service.path("path").asText(), path + ".path");
    }

    private void servicePath(String text, String path) {
        if (text.isEmpty() || text.equals("/")) {
            return;
        }
        if (text.equals("//")) {
            fault(path, text, "segment[0] may not be empty");
            return;
        }
        if (!text.startsWith("/")) {
            fault(path, text, "must start with a '/'");
        }
        String inner = text.substring(1);
        String trimmed = inner.endsWith("/") ? inner.substring(0, inner.length() - 1) : inner;
        String[] steps = trimmed.split("/", -1);
        for (int i = 0; i < steps.length; i++) {
            if (steps[i].isEmpty()) {
                fault(path, text, "segment[" + i + "] may not be empty");
            } else if (!Names.isSubdomain(steps[i])) {
                fault(path, text, "segment[" + i + "]: " + Names.SUBDOMAIN);
            }
        }
    }
}
