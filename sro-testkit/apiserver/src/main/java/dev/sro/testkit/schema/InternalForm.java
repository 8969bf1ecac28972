package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * How the server prints structures in its messages: as its internal types, with all of their fields, in
 * their order. Stateless.
 */
final class InternalForm {
    static final JsonNode NULL = JsonNodeFactory.instance.nullNode();

    /**
     * Fields as NAME=what, by type; the name in the API begins with a small letter unless it is given after a colon. What: a type,
     * a list of it in brackets, {@code s} a text, {@code b} false where it is missing, {@code n} a number, {@code p} anything or null.
     */
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("ResourceClaimSpec", "Devices=DeviceClaim"),
            Map.entry("ResourceClaimTemplateSpec", "Spec=ResourceClaimSpec"),
            Map.entry("DeviceClaim", "Requests=[DeviceRequest] Constraints=[DeviceConstraint] Config=[ClaimConfig]"),
            Map.entry("DeviceRequest", "Name=s Exactly=*Exactly FirstAvailable=[SubRequest]"),
            Map.entry(
                    "Exactly",
                    "DeviceClassName=s Selectors=[Selector] AllocationMode=s Count=n AdminAccess=p Tolerations=[Toleration]"
                            + " Capacity=*Capacity"),
            Map.entry(
                    "SubRequest",
                    "Name=s DeviceClassName=s Selectors=[Selector] AllocationMode=s Count=n Tolerations=[Toleration]"
                            + " Capacity=*Capacity"),
            Map.entry("Selector", "CEL:cel=*Cel"),
            Map.entry("Cel", "Expression=s"),
            Map.entry("Capacity", "Requests=p"),
            Map.entry("Toleration", "Key=s Operator=s Value=s Effect=s TolerationSeconds=p"),
            Map.entry("DeviceConstraint", "Requests=p MatchAttribute=p DistinctAttribute=p"),
            Map.entry("ClaimConfig", "Requests=p Opaque=*Opaque"),
            Map.entry("ResultConfig", "Source=s Requests=p Opaque=*Opaque"),
            Map.entry("Opaque", "Driver=s Parameters=p"),
            Map.entry("AllocationResult", "Devices=Results NodeSelector=*NodeSelector AllocationTimestamp=p"),
            Map.entry("Results", "Results=[Result] Config=[ResultConfig]"),
            Map.entry(
                    "Result",
                    "Request=s Driver=s Pool=s Device=s AdminAccess=p Tolerations=[Toleration] BindingConditions=p"
                            + " BindingFailureConditions=p ShareID:shareID=p ConsumedCapacity=p"),
            Map.entry("NodeSelector", "NodeSelectorTerms=[NodeSelectorTerm]"),
            Map.entry("NodeSelectorTerm", "MatchExpressions=[Requirement] MatchFields=[Requirement]"),
            Map.entry("Requirement", "Key=s Operator=s Values=p"),
            Map.entry("VolumeNodeAffinity", "Required=*NodeSelector"),
            Map.entry("CSINodeDriver", "Name=s NodeID:nodeID=s TopologyKeys=p Allocatable=p"),
            Map.entry("PodFailurePolicy", "Rules=[PodFailureRule]"),
            Map.entry("PodFailureRule", "Action=s OnExitCodes=*OnExitCodes OnPodConditions=[OnPodCondition]"),
            Map.entry("OnExitCodes", "ContainerName=p Operator=s Values=p"),
            Map.entry("OnPodCondition", "Type=s Status=s"),
            Map.entry("SuccessPolicy", "Rules=[SuccessRule]"),
            Map.entry("SuccessRule", "SucceededIndexes=p SucceededCount=p"),
            Map.entry(
                    "DeviceAttribute",
                    "IntValue:int=p BoolValue:bool=p StringValue:string=p VersionValue:version=p IntValues:ints=p"
                            + " BoolValues:bools=p StringValues:strings=p VersionValues:versions=p"),
            Map.entry("ParentReference", "Group=s Resource=s Namespace=s Name=s"),
            Map.entry("SeccompProfile", "Type=s LocalhostProfile=p"),
            Map.entry("PodResourceClaim", "Name=s ResourceClaimName=p ResourceClaimTemplateName=p"));

    private InternalForm() {}

    /** A wrong value of an internal type; the server writes angle brackets and ampersands in it as escapes. */
    static FieldError invalid(String path, String type, JsonNode value, String detail) {
        String text = shown(type, value).toString();
        for (char c : new char[] {'<', '>', '&'}) {
            text = text.replace(String.valueOf(c), String.format("\\u%04x", (int) c));
        }
        return FieldError.of("FieldValueInvalid", "Invalid value: " + text + ": " + detail, path);
    }

    static JsonNode number(long value) {
        return JsonNodeFactory.instance.numberNode(value);
    }

    /** The value of an internal type; a list of them where its name is in brackets. */
    private static JsonNode shown(String type, JsonNode value) {
        if (type.startsWith("[")) {
            if (value.isMissingNode() || value.isNull() || (value.isArray() && value.isEmpty())) {
                return NULL;
            }
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            value.forEach(item -> list.add(shown(type.substring(1, type.length() - 1), item)));
            return list;
        }
        if (type.startsWith("*")) {
            return value.isObject() ? shown(type.substring(1), value) : NULL;
        }
        return switch (type) {
            case "s" -> JsonNodeFactory.instance.textNode(value.asText());
            case "n" -> number(value.asLong());
            case "p" -> value.isMissingNode() ? NULL : value;
            default -> struct(type, value);
        };
    }

    private static ObjectNode struct(String type, JsonNode value) {
        ObjectNode struct = JsonNodeFactory.instance.objectNode();
        if (type.equals("ResourceClaimTemplateSpec")) {
            value.path("metadata").properties().forEach(e -> {
                if (!e.getValue().isNull()) {
                    struct.set(e.getKey(), ImmutableFields.sorted(e.getValue()));
                }
            });
        }
        for (String field : TYPES.getOrDefault(type, "").split(" ")) {
            int equals = field.indexOf('=');
            String[] names = field.substring(0, equals).split(":");
            String own =
                    names.length > 1 ? names[1] : Character.toLowerCase(names[0].charAt(0)) + names[0].substring(1);
            struct.set(names[0], shown(field.substring(equals + 1), value.path(own)));
        }
        return struct;
    }
}
