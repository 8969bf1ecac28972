package dev.sro.testkit.server;

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

    private static void addresses(ObjectNode spec) {
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
