package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Pattern;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Validation of pods and pod templates. */
final class PodValidation {
    static final int MAX_PORT = 65_535;
    static final String PORT_RANGE = "must be between 1 and 65535, inclusive";

    private static final Set<String> TAINT_EFFECTS = Set.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final Pattern QUALIFIED = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final String QUALIFIED_TEXT =
            "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
                    + " character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is"
                    + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    private static final String UPDATE_TEXT =
            "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
                    + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
                    + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n";

    private final List<FieldError> errors = new ArrayList<>();
    private final Set<String> containerNames = new HashSet<>();
    private final Set<String> volumeNames = new HashSet<>();

    private final PodClaimValidation claims;

    private PodValidation(ObjectNode spec) {
        this.claims = new PodClaimValidation(spec, errors);
    }

    static List<FieldError> validate(ObjectNode spec, String path) {
        PodValidation v = new PodValidation(spec);
        v.volumes(JsonTree.objects(spec, "volumes"), path + ".volumes");
        v.claims.claims(JsonTree.objects(spec, "resourceClaims"), path + ".resourceClaims");
        List<ObjectNode> containers = JsonTree.objects(spec, "containers");
        if (containers.isEmpty()) {
            v.errors.add(FieldError.required(path + ".containers", ""));
        }
        v.containers(containers, path + ".containers");
        v.containers(JsonTree.objects(spec, "initContainers"), path + ".initContainers");
        v.oneOf(spec, "restartPolicy", path, "Always", "OnFailure", "Never");
        v.oneOf(spec, "dnsPolicy", path, "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");
        return v.errors;
    }

    private void oneOf(JsonNode parent, String field, String path, String... values) {
        String value = JsonTree.text(parent, field);
        if (!value.isEmpty() && !List.of(values).contains(value)) {
            List<String> quoted =
                    List.of(values).stream().map(v -> "\"" + v + "\"").toList();
            errors.add(FieldError.notSupported(path + "." + field, TextNode.valueOf(value), quoted));
        }
    }

    private void volumes(List<ObjectNode> volumes, String path) {
        for (int i = 0; i < volumes.size(); i++) {
            String at = path + "[" + i + "]";
            name(volumes.get(i), at, volumeNames);
            List<String> sources = new ArrayList<>();
            volumes.get(i).fieldNames().forEachRemaining(sources::add);
            sources.remove("name");
            for (String source : sources.subList(Math.min(1, sources.size()), sources.size())) {
                errors.add(FieldError.forbidden(at + "." + source, "may not specify more than 1 volume type"));
            }
        }
    }

    private void name(ObjectNode item, String path, Set<String> seen) {
        String name = JsonTree.text(item, "name");
        if (name.isEmpty()) {
            errors.add(FieldError.required(path + ".name", ""));
        } else if (!Names.isDns1123Label(name)) {
            errors.add(FieldError.invalid(path + ".name", TextNode.valueOf(name), Names.DNS1123_LABEL));
        } else if (!seen.add(name)) {
            errors.add(FieldError.duplicate(path + ".name", TextNode.valueOf(name)));
        }
    }

    private void containers(List<ObjectNode> containers, String path) {
        for (int i = 0; i < containers.size(); i++) {
            ObjectNode container = containers.get(i);
            String at = path + "[" + i + "]";
            name(container, at, containerNames);
            if (JsonTree.text(container, "image").isEmpty()) {
                errors.add(FieldError.required(at + ".image", ""));
            }
            oneOf(container, "imagePullPolicy", at, "Always", "IfNotPresent", "Never");
            oneOf(container, "terminationMessagePolicy", at, "FallbackToLogsOnError", "File");
            ports(JsonTree.objects(container, "ports"), at + ".ports");
            env(JsonTree.objects(container, "env"), at + ".env");
            mounts(JsonTree.objects(container, "volumeMounts"), at + ".volumeMounts");
            resources(container.path("resources"), at + ".resources");
            claims.uses(JsonTree.objects(container.path("resources"), "claims"), at + ".resources.claims");
        }
    }

    private void ports(List<ObjectNode> ports, String path) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            String at = path + "[" + i + "]";
            String name = JsonTree.text(ports.get(i), "name");
            if (!name.isEmpty() && !names.add(name)) {
                errors.add(FieldError.duplicate(at + ".name", TextNode.valueOf(name)));
            }
            int port = ports.get(i).path("containerPort").asInt();
            if (port == 0) {
                errors.add(FieldError.required(at + ".containerPort", ""));
            } else if (port < 0 || port > MAX_PORT) {
                errors.add(
                        FieldError.invalid(at + ".containerPort", ports.get(i).get("containerPort"), PORT_RANGE));
            }
            oneOf(ports.get(i), "protocol", at, "SCTP", "TCP", "UDP");
        }
    }

    private void env(List<ObjectNode> env, String path) {
        for (int i = 0; i < env.size(); i++) {
            String at = path + "[" + i + "]";
            if (JsonTree.text(env.get(i), "name").isEmpty()) {
                errors.add(FieldError.required(at + ".name", ""));
            }
            if (env.get(i).has("valueFrom")
                    && !JsonTree.text(env.get(i), "value").isEmpty()) {
                errors.add(FieldError.invalid(
                        at + ".valueFrom", TextNode.valueOf(""), "may not be specified when `value` is not empty"));
            }
        }
    }

    private void mounts(List<ObjectNode> mounts, String path) {
        Set<String> paths = new HashSet<>();
        for (int i = 0; i < mounts.size(); i++) {
            String at = path + "[" + i + "]";
            String name = JsonTree.text(mounts.get(i), "name");
            if (name.isEmpty()) {
                errors.add(FieldError.required(at + ".name", ""));
            } else if (!volumeNames.contains(name)) {
                errors.add(FieldError.of("FieldValueNotFound", "Not found: " + TextNode.valueOf(name), at + ".name"));
            }
            String mountPath = JsonTree.text(mounts.get(i), "mountPath");
            if (mountPath.isEmpty()) {
                errors.add(FieldError.required(at + ".mountPath", ""));
            } else if (!paths.add(mountPath)) {
                errors.add(FieldError.invalid(at + ".mountPath", TextNode.valueOf(mountPath), "must be unique"));
            }
        }
    }

    private void resources(JsonNode resources, String path) {
        JsonNode limits = resources.path("limits");
        for (Map.Entry<String, JsonNode> request : resources.path("requests").properties()) {
            String name = request.getKey();
            boolean extended = name.contains("/") && !name.startsWith("kubernetes.io/");
            JsonNode limit = limits.get(name);
            if (limit == null) {
                if (extended || name.startsWith("hugepages-")) {
                    errors.add(FieldError.required(
                            path + ".limits", "Limit must be set for non overcommitable resources"));
                }
                continue;
            }
            Optional<BigDecimal> wanted = Quantities.value(request.getValue().asText());
            Optional<BigDecimal> allowed = Quantities.value(limit.asText());
            if (wanted.isPresent() && allowed.isPresent()) {
                int order = wanted.get().compareTo(allowed.get());
                if (extended && order != 0) {
                    errors.add(FieldError.invalid(
                            path + ".requests",
                            request.getValue(),
                            "must be equal to " + name + " limit of " + limit.asText()));
                } else if (order > 0) {
                    errors.add(FieldError.invalid(
                            path + ".requests",
                            request.getValue(),
                            "must be less than or equal to " + name + " limit of " + limit.asText()));
                }
            }
        }
    }

    /** What may not change in a pod. The server adds a difference in its own notation to the text, which is left out here. */
    static List<FieldError> update(ObjectNode spec, JsonNode old) {
        List<FieldError> errors = new ArrayList<>();
        boolean gated = !old.path("schedulingGates").isEmpty();
        Set<String> gates = new HashSet<>();
        old.path("schedulingGates").forEach(g -> gates.add(g.path("name").asText()));
        List<ObjectNode> now = JsonTree.objects(spec, "schedulingGates");
        for (int i = 0; i < now.size(); i++) {
            String gate = JsonTree.text(now.get(i), "name");
            if (!gates.contains(gate)) {
                errors.add(FieldError.forbidden(
                        "spec.schedulingGates[" + i + "].name",
                        "only deletion is allowed, but found new scheduling gate '" + gate + "'"));
                return errors;
            }
        }
        if (gated && !includes(spec.path("nodeSelector"), old.path("nodeSelector"))) {
            errors.add(FieldError.invalid(
                    "spec.nodeSelector",
                    spec.get("nodeSelector"),
                    "only additions to spec.nodeSelector are allowed (no mutations or deletions)"));
            return errors;
        }
        // Simulated schedulers bind by writing the node's name, which on a real server goes through pods/binding.
        boolean bound = !JsonTree.text(old, "nodeName").isEmpty();
        if (!comparable(spec, gated, bound).equals(comparable(old, gated, bound))) {
            errors.add(FieldError.forbidden("spec", UPDATE_TEXT));
        }
        return errors;
    }

    private static boolean includes(JsonNode all, JsonNode part) {
        for (Map.Entry<String, JsonNode> e : part.properties()) {
            if (!e.getValue().equals(all.get(e.getKey()))) {
                return false;
            }
        }
        return true;
    }

    private static JsonNode comparable(JsonNode spec, boolean gated, boolean bound) {
        ObjectNode copy = spec.deepCopy();
        copy.remove(
                List.of("activeDeadlineSeconds", "tolerations", "terminationGracePeriodSeconds", "schedulingGates"));
        if (gated) {
            copy.remove(List.of("nodeSelector", "affinity"));
        }
        if (!bound) {
            copy.remove("nodeName");
        }
        for (String list : new String[] {"containers", "initContainers"}) {
            for (ObjectNode container : JsonTree.objects(copy, list)) {
                container.remove("image");
            }
        }
        return copy;
    }

    static List<FieldError> taints(List<ObjectNode> taints) {
        List<FieldError> errors = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < taints.size(); i++) {
            String at = "metadata.taints[" + i + "]";
            String key = JsonTree.text(taints.get(i), "key");
            String effect = JsonTree.text(taints.get(i), "effect");
            if (key.isEmpty()) {
                errors.add(FieldError.invalid(at + ".key", TextNode.valueOf(""), "name part must be non-empty"));
            }
            String name = key.substring(key.indexOf('/') + 1);
            if (!QUALIFIED.matches(name)) {
                errors.add(FieldError.invalid(at + ".key", TextNode.valueOf(key), QUALIFIED_TEXT));
            }
            if (!TAINT_EFFECTS.contains(effect)) {
                errors.add(FieldError.notSupported(
                        at + ".effect",
                        TextNode.valueOf(effect),
                        List.of("\"NoSchedule\"", "\"PreferNoSchedule\"", "\"NoExecute\"")));
            }
            if (!seen.add(key + "\u0000" + effect)) {
                ObjectNode shown = JsonNodeFactory.instance.objectNode();
                shown.put("Key", key)
                        .put("Value", JsonTree.text(taints.get(i), "value"))
                        .put("Effect", effect);
                shown.set(
                        "TimeAdded",
                        taints.get(i).has("timeAdded")
                                ? taints.get(i).get("timeAdded")
                                : JsonNodeFactory.instance.nullNode());
                errors.add(FieldError.of(
                        "FieldValueDuplicate",
                        "Duplicate value: " + shown + ": taints must be unique by key and effect pair",
                        at));
            }
        }
        return errors;
    }
}
