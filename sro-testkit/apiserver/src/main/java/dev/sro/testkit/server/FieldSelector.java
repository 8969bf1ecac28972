package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
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
                            "spec.host",
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
    /** Types without namespaces that say so; others take the field, and it is nothing. */
    private static final List<String> NAMED_ONLY = List.of(
            "namespaces", "nodes", "certificatesigningrequests.certificates.k8s.io", "resourceslices.resource.k8s.io");

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
            "certificatesigningrequests.certificates.k8s.io");

    FieldSelector {
        terms = List.copyOf(terms);
    }

    static FieldSelector everything() {
        return EVERYTHING;
    }

    /**
     * The terms of a text, whatever fields there are.
     *
     * @throws ApiException if it is no selector
     */
    static List<Term> terms(String text) {
        List<String> parts = split(text);
        Collections.sort(parts);
        List<Term> terms = new ArrayList<>();
        for (String part : parts) {
            if (!part.isEmpty()) {
                terms.add(term(text, part));
            }
        }
        return terms;
    }

    /** At commas, but for those behind a backslash. */
    private static List<String> split(String text) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (text.charAt(i) == ',') {
                parts.add(text.substring(from, i));
                from = i + 1;
            }
        }
        parts.add(text.substring(from));
        return parts;
    }

    private static Term term(String whole, String part) {
        int at = part.indexOf('=');
        if (at < 0) {
            throw Errors.badRequest("invalid selector: '" + whole + "'; can't understand '" + part + "'");
        }
        boolean not = at > 0 && part.charAt(at - 1) == '!';
        int from = at + 1;
        if (!not && part.length() > from && part.charAt(from) == '=') {
            from++;
        }
        return new Term(part.substring(0, not ? at - 1 : at), !not, unescaped(part.substring(from)));
    }

    private static String unescaped(String value) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == ',' || c == '=') {
                throw Errors.badRequest("invalid field selector: unescaped character in value: " + c);
            }
            if (c == '\\') {
                i++;
                String escaped = i < value.length() ? value.substring(i, i + 1) : "";
                if (escaped.isEmpty() || !"\\,=".contains(escaped)) {
                    throw Errors.badRequest("invalid field selector: invalid escape sequence: \\" + escaped);
                }
                c = escaped.charAt(0);
            }
            plain.append(c);
        }
        return plain.toString();
    }

    private static List<String> metadataOf(ResourceType type) {
        boolean named = type.custom()
                ? !type.namespaced()
                : NAMED_ONLY.contains(type.gvr().groupResource());
        return named ? METADATA.subList(0, 1) : METADATA;
    }

    /** Terms on the fields that a type offers; {@code more} are those of a custom resource. */
    static FieldSelector of(List<Term> terms, ResourceType type, List<String> more) {
        List<String> special = MORE.getOrDefault(type.gvr().groupResource(), List.of());
        List<Term> known = new ArrayList<>();
        for (Term term : terms) {
            String field = term.field();
            if (!metadataOf(type).contains(field) && !special.contains(field) && !more.contains(field)) {
                throw Errors.badRequest(unsupported(field, type));
            }
            known.add(new Term(stored(field, type), term.equal(), term.value()));
        }
        return new FieldSelector(known);
    }

    /** Events are kept as those of the core; nodes of pods had another name once. */
    private static String stored(String field, ResourceType type) {
        if (field.equals("spec.host")) {
            return "spec.nodeName";
        }
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
        switch (type.gvr().groupResource()) {
            case "resourceslices.resource.k8s.io" -> {
                return "field label not supported for " + type.apiVersion() + ", Kind=ResourceSlice: " + field;
            }
            case "jobs.batch" -> {
                return "field label \"" + field + "\" not supported for Job";
            }
            default -> {
                return TERSE.contains(type.gvr().groupResource())
                        ? "field label not supported: " + field
                        : "\"" + field
                                + "\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
            }
        }
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
