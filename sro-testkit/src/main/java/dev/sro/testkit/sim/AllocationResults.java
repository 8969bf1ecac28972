package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Writes down which devices were chosen for a claim, as its status has it. Stateless. */
final class AllocationResults {
    private AllocationResults() {}

    static ObjectNode create(
            ObjectNode claim, List<List<RequestAlternative>> wishes, List<DeviceSearch.Choice> chosen, String node) {
        ObjectNode allocation = JsonNodes.object();
        ObjectNode devices = allocation.putObject("devices");
        ArrayNode results = devices.putArray("results");
        for (DeviceSearch.Choice choice : chosen) {
            results.add(result(claim, choice, results.size()));
        }
        ArrayNode config = config(claim, wishes, chosen);
        if (!config.isEmpty()) {
            devices.set("config", config);
        }
        ObjectNode selector = nodeSelector(chosen, node);
        if (!selector.isEmpty()) {
            allocation.set("nodeSelector", selector);
        }
        return allocation;
    }

    private static ObjectNode result(ObjectNode claim, DeviceSearch.Choice choice, int index) {
        DeviceCandidate candidate = choice.candidate();
        JsonNode device = candidate.device();
        ObjectNode result = JsonNodes.object()
                .put("request", choice.wish().reference())
                .put("driver", candidate.id().driver())
                .put("pool", candidate.id().pool())
                .put("device", candidate.id().device());
        if (choice.wish().admin()) {
            result.put("adminAccess", true);
        }
        if (!choice.wish().spec().path("tolerations").isEmpty()) {
            result.set("tolerations", choice.wish().spec().get("tolerations").deepCopy());
        }
        for (String field : List.of("bindingConditions", "bindingFailureConditions")) {
            if (!device.path(field).isEmpty()) {
                result.set(field, device.get(field).deepCopy());
            }
        }
        if (candidate.sharable()) {
            byte[] seed = (JsonNodes.uid(claim) + JsonNodes.key(claim) + index).getBytes(StandardCharsets.UTF_8);
            result.put("shareID", UUID.nameUUIDFromBytes(seed).toString());
            Map<String, String> consumed =
                    DeviceCapacity.consumption(choice.wish().spec(), device);
            if (!consumed.isEmpty()) {
                ObjectNode amounts = result.putObject("consumedCapacity");
                consumed.forEach(amounts::put);
            }
        }
        return result;
    }

    private static ArrayNode config(
            ObjectNode claim, List<List<RequestAlternative>> wishes, List<DeviceSearch.Choice> chosen) {
        ArrayNode config = JsonNodes.object().putArray("config");
        Map<String, Integer> firstOfClass = new HashMap<>();
        for (List<RequestAlternative> choices : wishes) {
            RequestAlternative wish = picked(choices, chosen);
            JsonNode ofClass = JsonNodes.at(wish.deviceClass(), "spec", "config");
            Integer first = firstOfClass.putIfAbsent(JsonNodes.name(wish.deviceClass()), config.size());
            for (int i = 0; i < ofClass.size(); i++) {
                if (first != null) {
                    ((ArrayNode) config.path(first + i).path("requests")).add(wish.reference());
                } else {
                    ObjectNode entry = config.addObject().put("source", "FromClass");
                    entry.putArray("requests").add(wish.reference());
                    entry.set("opaque", ofClass.get(i).path("opaque").deepCopy());
                }
            }
        }
        for (JsonNode own : JsonNodes.at(claim, "spec", "devices", "config")) {
            if (own.path("requests").isEmpty()) {
                ofClaim(config, own);
                continue;
            }
            for (List<RequestAlternative> choices : wishes) {
                if (picked(choices, chosen).among(own.path("requests"))) {
                    ofClaim(config, own);
                }
            }
        }
        return config;
    }

    private static void ofClaim(ArrayNode config, JsonNode own) {
        ObjectNode entry = config.addObject().put("source", "FromClaim");
        if (!own.path("requests").isEmpty()) {
            entry.set("requests", own.get("requests").deepCopy());
        }
        entry.set("opaque", own.path("opaque").deepCopy());
    }

    /** Which of the alternatives of a request was taken. */
    private static RequestAlternative picked(List<RequestAlternative> choices, List<DeviceSearch.Choice> chosen) {
        for (RequestAlternative wish : choices) {
            if (chosen.stream().anyMatch(c -> c.wish().reference().equals(wish.reference()))) {
                return wish;
            }
        }
        return choices.get(0);
    }

    private static ObjectNode nodeSelector(List<DeviceSearch.Choice> chosen, String node) {
        ObjectNode term = JsonNodes.object();
        for (DeviceSearch.Choice choice : chosen) {
            JsonNode spec = choice.candidate().slice().path("spec");
            JsonNode device = choice.candidate().device();
            JsonNode of = JsonNodes.bool(spec, "perDeviceNodeSelection") ? device : spec;
            if (!JsonNodes.text(of, "nodeName").isEmpty() || JsonNodes.bool(device, "bindsToNode")) {
                return onNode(node);
            }
            for (String field : List.of("matchExpressions", "matchFields")) {
                JsonNode wanted = of.path("nodeSelector")
                        .path("nodeSelectorTerms")
                        .path(0)
                        .path(field);
                for (JsonNode requirement : wanted) {
                    add(JsonNodes.array(term, field), requirement);
                }
            }
        }
        ObjectNode selector = JsonNodes.object();
        if (!term.isEmpty()) {
            selector.putArray("nodeSelectorTerms").add(term);
        }
        return selector;
    }

    private static void add(ArrayNode requirements, JsonNode requirement) {
        for (JsonNode known : requirements) {
            if (known.equals(requirement)) {
                return;
            }
        }
        requirements.add(requirement.deepCopy());
    }

    private static ObjectNode onNode(String node) {
        ObjectNode selector = JsonNodes.object();
        ObjectNode term = selector.putArray("nodeSelectorTerms").addObject();
        term.putArray("matchFields")
                .addObject()
                .put("key", "metadata.name")
                .put("operator", "In")
                .putArray("values")
                .add(node);
        return selector;
    }
}
