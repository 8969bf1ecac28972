package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validation of Services and of network policies. One use. */
final class ServiceValidation {
    private static final List<String> PROTOCOLS = List.of("\"SCTP\"", "\"TCP\"", "\"UDP\"");
    private static final long LONGEST_AFFINITY = 86_400;
    private static final int KUBELET = 10_250;
    private static final Set<String> OUTSIDE = Set.of("NodePort", "LoadBalancer");

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
        v.choice("spec.internalTrafficPolicy", spec.get("internalTrafficPolicy"), List.of("\"Cluster\"", "\"Local\""));
        v.choice("spec.sessionAffinity", spec.get("sessionAffinity"), List.of("\"ClientIP\"", "\"None\""));
        v.choice(
                "spec.type",
                spec.get("type"),
                List.of("\"ClusterIP\"", "\"ExternalName\"", "\"LoadBalancer\"", "\"NodePort\""));
        if (type.equals("ExternalName")) {
            v.externalName(JsonTree.text(spec, "externalName"));
        }
        v.external(spec, type);
        v.balancer(spec, type, old);
        v.families(spec, headless, old);
        v.addresses(spec);
        JsonNode ip = spec.get("clusterIP");
        String address = JsonTree.text(spec, "clusterIP");
        if (!headless && !address.isEmpty()) {
            new Checks(v.errors).address(address, "spec.clusterIPs[0]");
        }
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

    private void externalName(String name) {
        String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (bare.isEmpty()) {
            errors.add(FieldError.required("spec.externalName", ""));
        } else {
            DeviceNames.subdomain(bare, "spec.externalName", errors);
        }
    }

    /** What is for services alone that can be reached from outside. */
    private void external(JsonNode spec, String type) {
        Checks checks = new Checks(errors);
        JsonNode ips = spec.path("externalIPs");
        for (int i = 0; i < ips.size(); i++) {
            checks.address(ips.get(i).asText(), "spec.externalIPs[" + i + "]");
        }
        String policy = JsonTree.text(spec, "externalTrafficPolicy");
        boolean reachable = OUTSIDE.contains(type) || (type.equals("ClusterIP") && !ips.isEmpty());
        if (!reachable && !policy.isEmpty()) {
            checks.invalid("spec.externalTrafficPolicy", policy, "may only be set for externally-accessible services");
        } else if (reachable && policy.isEmpty()) {
            checks.required("spec.externalTrafficPolicy", "");
        } else if (reachable) {
            checks.oneOf(spec, "externalTrafficPolicy", "spec", "Cluster", "Local");
        }
        boolean checked = type.equals("LoadBalancer") && policy.equals("Local");
        if (!checked && spec.path("healthCheckNodePort").asInt() != 0) {
            checks.invalid(
                    "spec.healthCheckNodePort",
                    spec.get("healthCheckNodePort"),
                    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
        }
        List<ObjectNode> ports = JsonTree.objects(spec, "ports");
        for (int i = 0; i < ports.size() && type.equals("ClusterIP"); i++) {
            if (ports.get(i).path("nodePort").asInt() != 0) {
                checks.forbidden("spec.ports[" + i + "].nodePort", "may not be used when `type` is 'ClusterIP'");
            }
        }
    }

    private void balancer(JsonNode spec, String type, @Nullable ObjectNode old) {
        Checks checks = new Checks(errors);
        boolean balanced = type.equals("LoadBalancer");
        String only = "may only be used when `type` is 'LoadBalancer'";
        JsonNode ranges = spec.path("loadBalancerSourceRanges");
        if (!ranges.isEmpty() && !balanced) {
            checks.forbidden("spec.LoadBalancerSourceRanges", only);
        }
        for (int i = 0; i < ranges.size(); i++) {
            checks.cidr(TextNode.valueOf(ranges.get(i).asText().trim()), "spec.LoadBalancerSourceRanges[" + i + "]");
        }
        if (!balanced && spec.hasNonNull("allocateLoadBalancerNodePorts")) {
            checks.forbidden("spec.allocateLoadBalancerNodePorts", only);
        }
        if (spec.path("loadBalancerClass").isTextual()) {
            if (!balanced) {
                checks.forbidden("spec.loadBalancerClass", only);
            }
            JsonNode former = old == null ? MissingNode.getInstance() : old.path("spec");
            boolean was = JsonTree.text(former, "type").equals("LoadBalancer");
            if (balanced && was && !spec.path("loadBalancerClass").equals(former.path("loadBalancerClass"))) {
                checks.invalid("spec.loadBalancerClass", spec.get("loadBalancerClass"), "may not change once set");
            }
            checks.labelKey(spec.path("loadBalancerClass").asText(), "spec.loadBalancerClass");
        }
        List<ObjectNode> ports = JsonTree.objects(spec, "ports");
        for (int i = 0; i < ports.size() && balanced; i++) {
            if (ports.get(i).path("port").asInt() == KUBELET) {
                checks.invalid(
                        "spec.ports[" + i + "]",
                        ports.get(i).get("port"),
                        "may not expose port 10250 externally since it is used by kubelet");
            }
        }
    }

    /** Only a Service that selects nothing may be of families that the cluster lacks. */
    private void families(JsonNode spec, boolean headless, @Nullable ObjectNode old) {
        String policy = JsonTree.text(spec, "ipFamilyPolicy");
        if (JsonTree.text(spec, "type").equals("ExternalName")) {
            for (String field : List.of("ipFamilies", "ipFamilyPolicy")) {
                if (spec.path(field).isTextual() || !spec.path(field).isEmpty()) {
                    errors.add(FieldError.forbidden("spec." + field, "may not be set for ExternalName services"));
                }
            }
            return;
        }
        choice(
                "spec.ipFamilyPolicy",
                spec.get("ipFamilyPolicy"),
                List.of("\"PreferDualStack\"", "\"RequireDualStack\"", "\"SingleStack\""));
        boolean any = headless && spec.path("selector").isEmpty();
        if (policy.equals("RequireDualStack") && !any) {
            errors.add(FieldError.invalid(
                    "spec.ipFamilyPolicy",
                    TextNode.valueOf(policy),
                    "this cluster is not configured for dual-stack services"));
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < spec.path("ipFamilies").size(); i++) {
            JsonNode family = spec.path("ipFamilies").get(i);
            String at = "spec.ipFamilies[" + i + "]";
            String address = spec.path("clusterIPs").path(i).asText();
            boolean other = family.asText().equals("IPv6");
            if (!other && !family.asText().equals("IPv4")) {
                errors.add(FieldError.notSupported(at, family, List.of("\"IPv4\"", "\"IPv6\"")));
            } else if (!seen.add(family.asText())) {
                errors.add(FieldError.duplicate(at, family));
            } else if (other && !any && old != null && !headless && !address.isEmpty() && !address.contains(":")) {
                errors.add(FieldError.invalid(
                        "spec.clusterIPs[" + i + "]",
                        TextNode.valueOf(address),
                        "expected an IPv6 value as indicated by `ipFamilies[" + i + "]`"));
            } else if (other && !any) {
                errors.add(FieldError.invalid(at, family, "not configured on this cluster"));
            }
        }
    }

    private void addresses(JsonNode spec) {
        JsonNode all = spec.path("clusterIPs");
        Checks checks = new Checks(errors);
        boolean none = false;
        for (JsonNode one : all) {
            none |= one.asText().equals("None");
        }
        if (none && all.size() > 1) {
            checks.invalid("spec.clusterIPs", all, "'None' must be the first and only value");
        }
        for (int i = 1; i < all.size(); i++) {
            checks.address(all.get(i).asText(), "spec.clusterIPs[" + i + "]");
        }
        checks.oneOf(spec, "trafficDistribution", "spec", "PreferClose", "PreferSameZone", "PreferSameNode");
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
            if (port.path("appProtocol").isTextual()) {
                DeviceNames.labelKey(port.path("appProtocol").asText(), at + ".appProtocol", errors);
            }
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
        new Checks(errors).portOrName(target, at);
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
