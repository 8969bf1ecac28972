package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A field selector: equality on the few fields that a type offers for it. */
record FieldSelector(List<Term> terms) {
    record Term(String field, boolean equal, String value) {}

    private static final FieldSelector EVERYTHING = new FieldSelector(List.of());
    private static final List<String> METADATA = List.of("metadata.name", "metadata.namespace");
    private static final Map<String, List<String>> MORE = Map.ofEntries(
            Map.entry(
                    "pods",
                    List.of(
                            "spec.nodeName",
                            "spec.restartPolicy",
                            "spec.schedulerName",
                            "spec.serviceAccountName",
                            "spec.hostNetwork",
                            "status.phase",
                            "status.podIP",
                            "status.podIPs",
                            "status.nominatedNodeName")),
            Map.entry("nodes", List.of("spec.unschedulable")),
            Map.entry("namespaces", List.of("status.phase")),
            Map.entry("secrets", List.of("type")),
            Map.entry("services", List.of("spec.clusterIP", "spec.type")),
            Map.entry("replicationcontrollers", List.of("status.replicas")),
            Map.entry("replicasets.apps", List.of("status.replicas")),
            Map.entry("jobs.batch", List.of("status.successful")),
            Map.entry(
                    "events",
                    List.of(
                            "involvedObject.kind",
                            "involvedObject.namespace",
                            "involvedObject.name",
                            "involvedObject.uid",
                            "involvedObject.apiVersion",
                            "involvedObject.resourceVersion",
                            "involvedObject.fieldPath",
                            "reason",
                            "reportingComponent",
                            "source",
                            "type")),
            Map.entry(
                    "events.events.k8s.io",
                    List.of(
                            "regarding.kind",
                            "regarding.namespace",
                            "regarding.name",
                            "regarding.uid",
                            "regarding.apiVersion",
                            "regarding.resourceVersion",
                            "regarding.fieldPath",
                            "reason",
                            "reportingController",
                            "type")),
            Map.entry("certificatesigningrequests.certificates.k8s.io", List.of("spec.signerName")),
            Map.entry("resourceslices.resource.k8s.io", List.of("spec.nodeName", "spec.driver")));
    /** The types whose refusal names no alternatives. */
    private static final List<String> TERSE = List.of(
            "pods",
            "nodes",
            "namespaces",
            "secrets",
            "services",
            "replicationcontrollers",
            "events",
            "events.events.k8s.io",
            "jobs.batch",
            "replicasets.apps",
            "certificatesigningrequests.certificates.k8s.io",
            "resourceslices.resource.k8s.io");

    FieldSelector {
        terms = List.copyOf(terms);
    }

    static FieldSelector everything() {
        return EVERYTHING;
    }

    /** Parses the query parameter for a type; {@code more} are the selectable fields of a custom resource. */
    static FieldSelector parse(String text, ResourceType type, List<String> more) {
        if (text.isBlank()) {
            return EVERYTHING;
        }
        List<Term> terms = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            if (!part.isEmpty()) {
                terms.add(term(text, part, type, more));
            }
        }
        return new FieldSelector(terms);
    }

    /** Refuses a text that is no selector, whatever fields there are. */
    static void checkForm(String text) {
        for (String part : text.split(",", -1)) {
            if (!part.isEmpty() && !part.contains("=")) {
                throw Errors.badRequest("invalid selector: '" + text + "'; can't understand '" + part + "'");
            }
        }
    }

    private static Term term(String whole, String part, ResourceType type, List<String> more) {
        int at = part.indexOf('=');
        if (at < 0) {
            throw Errors.badRequest("invalid selector: '" + whole + "'; can't understand '" + part + "'");
        }
        boolean not = at > 0 && part.charAt(at - 1) == '!';
        int from = at + 1;
        if (!not && part.length() > from && part.charAt(from) == '=') {
            from++;
        }
        String field = part.substring(0, not ? at - 1 : at);
        List<String> special = MORE.getOrDefault(type.gvr().groupResource(), List.of());
        if (!METADATA.contains(field) && !special.contains(field) && !more.contains(field)) {
            throw Errors.badRequest(unsupported(field, type));
        }
        return new Term(stored(field, type), !not, part.substring(from));
    }

    /** Events are kept as those of the core. */
    private static String stored(String field, ResourceType type) {
        if (!type.gvr().groupResource().equals("events.events.k8s.io")) {
            return field;
        }
        return field.equals("reportingController")
                ? "reportingComponent"
                : field.replaceFirst("^regarding\\.", "involvedObject.");
    }

    private static String unsupported(String field, ResourceType type) {
        if (type.custom()) {
            return "field label not supported: " + field;
        }
        return TERSE.contains(type.gvr().groupResource())
                ? "field label not supported: " + field
                : "\"" + field + "\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
    }

    boolean isEverything() {
        return terms.isEmpty();
    }

    /** The one name this selector asks for, or null. */
    @Nullable String name() {
        return terms.stream()
                .filter(t -> t.equal() && t.field().equals("metadata.name"))
                .map(Term::value)
                .findFirst()
                .orElse(null);
    }

    /** The one node this selector asks for, or null. */
    @Nullable String nodeName() {
        return terms.stream()
                .filter(t -> t.equal()
                        && t.field().equals("spec.nodeName")
                        && !t.value().isEmpty())
                .map(Term::value)
                .findFirst()
                .orElse(null);
    }

    boolean matches(JsonNode object) {
        for (Term term : terms) {
            if (value(object, term.field()).equals(term.value()) != term.equal()) {
                return false;
            }
        }
        return true;
    }

    private static String value(JsonNode object, String field) {
        switch (field) {
            case "spec.unschedulable", "spec.hostNetwork" -> {
                return object.path("spec").path(field.substring(5)).asBoolean() ? "true" : "false";
            }
            case "status.successful" -> {
                return Integer.toString(object.path("status").path("succeeded").asInt());
            }
            case "source" -> {
                String component = Json.text(object, "source", "component");
                return component.isEmpty() ? Json.text(object, "reportingComponent") : component;
            }
            default -> {
                JsonNode at = object;
                for (String step : field.split("\\.")) {
                    at = at.path(step);
                }
                return at.isValueNode() && !at.isNull() ? at.asText() : "";
            }
        }
    }
}
