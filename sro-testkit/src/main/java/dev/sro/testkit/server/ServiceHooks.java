package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Cluster IPs of Services. */
final class ServiceHooks {
    private final Ids ids;

    ServiceHooks(Ids ids) {
        this.ids = ids;
    }

    void create(ObjectNode object) {
        ObjectNode spec = KindHooks.own(object, "spec");
        if (!Json.text(spec, "type").equals("ExternalName")) {
            if (Json.isEmpty(spec.get("clusterIP"))) {
                spec.put("clusterIP", ids.clusterIp());
            }
            addresses(spec);
        }
        nodePorts(spec);
        KindHooks.own(object, "status");
        if (!object.path("status").has("loadBalancer")) {
            KindHooks.own(object, "status").putObject("loadBalancer");
        }
    }

    void update(ObjectNode next, ObjectNode old) {
        ObjectNode spec = KindHooks.own(next, "spec");
        boolean kept = !Json.text(spec, "type").equals("ExternalName") && Json.isEmpty(spec.get("clusterIP"));
        if (kept && old.path("spec").hasNonNull("clusterIP")) {
            spec.set("clusterIP", old.path("spec").get("clusterIP"));
            if (Json.isEmpty(spec.get("clusterIPs")) && old.path("spec").has("clusterIPs")) {
                spec.set("clusterIPs", old.path("spec").get("clusterIPs"));
            }
            for (String field : new String[] {"ipFamilies", "ipFamilyPolicy"}) {
                if (!spec.has(field) && old.path("spec").has(field)) {
                    spec.set(field, old.path("spec").get(field));
                }
            }
        }
    }

    private void nodePorts(ObjectNode spec) {
        String type = Json.text(spec, "type");
        if ((!type.equals("NodePort") && !type.equals("LoadBalancer")) || !spec.has("ports")) {
            return;
        }
        ArrayNode ports = spec.arrayNode();
        for (JsonNode port : spec.path("ports")) {
            ObjectNode copy = Json.shallow((ObjectNode) port);
            if (copy.path("nodePort").asInt() == 0) {
                copy.put("nodePort", ids.nodePort());
            }
            ports.add(copy);
        }
        spec.set("ports", ports);
    }

    private static void addresses(ObjectNode spec) {
        if (Json.text(spec, "clusterIP").equals("None") && Json.isEmpty(spec.get("selector"))) {
            // Nothing says of which family the endpoints of such a service are.
            if (Json.isEmpty(spec.get("ipFamilies"))) {
                spec.putArray("ipFamilies").add("IPv4").add("IPv6");
            }
            if (Json.isEmpty(spec.get("ipFamilyPolicy"))) {
                spec.put("ipFamilyPolicy", "RequireDualStack");
            }
        }
        if (Json.isEmpty(spec.get("clusterIPs"))) {
            spec.putArray("clusterIPs").add(spec.get("clusterIP"));
        }
        if (Json.isEmpty(spec.get("ipFamilies"))) {
            ArrayNode families = spec.putArray("ipFamilies");
            families.add("IPv4");
        }
        if (Json.isEmpty(spec.get("ipFamilyPolicy"))) {
            spec.put("ipFamilyPolicy", "SingleStack");
        }
    }
}
