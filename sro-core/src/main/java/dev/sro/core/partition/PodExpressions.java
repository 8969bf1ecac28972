package dev.sro.core.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * {@link PodRules} as CEL expressions for the API server. They use {@code has()} and no optional fields, so that webhooks of Kubernetes
 * 1.28 know them. All names in them were checked, so none holds a quote. Stateless.
 */
final class PodExpressions {

    private PodExpressions() {}

    /** Whether a container of the pod asks for one of the resources. */
    static String asksForResource(PodRules rules) {
        String any = "c, has(c.resources) && (" + anyOf("c.resources.requests", rules) + " || "
                + anyOf("c.resources.limits", rules) + ")";
        return "object.spec.containers.exists(" + any + ") || (has(object.spec.initContainers)"
                + " && object.spec.initContainers.exists(" + any + "))";
    }

    private static String anyOf(String field, PodRules rules) {
        return "has(" + field + ") && " + field + ".exists(r, " + isOne(rules.resources()) + ")";
    }

    private static String isOne(List<String> names) {
        List<String> parts = new ArrayList<>();
        List<String> whole = names.stream().filter(name -> !name.endsWith("*")).toList();
        if (!whole.isEmpty()) {
            parts.add("r in " + list(whole));
        }
        names.stream()
                .filter(name -> name.endsWith("*"))
                .forEach(name -> parts.add("r.startsWith('" + name.substring(0, name.length() - 1) + "')"));
        return String.join(" || ", parts);
    }

    /** Whether the parameter, a claim or a template of claims, asks for one of the device classes, and the pod refers to it. */
    static String asksByClaim(PodRules rules, boolean template) {
        String requests = template ? "params.spec.spec.devices.requests" : "params.spec.devices.requests";
        String devices = template ? "params.spec.spec.devices" : "params.spec.devices";
        String spec = template ? "has(params.spec.spec.devices)" : "has(params.spec.devices)";
        String field = template ? "resourceClaimTemplateName" : "resourceClaimName";
        String classes = list(rules.deviceClasses());
        return spec + " && has(" + devices + ".requests) && " + requests + ".exists(r, (has(r.exactly)"
                + " && r.exactly.deviceClassName in " + classes + ") || (has(r.firstAvailable)"
                + " && r.firstAvailable.exists(s, s.deviceClassName in " + classes + ")))"
                + " && has(object.spec.resourceClaims) && object.spec.resourceClaims.exists(c, has(c." + field + ")"
                + " && c." + field + " == params.metadata.name)";
    }

    /** Whether the pod lacks something. */
    static String lacks(PodRules rules) {
        List<String> parts = new ArrayList<>();
        rules.tolerations().forEach(toleration -> parts.add("!(" + tolerates(toleration) + ")"));
        if (rules.defaultClass().isPresent()) {
            parts.add(namesNoClass());
        }
        return String.join(" || ", parts);
    }

    private static String tolerates(Map<String, Object> toleration) {
        return "has(object.spec.tolerations) && object.spec.tolerations.exists(t, has(t.operator) && t.operator =="
                + " 'Exists' && (!has(t.key) || t.key in ['', '" + toleration.get("key") + "'])"
                + " && (!has(t.effect) || t.effect in ['', '" + toleration.get("effect") + "']))";
    }

    private static String namesNoClass() {
        return "!has(object.spec.priorityClassName) || object.spec.priorityClassName == ''";
    }

    /** The operations of a JSON patch that give the pod what it lacks. */
    static String patch(PodRules rules) {
        List<String> parts = new ArrayList<>();
        if (!rules.tolerations().isEmpty()) {
            parts.add("(has(object.spec.tolerations) ? [] : [JSONPatch{op: 'add', path: '/spec/tolerations', value:"
                    + " []}])");
        }
        for (Map<String, Object> toleration : rules.tolerations()) {
            parts.add("(" + tolerates(toleration) + " ? [] : [JSONPatch{op: 'add', path: '/spec/tolerations/-', value:"
                    + " Object.spec.tolerations{key: '" + toleration.get("key") + "', operator: 'Exists', effect: '"
                    + toleration.get("effect") + "'}}])");
        }
        rules.defaultClass()
                .ifPresent(wanted -> parts.add("(" + namesNoClass() + " ? ["
                        + add("priorityClassName", "'" + wanted.name() + "'") + ", "
                        + add("priority", String.valueOf(wanted.value())) + ", "
                        + add("preemptionPolicy", "'" + wanted.preemptionPolicy() + "'") + "] : [])"));
        return String.join(" + ", parts);
    }

    private static String add(String field, String value) {
        return "JSONPatch{op: 'add', path: '/spec/" + field + "', value: " + value + "}";
    }

    private static String list(List<String> names) {
        return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", ", "[", "]"));
    }
}
