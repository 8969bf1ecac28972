package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Validation of Services and of network policies. One use. */
final class ServiceValidation {
    private static final List<String> PROTOCOLS = List.of("\"SCTP\"", "\"TCP\"", "\"UDP\"");
    private static final long LONGEST_AFFINITY = 86_400;
    private static final Pattern PORT_NAME = Pattern.compile("[a-z0-9-]+");

    private final List<FieldError> errors = new ArrayList<>();

    private ServiceValidation() {}

    static List<FieldError> validate(ObjectNode object, @Nullable ObjectNode old) {
        ServiceValidation v = new ServiceValidation();
        JsonNode spec = object.path("spec");
        String type = JsonTree.text(spec, "type");
        boolean headless = JsonTree.text(spec, "clusterIP").equals("None");
        List<ObjectNode> ports = JsonTree.objects(spec, "ports");
        if (ports.isEmpty() && !headless && !type.equals("ExternalName")) {
            v.errors.add(FieldError.required("spec.ports", ""));
        }
        v.ports(ports);
        JsonNode timeout = spec.path("sessionAffinityConfig").path("clientIP").path("timeoutSeconds");
        if (timeout.isNumber() && (timeout.asLong() <= 0 || timeout.asLong() > LONGEST_AFFINITY)) {
            v.errors.add(FieldError.invalid(
                    "spec.sessionAffinityConfig.clientIP.timeoutSeconds",
                    timeout,
                    "must be greater than 0 and less than 86400"));
        }
        new Checks(v.errors).labels(spec.path("selector"), "spec.selector");
        v.choice("spec.externalTrafficPolicy", spec.get("externalTrafficPolicy"), List.of("\"Cluster\"", "\"Local\""));
        v.choice("spec.internalTrafficPolicy", spec.get("internalTrafficPolicy"), List.of("\"Cluster\"", "\"Local\""));
        v.choice("spec.sessionAffinity", spec.get("sessionAffinity"), List.of("\"ClientIP\"", "\"None\""));
        v.choice(
                "spec.type",
                spec.get("type"),
                List.of("\"ClusterIP\"", "\"ExternalName\"", "\"LoadBalancer\"", "\"NodePort\""));
        if (type.equals("ExternalName") && JsonTree.text(spec, "externalName").isEmpty()) {
            v.errors.add(FieldError.required("spec.externalName", ""));
        }
        v.families(spec, headless);
        JsonNode ip = spec.get("clusterIP");
        JsonNode before = old == null ? null : old.path("spec").get("clusterIP");
        boolean external =
                old != null && JsonTree.text(old.path("spec"), "type").equals("ExternalName");
        if (headless && (type.equals("NodePort") || type.equals("LoadBalancer"))) {
            v.errors.add(
                    FieldError.invalid("spec.clusterIPs[0]", ip, "may not be set to 'None' for " + type + " services"));
        }
        if (ip != null && before != null && !external && !type.equals("ExternalName") && !ip.equals(before)) {
            JsonNode ips = JsonNodeFactory.instance.arrayNode().add(ip);
            v.errors.add(FieldError.invalid("spec.clusterIPs[0]", ips, "may not change once set"));
        }
        return v.errors;
    }

    /** Only a Service that selects nothing may be of families that the cluster lacks. */
    private void families(JsonNode spec, boolean headless) {
        String policy = JsonTree.text(spec, "ipFamilyPolicy");
        if (!policy.equals("RequireDualStack")
                || (headless && spec.path("selector").isEmpty())) {
            return;
        }
        errors.add(FieldError.invalid(
                "spec.ipFamilyPolicy",
                TextNode.valueOf(policy),
                "this cluster is not configured for dual-stack services"));
        for (int i = 0; i < spec.path("ipFamilies").size(); i++) {
            if (spec.path("ipFamilies").get(i).asText().equals("IPv6")) {
                errors.add(FieldError.invalid(
                        "spec.ipFamilies[" + i + "]", TextNode.valueOf("IPv6"), "not configured on this cluster"));
            }
        }
    }

    private void ports(List<ObjectNode> ports) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            ObjectNode port = ports.get(i);
            String at = "spec.ports[" + i + "]";
            String name = JsonTree.text(port, "name");
            if (name.isEmpty() && ports.size() > 1) {
                errors.add(FieldError.required(at + ".name", ""));
            } else if (!name.isEmpty() && !Names.isDns1123Label(name)) {
                DeviceNames.label(name, at + ".name", errors);
            } else if (!name.isEmpty() && !names.add(name)) {
                errors.add(FieldError.duplicate(at + ".name", TextNode.valueOf(name)));
            }
            range(at + ".port", port.get("port"), port.path("port").asInt());
            choice(at + ".protocol", port.get("protocol"), PROTOCOLS);
            target(at + ".targetPort", port.get("targetPort"));
        }
        doubles(ports);
    }

    private void doubles(List<ObjectNode> ports) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            ObjectNode port = ports.get(i);
            String protocol = JsonTree.text(port, "protocol");
            if (!seen.add(protocol + port.path("port").asInt())) {
                ObjectNode shown =
                        JsonNodeFactory.instance.objectNode().put("Name", "").put("Protocol", protocol);
                shown.putNull("AppProtocol")
                        .put("Port", port.path("port").asInt())
                        .put("TargetPort", 0)
                        .put("NodePort", 0);
                errors.add(FieldError.duplicate("spec.ports[" + i + "]", shown));
            }
        }
    }

    private void target(String at, @Nullable JsonNode target) {
        if (target == null || target.isNull()) {
            return;
        }
        if (target.isNumber()) {
            range(at, target, target.asInt());
        } else if (!PORT_NAME.matcher(target.asText()).matches()) {
            errors.add(FieldError.invalid(
                    at, target, "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"));
        }
    }

    private void range(String at, @Nullable JsonNode value, int port) {
        if (port < 1 || port > Checks.MAX_PORT) {
            errors.add(FieldError.invalid(at, value, Checks.PORT_RANGE));
        }
    }

    private void choice(String at, @Nullable JsonNode value, List<String> choices) {
        if (value != null && !value.isNull() && !choices.contains("\"" + value.asText() + "\"")) {
            errors.add(FieldError.notSupported(at, value, choices));
        }
    }
}
