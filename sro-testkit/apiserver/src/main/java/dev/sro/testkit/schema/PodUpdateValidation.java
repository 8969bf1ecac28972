package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** What may not change in a pod, in the order in which the server looks at it. One use. */
final class PodUpdateValidation {
    private static final String UPDATE_TEXT =
            "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,"
                    + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),"
                    + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)\n";

    private static final List<String> CONTAINERS = List.of("containers", "initContainers");
    private static final String TERMS =
            "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution" + ".nodeSelectorTerms";

    private final Checks checks = new Checks(new ArrayList<>());
    private final ObjectNode spec;
    private final JsonNode old;

    private PodUpdateValidation(ObjectNode spec, JsonNode old) {
        this.spec = spec;
        this.old = old;
    }

    /** The server adds a difference in its own notation to the text, which is left out here. */
    static List<FieldError> validate(ObjectNode spec, JsonNode old) {
        PodUpdateValidation v = new PodUpdateValidation(spec, old);
        if (v.containers() && v.deadline()) {
            v.tolerations();
            v.gates();
            v.rest();
        }
        return v.checks.errors();
    }

    private boolean containers() {
        for (String list : CONTAINERS) {
            if (spec.path(list).size() != old.path(list).size()) {
                checks.errors()
                        .add(FieldError.forbidden("spec." + list, "pod updates may not add or remove containers"));
                return false;
            }
            List<ObjectNode> containers = JsonTree.objects(spec, list);
            for (int i = 0; i < containers.size(); i++) {
                String image = JsonTree.text(containers.get(i), "image");
                String at = "spec." + list + "[" + i + "].image";
                if (image.isEmpty()) {
                    checks.required(at, "");
                }
                if (!image.strip().equals(image)) {
                    checks.invalid(at, image, "must not have leading or trailing whitespace");
                }
            }
        }
        return true;
    }

    private boolean deadline() {
        JsonNode now = spec.path("activeDeadlineSeconds");
        JsonNode before = old.path("activeDeadlineSeconds");
        if (!now.isNumber()) {
            if (before.isNumber()) {
                checks.invalid(
                        "spec.activeDeadlineSeconds",
                        NullNode.getInstance(),
                        "must not update from a positive integer to nil value");
            }
            return true;
        }
        if (now.asLong() < 0 || now.asLong() > Integer.MAX_VALUE) {
            checks.invalid("spec.activeDeadlineSeconds", now, "must be between 0 and 2147483647, inclusive");
            return false;
        }
        if (before.isNumber() && before.asLong() < now.asLong()) {
            checks.invalid("spec.activeDeadlineSeconds", now, "must be less than or equal to previous value");
            return false;
        }
        return true;
    }

    private void tolerations() {
        List<ObjectNode> now = JsonTree.objects(spec, "tolerations");
        for (JsonNode before : old.path("tolerations")) {
            boolean kept =
                    now.stream().anyMatch(toleration -> withoutTime(toleration).equals(withoutTime(before)));
            if (!kept) {
                checks.errors()
                        .add(FieldError.forbidden(
                                "spec.tolerations",
                                "existing toleration can not be modified except its tolerationSeconds"));
                return;
            }
        }
        new SchedulingValidation(checks).tolerations(now, "spec.tolerations");
    }

    private static JsonNode withoutTime(JsonNode toleration) {
        ObjectNode copy = toleration.deepCopy();
        copy.remove("tolerationSeconds");
        return copy;
    }

    private void gates() {
        Set<String> gates = new HashSet<>();
        old.path("schedulingGates").forEach(g -> gates.add(g.path("name").asText()));
        List<ObjectNode> now = JsonTree.objects(spec, "schedulingGates");
        for (int i = 0; i < now.size(); i++) {
            String gate = JsonTree.text(now.get(i), "name");
            if (!gates.contains(gate)) {
                checks.errors()
                        .add(FieldError.forbidden(
                                "spec.schedulingGates[" + i + "].name",
                                "only deletion is allowed, but found new scheduling gate '" + gate + "'"));
            }
        }
    }

    private void rest() {
        boolean gated = !old.path("schedulingGates").isEmpty();
        if (gated) {
            nodeSelector();
            nodeAffinity();
        }
        // Simulated schedulers bind by writing the node's name, which on a real server goes through pods/binding.
        boolean bound = !JsonTree.text(old, "nodeName").isEmpty();
        if (!comparable(spec, gated, bound).equals(comparable(old, gated, bound))) {
            checks.errors().add(FieldError.forbidden("spec", UPDATE_TEXT));
        }
    }

    private void nodeSelector() {
        JsonNode now = spec.path("nodeSelector");
        for (Map.Entry<String, JsonNode> e : old.path("nodeSelector").properties()) {
            if (!e.getValue().equals(now.get(e.getKey()))) {
                checks.invalid(
                        "spec.nodeSelector",
                        now.isMissingNode() ? NullNode.getInstance() : now,
                        "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
                return;
            }
        }
    }

    private static JsonNode terms(JsonNode spec) {
        return spec.path("affinity")
                .path("nodeAffinity")
                .path("requiredDuringSchedulingIgnoredDuringExecution")
                .path("nodeSelectorTerms");
    }

    private void nodeAffinity() {
        JsonNode before = terms(old);
        JsonNode now = terms(spec);
        if (before.isEmpty()) {
            return;
        }
        if (before.size() != now.size()) {
            checks.errors()
                    .add(InternalForm.invalid(
                            TERMS,
                            "[NodeSelectorTerm]",
                            now,
                            "no additions/deletions to non-empty NodeSelectorTerms list are allowed"));
            return;
        }
        for (int i = 0; i < before.size(); i++) {
            if (!onlyAdds(now.get(i), before.get(i))) {
                checks.errors()
                        .add(InternalForm.invalid(
                                TERMS + "[" + i + "]",
                                "NodeSelectorTerm",
                                now.get(i),
                                "only additions are allowed (no mutations or deletions)"));
            }
        }
    }

    /** A term without requirements matches nothing, so that adding some to it would widen it. */
    private static boolean onlyAdds(JsonNode now, JsonNode before) {
        boolean none = before.path("matchExpressions").isEmpty()
                && before.path("matchFields").isEmpty();
        if (none
                && !(now.path("matchExpressions").isEmpty()
                        && now.path("matchFields").isEmpty())) {
            return false;
        }
        for (String list : List.of("matchExpressions", "matchFields")) {
            for (int i = 0; i < before.path(list).size(); i++) {
                if (!Objects.equals(now.path(list).get(i), before.path(list).get(i))) {
                    return false;
                }
            }
        }
        return true;
    }

    private JsonNode comparable(JsonNode of, boolean gated, boolean bound) {
        ObjectNode copy = of.deepCopy();
        copy.remove(List.of("activeDeadlineSeconds", "tolerations", "schedulingGates"));
        if (old.path("terminationGracePeriodSeconds").asLong() < 0
                && spec.path("terminationGracePeriodSeconds").asLong() == 1) {
            copy.remove("terminationGracePeriodSeconds");
        }
        if (gated) {
            copy.remove("nodeSelector");
            if (copy.get("affinity") instanceof ObjectNode affinity) {
                affinity.remove("nodeAffinity");
                if (affinity.isEmpty()) {
                    copy.remove("affinity");
                }
            }
        }
        if (!bound) {
            copy.remove("nodeName");
        }
        for (String list : CONTAINERS) {
            JsonTree.objects(copy, list).forEach(container -> container.remove("image"));
        }
        return copy;
    }
}
