package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validation of EndpointSlices. One use. */
final class EndpointSliceValidation {
    private static final int MAX_ENDPOINTS = 1000;
    private static final int MAX_ADDRESSES = 100;
    private static final String NO_ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

    private final Checks checks = new Checks(new ArrayList<>());

    private EndpointSliceValidation() {}

    static List<FieldError> validate(ObjectNode slice, @Nullable ObjectNode old) {
        EndpointSliceValidation v = new EndpointSliceValidation();
        String type = JsonTree.text(slice, "addressType");
        if (type.isEmpty()) {
            v.checks.required("addressType", "");
        } else {
            v.checks.oneOf(slice, "addressType", "", "FQDN", "IPv4", "IPv6");
        }
        List<ObjectNode> endpoints = JsonTree.objects(slice, "endpoints");
        if (endpoints.size() > MAX_ENDPOINTS) {
            v.checks.add(FieldError.tooMany("endpoints", endpoints.size(), MAX_ENDPOINTS));
        }
        for (int i = 0; i < endpoints.size() && i < MAX_ENDPOINTS; i++) {
            v.endpoint(endpoints.get(i), type, "endpoints[" + i + "]");
        }
        v.ports(JsonTree.objects(slice, "ports"));
        if (old != null && !type.equals(JsonTree.text(old, "addressType"))) {
            JsonNode shown = type.isEmpty() ? NullNode.getInstance() : TextNode.valueOf(type);
            v.checks.invalid("addressType", shown, "field is immutable");
        }
        return v.checks.errors();
    }

    private void endpoint(ObjectNode endpoint, String type, String at) {
        JsonNode addresses = endpoint.path("addresses");
        if (addresses.isEmpty()) {
            checks.required(at + ".addresses", "must contain at least 1 address");
        } else if (addresses.size() > MAX_ADDRESSES) {
            checks.add(FieldError.tooMany(at + ".addresses", addresses.size(), MAX_ADDRESSES));
        }
        for (int i = 0; i < addresses.size(); i++) {
            address(addresses.get(i).asText(), type, at + ".addresses[" + i + "]");
        }
        if (endpoint.path("nodeName").isTextual()) {
            checks.subdomain(endpoint.path("nodeName").asText(), at + ".nodeName");
        }
        if (endpoint.path("hostname").isTextual()) {
            checks.label(endpoint.path("hostname").asText(), at + ".hostname");
        }
    }

    private void address(String address, String type, String at) {
        boolean four = Formats.matches("ipv4", address);
        boolean six = address.contains(":") && Formats.matches("ipv6", address);
        switch (type) {
            case "IPv4", "IPv6" -> {
                if (!four && !six) {
                    checks.invalid(at, address, NO_ADDRESS);
                } else if (type.equals("IPv4") != four) {
                    checks.invalid(at, address, "must be a valid " + type + " address");
                } else {
                    checks.publicAddress(address, at);
                }
            }
            case "FQDN" -> {
                if (!address.contains(".")) {
                    checks.invalid(at, address, "should be a domain with at least two segments separated by dots");
                } else {
                    checks.subdomain(address, at);
                }
            }
            default -> {}
        }
    }

    private void ports(List<ObjectNode> ports) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            ObjectNode port = ports.get(i);
            String at = "ports[" + i + "]";
            String name = JsonTree.text(port, "name");
            if (!name.isEmpty()) {
                checks.label(name, at + ".name");
            }
            if (!names.add(name)) {
                checks.add(FieldError.duplicate(at + ".name", TextNode.valueOf(name)));
            }
            if (port.path("protocol").isTextual()) {
                checks.oneOf(port, "protocol", at, "SCTP", "TCP", "UDP");
            } else {
                checks.required(at + ".protocol", "");
            }
            JsonNode protocol = port.path("appProtocol");
            if (protocol.isTextual()) {
                checks.labelKey(protocol.textValue(), at + ".appProtocol");
            }
        }
    }
}
