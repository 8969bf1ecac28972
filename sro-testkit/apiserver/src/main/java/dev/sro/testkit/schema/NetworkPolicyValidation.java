package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validation of NetworkPolicies: whom rules are about, and which ports. */
final class NetworkPolicyValidation {
    private static final List<String> PROTOCOLS = List.of("TCP", "UDP", "SCTP");
    private static final List<String> TYPES = List.of("Ingress", "Egress");

    private final List<FieldError> errors = new ArrayList<>();

    private NetworkPolicyValidation() {}

    static List<FieldError> validate(ObjectNode object) {
        NetworkPolicyValidation v = new NetworkPolicyValidation();
        JsonNode spec = object.path("spec");
        v.errors.addAll(SelectorValidation.validate("spec.podSelector", spec.get("podSelector")));
        v.rules(spec, "ingress", "from");
        v.rules(spec, "egress", "to");
        JsonNode types = spec.path("policyTypes");
        if (types.size() > TYPES.size()) {
            v.errors.add(FieldError.invalid("spec.policyTypes", types, "may not specify more than two policyTypes"));
            return v.errors;
        }
        for (int i = 0; i < types.size(); i++) {
            v.choice("spec.policyTypes[" + i + "]", types.get(i), TYPES);
        }
        return v.errors;
    }

    private void rules(JsonNode spec, String direction, String peers) {
        List<ObjectNode> rules = JsonTree.objects(spec, direction);
        for (int i = 0; i < rules.size(); i++) {
            String at = "spec." + direction + "[" + i + "]";
            List<ObjectNode> ports = JsonTree.objects(rules.get(i), "ports");
            for (int j = 0; j < ports.size(); j++) {
                port(at + ".ports[" + j + "]", ports.get(j));
            }
            List<ObjectNode> all = JsonTree.objects(rules.get(i), peers);
            for (int j = 0; j < all.size(); j++) {
                peer(at + "." + peers + "[" + j + "]", all.get(j));
            }
        }
    }

    private void port(String at, ObjectNode port) {
        choice(at + ".protocol", port.get("protocol"), PROTOCOLS);
        JsonNode value = port.get("port");
        JsonNode end = port.get("endPort");
        boolean ends = end != null && !end.isNull();
        if (value == null || value.isNull()) {
            if (ends) {
                errors.add(
                        FieldError.invalid(at + ".endPort", end, "may not be specified when `port` is not specified"));
            }
        } else if (value.isNumber()) {
            range(at + ".port", value);
            if (ends) {
                if (end.asInt() < value.asInt()) {
                    errors.add(FieldError.invalid(at + ".endPort", value, "must be greater than or equal to `port`"));
                }
                range(at + ".endPort", end);
            }
        } else {
            if (ends) {
                errors.add(FieldError.invalid(at + ".endPort", end, "may not be specified when `port` is non-numeric"));
            }
            name(at + ".port", value);
        }
    }

    private void name(String at, JsonNode name) {
        Checks.portName(name.asText()).forEach(fault -> errors.add(FieldError.invalid(at, name, fault)));
    }

    private void range(String at, JsonNode value) {
        if (value.asInt() < 1 || value.asInt() > Checks.MAX_PORT) {
            errors.add(FieldError.invalid(at, value, Checks.PORT_RANGE));
        }
    }

    private void peer(String at, ObjectNode peer) {
        int selectors = 0;
        for (String field : List.of("podSelector", "namespaceSelector")) {
            if (JsonTree.object(peer, field) != null) {
                selectors++;
                errors.addAll(SelectorValidation.validate(at + "." + field, peer.get(field)));
            }
        }
        ObjectNode block = JsonTree.object(peer, "ipBlock");
        if (block != null) {
            block(at + ".ipBlock", block);
        }
        if (selectors == 0 && block == null) {
            errors.add(FieldError.required(at, "must specify a peer"));
        } else if (selectors > 0 && block != null) {
            errors.add(FieldError.forbidden(at, "may not specify both ipBlock and another peer"));
        }
    }

    private void block(String at, ObjectNode block) {
        String cidr = JsonTree.text(block, "cidr");
        if (cidr.isEmpty()) {
            errors.add(FieldError.required(at + ".cidr", ""));
            return;
        }
        address(at + ".cidr", block.get("cidr"));
        JsonNode except = block.path("except");
        for (int i = 0; i < except.size(); i++) {
            String place = at + ".except[" + i + "]";
            address(place, except.get(i));
            boolean both = Formats.matches("cidr", cidr)
                    && Formats.matches("cidr", except.get(i).asText());
            if (both && !Networks.isStrictlyWithin(except.get(i).asText(), cidr)) {
                errors.add(FieldError.invalid(place, except.get(i), "must be a strict subset of `cidr`"));
            }
        }
    }

    private void address(String at, JsonNode cidr) {
        new Checks(errors).cidr(cidr, at);
    }

    private void choice(String at, @Nullable JsonNode value, List<String> choices) {
        if (value != null && !value.isNull() && !choices.contains(value.asText())) {
            errors.add(FieldError.notSupported(
                    at,
                    value,
                    choices.stream().map(choice -> "\"" + choice + "\"").toList()));
        }
    }
}
