package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Defaults of Services and of the network kinds. */
final class ServiceDefaults {
    /** Three hours, the default of client IP affinity. */
    private static final int AFFINITY_SECONDS = 10_800;

    private ServiceDefaults() {}

    static void service(ObjectNode service) {
        ObjectNode spec = JsonTree.ensure(service, "spec");
        JsonTree.text(spec, "sessionAffinity", "None");
        if (JsonTree.text(spec, "sessionAffinity").equals("ClientIP")) {
            ObjectNode config = JsonTree.ensure(JsonTree.ensure(spec, "sessionAffinityConfig"), "clientIP");
            JsonTree.number(config, "timeoutSeconds", AFFINITY_SECONDS);
        }
        if (JsonTree.text(spec, "sessionAffinity").equals("None")) {
            spec.remove("sessionAffinityConfig");
        }
        JsonTree.text(spec, "type", "ClusterIP");
        String type = JsonTree.text(spec, "type");
        for (ObjectNode port : JsonTree.objects(spec, "ports")) {
            JsonTree.text(port, "protocol", "TCP");
            JsonNode target = port.get("targetPort");
            boolean unset = target == null
                    || target.isNull()
                    || (target.isNumber()
                            ? target.intValue() == 0
                            : target.asText().isEmpty());
            if (unset && port.has("port")) {
                port.set("targetPort", port.get("port"));
            }
        }
        boolean external = type.equals("NodePort") || type.equals("LoadBalancer");
        if (external || (type.equals("ClusterIP") && !spec.path("externalIPs").isEmpty())) {
            JsonTree.text(spec, "externalTrafficPolicy", "Cluster");
        }
        if (external || type.equals("ClusterIP")) {
            JsonTree.absent(spec, "internalTrafficPolicy", "Cluster");
        }
        if (type.equals("LoadBalancer")) {
            JsonTree.flag(spec, "allocateLoadBalancerNodePorts", true);
        }
    }

    static void networkPolicy(ObjectNode policy) {
        ObjectNode spec = JsonTree.ensure(policy, "spec");
        if (!(spec.get("policyTypes") instanceof ArrayNode types) || types.isEmpty()) {
            ArrayNode defaults = spec.putArray("policyTypes").add("Ingress");
            if (!spec.path("egress").isEmpty()) {
                defaults.add("Egress");
            }
        }
        for (String direction : new String[] {"ingress", "egress"}) {
            for (ObjectNode rule : JsonTree.objects(spec, direction)) {
                for (ObjectNode port : JsonTree.objects(rule, "ports")) {
                    JsonTree.absent(port, "protocol", "TCP");
                }
            }
        }
    }

    static void ingressClass(ObjectNode ingressClass) {
        ObjectNode parameters = JsonTree.object(JsonTree.object(ingressClass, "spec"), "parameters");
        if (parameters != null) {
            JsonTree.absent(parameters, "scope", "Cluster");
        }
    }

    static void endpoints(ObjectNode endpoints) {
        for (ObjectNode subset : JsonTree.objects(endpoints, "subsets")) {
            JsonTree.objects(subset, "ports").forEach(port -> JsonTree.text(port, "protocol", "TCP"));
        }
    }

    static void endpointSlice(ObjectNode slice) {
        for (ObjectNode port : JsonTree.objects(slice, "ports")) {
            if (!port.hasNonNull("name")) {
                port.put("name", "");
            }
            JsonTree.absent(port, "protocol", "TCP");
        }
    }
}
