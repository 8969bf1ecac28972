package dev.sro.testkit.server;

import static dev.sro.testkit.server.TableColumns.NONE;
import static dev.sro.testkit.server.TableColumns.age;
import static dev.sro.testkit.server.TableColumns.column;
import static dev.sro.testkit.server.TableColumns.orNone;
import static dev.sro.testkit.server.TableColumns.since;
import static dev.sro.testkit.server.TableColumns.wide;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.server.TableColumns.Column;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The columns of what rules a cluster: rights, classes, quotas, policies; and of events. Stateless. */
final class ClusterColumns {
    private static final String UNSET = "<unset>";

    static final Map<String, List<Column>> BY_KIND = Map.ofEntries(
            Map.entry("Event", events()),
            Map.entry("RoleBinding", binding()),
            Map.entry("ClusterRoleBinding", binding()),
            Map.entry("ServiceAccount", List.of(age())),
            Map.entry("Lease", List.of(column("Holder", o -> Json.text(o, "spec", "holderIdentity")), age())),
            Map.entry("RuntimeClass", List.of(column("Handler", o -> Json.text(o, "handler")), age())),
            Map.entry(
                    "PriorityClass",
                    List.of(
                            column("Value", "integer", o -> o.path("value").asInt()),
                            column(
                                    "Global-Default",
                                    "boolean",
                                    o -> o.path("globalDefault").asBoolean()),
                            age(),
                            column("PreemptionPolicy", o -> Json.text(o, "preemptionPolicy")))),
            Map.entry(
                    "ResourceQuota",
                    List.of(column("Request", o -> quota(o, false)), column("Limit", o -> quota(o, true)), age())),
            Map.entry(
                    "APIService",
                    List.of(
                            column("Service", ClusterColumns::service),
                            column("Available", ClusterColumns::available),
                            age())),
            Map.entry(
                    "FlowSchema",
                    List.of(
                            column("PriorityLevel", o -> Json.text(o, "spec", "priorityLevelConfiguration", "name")),
                            column(
                                    "MatchingPrecedence",
                                    o -> o.path("spec")
                                            .path("matchingPrecedence")
                                            .asInt()),
                            column(
                                    "DistinguisherMethod",
                                    o -> orNone(Json.text(o, "spec", "distinguisherMethod", "type"))),
                            age(),
                            column("MissingPL", o -> condition(o, "Dangling")))),
            Map.entry("PriorityLevelConfiguration", level()),
            Map.entry("ValidatingWebhookConfiguration", List.of(size("Webhooks", "webhooks"), age())),
            Map.entry("MutatingWebhookConfiguration", List.of(size("Webhooks", "webhooks"), age())),
            Map.entry("ValidatingAdmissionPolicy", policy("Validations", "validations")),
            Map.entry("MutatingAdmissionPolicy", policy("Mutations", "mutations")),
            Map.entry("ValidatingAdmissionPolicyBinding", policyBinding()),
            Map.entry("MutatingAdmissionPolicyBinding", policyBinding()),
            Map.entry(
                    "CertificateSigningRequest",
                    List.of(
                            age(),
                            column("SignerName", o -> Json.text(o, "spec", "signerName")),
                            column("Requestor", o -> Json.text(o, "spec", "username")),
                            column("RequestedDuration", ClusterColumns::requestedDuration),
                            column("Condition", ClusterColumns::decision))),
            Map.entry("DeviceClass", List.of(age())),
            Map.entry("ResourceClaimTemplate", List.of(age())),
            Map.entry("ResourceClaim", List.of(column("State", ClusterColumns::claim), age())),
            Map.entry(
                    "ResourceSlice",
                    List.of(
                            column("Node", o -> {
                                String node = Json.text(o, "spec", "nodeName");
                                return node.isEmpty() ? UNSET : node;
                            }),
                            column("Driver", o -> Json.text(o, "spec", "driver")),
                            column("Pool", o -> Json.text(o, "spec", "pool", "name")),
                            age())));

    private ClusterColumns() {}

    private static String requestedDuration(JsonNode request) {
        JsonNode seconds = request.path("spec").path("expirationSeconds");
        return seconds.isNumber() ? TableColumns.human(Duration.ofSeconds(seconds.asLong())) : "<none>";
    }

    private static String decision(JsonNode request) {
        Set<String> said = new HashSet<>();
        request.path("status").path("conditions").forEach(c -> said.add(Json.text(c, "type")));
        String decision = said.contains("Denied") ? "Denied" : said.contains("Approved") ? "Approved" : "Pending";
        return decision
                + (said.contains("Failed") ? ",Failed" : "")
                + (Json.text(request, "status", "certificate").isEmpty() ? "" : ",Issued");
    }

    private static Column size(String name, String field) {
        return column(name, "integer", o -> o.path(field).size());
    }

    private static List<Column> events() {
        return List.of(
                since("Last Seen", 0, ClusterColumns::last),
                column("Type", o -> Json.text(o, "type")),
                column("Reason", o -> Json.text(o, "reason")),
                column("Object", ClusterColumns::about),
                wide("Subobject", o -> Json.text(object(o), "fieldPath")),
                wide("Source", ClusterColumns::source),
                column("Message", o -> either(o, "message", "note").trim()),
                since("First Seen", 1, ClusterColumns::first),
                wide("Count", ClusterColumns::count),
                new Column("Name", "string", "name", 1, Json::name));
    }

    private static String either(JsonNode object, String one, String other) {
        String text = Json.text(object, one);
        return text.isEmpty() ? Json.text(object, other) : text;
    }

    private static JsonNode object(JsonNode event) {
        return event.has("involvedObject") ? event.path("involvedObject") : event.path("regarding");
    }

    private static String first(JsonNode event) {
        String first = either(event, "firstTimestamp", "deprecatedFirstTimestamp");
        return first.isEmpty() ? Json.text(event, "eventTime") : first;
    }

    private static String last(JsonNode event) {
        String last = either(event, "lastTimestamp", "deprecatedLastTimestamp");
        String series = Json.text(event, "series", "lastObservedTime");
        return series.isEmpty() ? (last.isEmpty() ? first(event) : last) : series;
    }

    private static String about(JsonNode event) {
        String kind = Json.text(object(event), "kind").toLowerCase(Locale.ROOT);
        String name = Json.text(object(event), "name");
        return name.isEmpty() ? kind : kind + "/" + name;
    }

    private static String source(JsonNode event) {
        JsonNode source = event.has("source") ? event.path("source") : event.path("deprecatedSource");
        String component = Json.text(source, "component");
        String host = Json.text(source, "host");
        if (component.isEmpty()) {
            component = either(event, "reportingComponent", "reportingController");
            host = host.isEmpty() ? Json.text(event, "reportingInstance") : host;
        }
        return host.isEmpty() ? component : component + ", " + host;
    }

    private static Object count(JsonNode event) {
        int count = event.path("count").asInt(event.path("deprecatedCount").asInt());
        int series = event.path("series").path("count").asInt();
        return series > 0 ? series : Math.max(1, count);
    }

    private static List<Column> binding() {
        return List.of(
                column("Role", o -> Json.text(o, "roleRef", "kind") + "/" + Json.text(o, "roleRef", "name")),
                age(),
                wide("Users", o -> subjects(o, "User")),
                wide("Groups", o -> subjects(o, "Group")),
                wide("ServiceAccounts", o -> subjects(o, "ServiceAccount")));
    }

    private static String subjects(JsonNode binding, String kind) {
        List<String> names = new ArrayList<>();
        for (JsonNode subject : binding.path("subjects")) {
            if (Json.text(subject, "kind").equals(kind)) {
                String namespace = kind.equals("ServiceAccount") ? Json.text(subject, "namespace") + "/" : "";
                names.add(namespace + Json.text(subject, "name"));
            }
        }
        return String.join(", ", names);
    }

    private static String quota(JsonNode quota, boolean limits) {
        Map<String, String> hard = new TreeMap<>();
        quota.path("status")
                .path("hard")
                .properties()
                .forEach(one -> hard.put(one.getKey(), one.getValue().asText()));
        List<String> parts = new ArrayList<>();
        hard.forEach((name, amount) -> {
            if (name.startsWith("limits") == limits) {
                String used = Json.text(quota, "status", "used", name);
                parts.add(name + ": " + (used.isEmpty() ? "0" : used) + "/" + amount);
            }
        });
        return String.join(", ", parts);
    }

    private static String service(JsonNode apiService) {
        JsonNode service = apiService.path("spec").path("service");
        return service.isObject() ? Json.text(service, "namespace") + "/" + Json.text(service, "name") : "Local";
    }

    private static String available(JsonNode apiService) {
        for (JsonNode condition : apiService.path("status").path("conditions")) {
            if (Json.text(condition, "type").equals("Available")) {
                String status = Json.text(condition, "status");
                return status.equals("True") ? status : status + " (" + Json.text(condition, "reason") + ")";
            }
        }
        return "Unknown";
    }

    private static String condition(JsonNode object, String type) {
        for (JsonNode condition : object.path("status").path("conditions")) {
            if (Json.text(condition, "type").equals(type)) {
                return Json.text(condition, "status");
            }
        }
        return "?";
    }

    private static List<Column> level() {
        return List.of(
                column("Type", o -> Json.text(o, "spec", "type")),
                column("NominalConcurrencyShares", o -> number(o, "nominalConcurrencyShares")),
                column("Queues", o -> queuing(o, "queues")),
                column("HandSize", o -> queuing(o, "handSize")),
                column("QueueLengthLimit", o -> queuing(o, "queueLengthLimit")),
                age());
    }

    private static Object number(JsonNode level, String field) {
        JsonNode spec = level.path("spec");
        JsonNode value = spec.path(spec.has("limited") ? "limited" : "exempt").path(field);
        return value.isNumber() ? value : NONE;
    }

    private static Object queuing(JsonNode level, String field) {
        JsonNode value = level.path("spec")
                .path("limited")
                .path("limitResponse")
                .path("queuing")
                .path(field);
        return value.isNumber() ? value : NONE;
    }

    private static List<Column> policy(String name, String field) {
        return List.of(
                column(name, "integer", o -> o.path("spec").path(field).size()),
                column("ParamKind", o -> {
                    JsonNode kind = o.path("spec").path("paramKind");
                    return kind.isObject() ? Json.text(kind, "apiVersion") + "/" + Json.text(kind, "kind") : UNSET;
                }),
                age());
    }

    private static List<Column> policyBinding() {
        return List.of(
                column("PolicyName", o -> Json.text(o, "spec", "policyName")),
                column("ParamRef", o -> {
                    JsonNode reference = o.path("spec").path("paramRef");
                    String namespace = Json.text(reference, "namespace");
                    String name = Json.text(reference, "name");
                    return !reference.isObject()
                            ? UNSET
                            : (namespace.isEmpty() ? "*" : namespace) + "/" + (name.isEmpty() ? "*" : name);
                }),
                age());
    }

    private static String claim(JsonNode claim) {
        List<String> states = new ArrayList<>();
        if (Json.terminating(claim)) {
            states.add("deleted");
        }
        JsonNode status = claim.path("status");
        if (!status.has("allocation")) {
            if (states.isEmpty()) {
                states.add("pending");
            }
        } else {
            states.add("allocated");
            if (!status.path("reservedFor").isEmpty()) {
                states.add("reserved");
            }
        }
        return String.join(",", states);
    }
}
