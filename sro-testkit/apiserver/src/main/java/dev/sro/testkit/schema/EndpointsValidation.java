package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Validation of Endpoints. One use. */
final class EndpointsValidation {
    private final Checks checks = new Checks(new ArrayList<>());

    private EndpointsValidation() {}

    static List<FieldError> validate(ObjectNode object) {
        EndpointsValidation v = new EndpointsValidation();
        List<ObjectNode> subsets = JsonTree.objects(object, "subsets");
        for (int i = 0; i < subsets.size(); i++) {
            v.subset(subsets.get(i), "subsets[" + i + "]");
        }
        return v.checks.errors();
    }

    private void subset(ObjectNode subset, String at) {
        List<ObjectNode> ready = JsonTree.objects(subset, "addresses");
        List<ObjectNode> notReady = JsonTree.objects(subset, "notReadyAddresses");
        if (ready.isEmpty() && notReady.isEmpty()) {
            checks.required(at, "must specify `addresses` or `notReadyAddresses`");
        }
        addresses(ready, at + ".addresses");
        addresses(notReady, at + ".notReadyAddresses");
        List<ObjectNode> ports = JsonTree.objects(subset, "ports");
        for (int i = 0; i < ports.size(); i++) {
            port(ports.get(i), ports.size() > 1, at + ".ports[" + i + "]");
        }
    }

    private void addresses(List<ObjectNode> addresses, String path) {
        for (int i = 0; i < addresses.size(); i++) {
            String at = path + "[" + i + "]";
            String ip = JsonTree.text(addresses.get(i), "ip");
            if (!Formats.matches("ipv4", ip) && !Formats.matches("ipv6", ip)) {
                checks.invalid(at + ".ip", ip, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
                // A second look, whether it is an address that endpoints must not have, says it again.
                checks.invalid(at + ".ip", ip, "must be a valid IP address");
            }
            String host = JsonTree.text(addresses.get(i), "hostname");
            if (!host.isEmpty()) {
                DeviceNames.label(host, at + ".hostname", checks.errors());
            }
            String node = JsonTree.text(addresses.get(i), "nodeName");
            if (addresses.get(i).path("nodeName").isTextual()) {
                checks.subdomain(node, at + ".nodeName");
            }
        }
    }

    private void port(ObjectNode port, boolean several, String at) {
        String name = JsonTree.text(port, "name");
        if (name.isEmpty() && several) {
            checks.required(at + ".name", "");
        } else if (!name.isEmpty()) {
            DeviceNames.label(name, at + ".name", checks.errors());
        }
        checks.port(port.get("port"), at + ".port");
        checks.oneOf(port, "protocol", at, "SCTP", "TCP", "UDP");
    }
}
