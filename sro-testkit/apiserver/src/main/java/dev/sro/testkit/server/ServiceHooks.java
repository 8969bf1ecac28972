package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Cluster IPs of Services. */
final class ServiceHooks {
    private static final String RANGE = "10.96.";
    private static final int FIRST_PORT = 30000;
    private static final int LAST_PORT = 32767;

    private final Ids ids;
    private final Store store;

    ServiceHooks(Ids ids, Store store) {
        this.ids = ids;
        this.store = store;
    }

    void create(ObjectNode object, WriteCall call) {
        ObjectNode spec = KindHooks.own(object, "spec");
        if (!Json.text(spec, "type").equals("ExternalName")) {
            if (Json.isEmpty(spec.get("clusterIP"))) {
                spec.put("clusterIP", freeAddress());
            } else if (!Json.text(spec, "clusterIP").equals("None")) {
                checkAddress(Json.text(spec, "clusterIP"), object, call);
            }
            addresses(spec);
        }
        nodePorts(spec, object, Json.object(), call);
        KindHooks.own(object, "status");
        if (!object.path("status").has("loadBalancer")) {
            KindHooks.own(object, "status").putObject("loadBalancer");
        }
    }

    void update(ObjectNode next, ObjectNode old, WriteCall call) {
        ObjectNode spec = KindHooks.own(next, "spec");
        dropWhatTheTypeLacks(spec, old.path("spec"));
        boolean kept = !Json.text(spec, "type").equals("ExternalName") && Json.isEmpty(spec.get("clusterIP"));
        boolean same = spec.path("clusterIP").equals(old.path("spec").path("clusterIP"));
        if ((kept || same) && old.path("spec").hasNonNull("clusterIP")) {
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
        allocate(spec, next, old.path("spec"), call);
    }

    /** A type without addresses or node ports loses those that it had before. */
    private static void dropWhatTheTypeLacks(ObjectNode spec, JsonNode old) {
        String type = Json.text(spec, "type");
        boolean sameIp = Json.text(spec, "clusterIP").equals(Json.text(old, "clusterIP"));
        if (type.equals("ExternalName")) {
            if (sameIp) {
                spec.remove(List.of("clusterIP", "clusterIPs"));
            }
            spec.remove(List.of("ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"));
        }
        if (usesHealthCheck(old) && !usesHealthCheck(spec)) {
            dropIfSame(spec, old, "healthCheckNodePort");
        }
        if (Json.text(old, "type").equals("LoadBalancer") && !type.equals("LoadBalancer")) {
            dropIfSame(spec, old, "allocateLoadBalancerNodePorts");
            dropIfSame(spec, old, "loadBalancerClass");
        }
        if (hasNodePorts(type)) {
            return;
        }
        spec.remove("externalTrafficPolicy");
        if (hasNodePorts(Json.text(old, "type")) && spec.has("ports")) {
            ArrayNode ports = spec.arrayNode();
            for (JsonNode port : spec.path("ports")) {
                ObjectNode copy = Json.shallow((ObjectNode) port);
                copy.remove("nodePort");
                ports.add(copy);
            }
            spec.set("ports", ports);
        }
    }

    private static boolean usesHealthCheck(JsonNode spec) {
        return Json.text(spec, "type").equals("LoadBalancer")
                && Json.text(spec, "externalTrafficPolicy").equals("Local");
    }

    private static void dropIfSame(ObjectNode spec, JsonNode old, String field) {
        if (spec.path(field).equals(old.path(field))) {
            spec.remove(field);
        }
    }

    private static boolean hasNodePorts(String type) {
        return type.equals("NodePort") || type.equals("LoadBalancer");
    }

    private void allocate(ObjectNode spec, ObjectNode next, JsonNode old, WriteCall call) {
        if (!Json.text(spec, "type").equals("ExternalName") && Json.isEmpty(spec.get("clusterIP"))) {
            spec.put("clusterIP", freeAddress());
            addresses(spec);
        }
        if (!hasNodePorts(Json.text(spec, "type"))) {
            return;
        }
        if (hasNodePorts(Json.text(old, "type"))) {
            keepNodePorts(spec, old);
        }
        nodePorts(spec, next, old, call);
    }

    /** A port that is not said keeps the one that it had by its name, unless another took that. */
    private static void keepNodePorts(ObjectNode spec, JsonNode old) {
        Set<Integer> used = nodePortsOf(spec);
        used.retainAll(nodePortsOf(old));
        ArrayNode ports = spec.arrayNode();
        for (JsonNode port : spec.path("ports")) {
            ObjectNode copy = Json.shallow((ObjectNode) port);
            for (JsonNode before : old.path("ports")) {
                int had = before.path("nodePort").asInt();
                boolean same = Json.text(before, "name").equals(Json.text(port, "name"));
                if (same && copy.path("nodePort").asInt() == 0 && had > 0 && used.add(had)) {
                    copy.put("nodePort", had);
                }
            }
            ports.add(copy);
        }
        if (spec.has("ports")) {
            spec.set("ports", ports);
        }
    }

    private static Set<Integer> nodePortsOf(JsonNode spec) {
        Set<Integer> ports = new HashSet<>();
        spec.path("ports").forEach(port -> ports.add(port.path("nodePort").asInt()));
        ports.remove(0);
        return ports;
    }

    private String freeAddress() {
        String address = ids.clusterIp();
        while (taken(address)) {
            address = ids.clusterIp();
        }
        return address;
    }

    private boolean taken(String address) {
        for (Stored service : store.table(Gvr.SERVICES).objects.values()) {
            if (Json.text(service.object(), "spec", "clusterIP").equals(address)) {
                return true;
            }
        }
        return false;
    }

    private void checkAddress(String address, ObjectNode object, WriteCall call) {
        String fault = "";
        if (!address.matches("[0-9a-fA-F.:]+")) {
            // No address at all: that is for validation to say.
            return;
        }
        if (!address.startsWith(RANGE)) {
            fault = "the provided network does not match the current range";
        } else if (taken(address)) {
            fault = "provided IP is already allocated";
        }
        if (!fault.isEmpty()) {
            WriteChecks.failIf(
                    List.of(MetadataRules.invalid(
                            "spec.clusterIPs",
                            "[\"" + address + "\"]",
                            "failed to allocate IP " + address + ": " + fault)),
                    call,
                    object);
        }
    }

    private boolean portTaken(int port) {
        for (Stored service : store.table(Gvr.SERVICES).objects.values()) {
            for (JsonNode its : service.object().path("spec").path("ports")) {
                if (its.path("nodePort").asInt() == port) {
                    return true;
                }
            }
        }
        return false;
    }

    private void checkPort(int port, int index, ObjectNode object, WriteCall call) {
        String fault = "";
        if (port < FIRST_PORT || port > LAST_PORT) {
            fault = "provided port is not in the valid range. The range of valid ports is " + FIRST_PORT + "-"
                    + LAST_PORT;
        } else if (portTaken(port)) {
            fault = "provided port is already allocated";
        }
        if (!fault.isEmpty()) {
            String field = "spec.ports[" + index + "].nodePort";
            WriteChecks.failIf(List.of(MetadataRules.invalid(field, Integer.toString(port), fault)), call, object);
        }
    }

    private void nodePorts(ObjectNode spec, ObjectNode object, JsonNode old, WriteCall call) {
        if (!hasNodePorts(Json.text(spec, "type")) || !spec.has("ports")) {
            return;
        }
        boolean checked = Json.text(spec, "type").equals("LoadBalancer")
                && Json.text(spec, "externalTrafficPolicy").equals("Local");
        if (checked && spec.path("healthCheckNodePort").asInt() == 0) {
            int before = old.path("healthCheckNodePort").asInt();
            spec.put("healthCheckNodePort", before == 0 ? freePort() : before);
        }
        Set<Integer> own = nodePortsOf(old);
        ArrayNode ports = spec.arrayNode();
        for (JsonNode port : spec.path("ports")) {
            ObjectNode copy = Json.shallow((ObjectNode) port);
            int wanted = copy.path("nodePort").asInt();
            if (wanted == 0) {
                if (spec.path("allocateLoadBalancerNodePorts").asBoolean(true)) {
                    copy.put("nodePort", freePort());
                }
            } else if (!own.contains(wanted)) {
                checkPort(wanted, ports.size(), object, call);
            }
            ports.add(copy);
        }
        spec.set("ports", ports);
    }

    private int freePort() {
        int port = ids.nodePort();
        while (portTaken(port)) {
            port = ids.nodePort();
        }
        return port;
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
