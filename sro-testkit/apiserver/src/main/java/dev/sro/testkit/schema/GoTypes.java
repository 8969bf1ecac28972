package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How the server's decoder speaks of values that do not fit: in the names of its language's types. Stateless. */
final class GoTypes {
    /** Integer fields that have 64 bits; the others have 32. */
    private static final Set<String> LONG = Set.of(
            "generation",
            "observedGeneration",
            "deletionGracePeriodSeconds",
            "gracePeriodSeconds",
            "terminationGracePeriodSeconds",
            "activeDeadlineSeconds",
            "tolerationSeconds",
            "runAsUser",
            "runAsGroup",
            "fsGroup",
            "expirationSeconds",
            "gid",
            "int",
            "nodeAllocatableUpdatePeriodSeconds",
            "resourceSliceCount",
            "sizeBytes",
            "supplementalGroups",
            "startingDeadlineSeconds",
            "remainingItemCount",
            "revision",
            "uid",
            "maxLength",
            "minLength",
            "maxItems",
            "minItems",
            "maxProperties",
            "minProperties");

    /** Of other structs with the same name, or of another version of one. */
    private static final Map<String, String> NAMES = Map.of(
            "APIServiceReference",
            "ServiceReference",
            "FlowSubject",
            "Subject",
            "EndpointPortModel",
            "EndpointPort",
            "DriverTokenRequest",
            "TokenRequest",
            "ResourceClaimModel",
            "ResourceClaim");

    /** Structs of the second version of their group; names that end with {@code V1} are those of the first. */
    private static final Pattern SECOND =
            Pattern.compile("HorizontalPod.*|HPA.*|Metric.*|.*MetricSource|.*MetricStatus|CrossVersionObjectReference");

    /** Down to the microsecond. */
    private static final Set<String> FINE_TIMES = Set.of("acquireTime", "renewTime", "eventTime");

    private static final Pattern QUANTITY =
            Pattern.compile("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eEinumkKMGTP]*[-+]?[0-9]*)");

    private GoTypes() {}

    /**
     * Checks one value against the type of its field.
     *
     * @param owner name of the struct that has the field
     * @param path of the field, without indexes
     * @return what is wrong, null if it fits
     */
    static @Nullable TypeFault check(TypeSchema type, JsonNode value, String owner, String path) {
        String name = path.substring(path.lastIndexOf('.') + 1);
        if (fits(type, value, owner, name)) {
            return null;
        }
        String said = value.isNumber() && type.shape() != TypeSchema.Shape.NUMBER ? "number" : form(value);
        String text = "json: cannot unmarshal " + said + " into Go struct field " + struct(owner) + "." + path
                + " of type " + name(type, owner, name);
        return new TypeFault(text, text, restored(type, value, owner, name));
    }

    private static boolean fits(TypeSchema type, JsonNode value, String owner, String field) {
        return switch (type.shape()) {
            case STRING -> value.isTextual();
            case NUMBER ->
                (value.isIntegralNumber() && (isLong(owner, field) || value.canConvertToInt()))
                        || (value.isNumber() && owner.equals("JSONSchemaProps"));
            case BOOLEAN -> value.isBoolean();
            case MAP -> value.isObject();
            case LIST -> value.isArray();
            default -> true;
        };
    }

    static String form(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "array";
            case STRING -> "string";
            case NUMBER -> value.isIntegralNumber() && value.canConvertToInt() ? "number" : "number " + value.asText();
            case BOOLEAN -> "bool";
            case OBJECT -> "object";
            default -> "null";
        };
    }

    /** What the converter says that strategic merge patches go through. */
    private static String restored(TypeSchema type, JsonNode value, String owner, String field) {
        String source = value.isContainerNode() ? (value.isArray() ? "slice" : "map") : form(value);
        if (value.isNumber()) {
            source = value.isIntegralNumber() ? "int64" : "float64";
        }
        return switch (type.shape()) {
            case LIST -> "cannot restore slice from " + source;
            case MAP ->
                type.name().isEmpty() ? "cannot restore map from " + source : "cannot restore struct from: " + source;
            default ->
                converts(type, value)
                        ? "cannot convert " + source + " to " + name(type, owner, field)
                        : "unrecognized type: " + kind(type, owner, field);
        };
    }

    /** Go has conversions between these two, which the converter refuses by name; others it does not know of. */
    private static boolean converts(TypeSchema type, JsonNode value) {
        return type.shape() == TypeSchema.Shape.STRING
                ? value.isIntegralNumber()
                : type.shape() == TypeSchema.Shape.NUMBER && value.isNumber();
    }

    private static String kind(TypeSchema type, String owner, String field) {
        return type.shape() == TypeSchema.Shape.STRING ? "string" : name(type, owner, field);
    }

    private static String name(TypeSchema type, String owner, String field) {
        TypeSchema element = type.element();
        return switch (type.shape()) {
            case STRING -> isBytes(owner, field) ? "[]uint8" : GoEnums.type(owner, field);
            case NUMBER -> isLong(owner, field) ? "int64" : "int32";
            case BOOLEAN -> "bool";
            case LIST -> "[]" + (element == null ? "interface {}" : name(element, owner, field));
            case MAP ->
                type.name().isEmpty() && element != null
                        ? "map[string]" + name(element, owner, field)
                        : (SECOND.matcher(type.name()).matches() && !type.name().endsWith("V1") ? "v2." : "v1.")
                                + struct(type.name());
            default -> "interface {}";
        };
    }

    /** Times are not told apart from other scalars by the table; these are times everywhere. */
    static void checkTime(String field, JsonNode value) {
        boolean fine = FINE_TIMES.contains(field);
        if (!(fine || isTime(field)) || !value.isTextual() || value.asText().isEmpty()) {
            return;
        }
        GoTime.fault(value.asText(), fine).ifPresent(fault -> {
            throw new TypeFault(fault);
        });
    }

    /** How many devices are asked for, others count in 32 bits. */
    private static boolean isLong(String owner, String field) {
        return LONG.contains(field) || (field.equals("count") && owner.contains("Device"));
    }

    private static String struct(String name) {
        String shown = NAMES.getOrDefault(name, name);
        return shown.endsWith("V1") ? shown.substring(0, shown.length() - 2) : shown;
    }

    private static boolean isTime(String field) {
        return field.endsWith("Time") || field.endsWith("Timestamp");
    }

    /** Whether a value may be a time, or a number or a text. */
    static boolean fitsUntyped(String field, JsonNode value) {
        return value.isTextual() || (!isTime(field) && value.isIntegralNumber() && value.canConvertToInt());
    }

    static TypeFault untyped(JsonNode value, String owner, String path) {
        boolean time = isTime(path.substring(path.lastIndexOf('.') + 1));
        return new TypeFault("json: cannot unmarshal " + form(value) + " into Go struct field " + struct(owner) + "."
                + path + " of type " + (time ? "string" : "int32"));
    }

    static void checkQuantity(JsonNode value) {
        if (value.isNumber()
                || (value.isTextual() && Quantities.value(value.asText()).isPresent())) {
            return;
        }
        throw new TypeFault(
                QUANTITY.matcher(value.asText()).matches()
                        ? "unable to parse quantity's suffix"
                        : "quantities must match the regular expression"
                                + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }

    /** Bytes travel as base64. */
    static @Nullable TypeFault bytes(JsonNode data, String field) {
        for (JsonNode value : data.isTextual() ? List.of(data) : data) {
            if (!value.isTextual() && !value.isNull()) {
                return new TypeFault("json: cannot unmarshal " + form(value) + " into Go struct field " + field
                        + " of type []uint8");
            }
            String text = value.asText();
            int fault = firstFault(text);
            if (fault >= 0) {
                String said = "illegal base64 data at input byte " + fault;
                return new TypeFault(said, "error decoding from json: " + said, "error decoding from json: " + said);
            }
        }
        return null;
    }

    private static int firstFault(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == '=') {
            end--;
        }
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean legal = (c < 128 && Character.isLetterOrDigit(c)) || c == '+' || c == '/';
            if (!legal) {
                return i;
            }
        }
        return text.length() % 4 == 0 ? -1 : text.length() - text.length() % 4;
    }

    static boolean isBytes(String owner, String field) {
        return (owner.equals("Secret") && field.equals("data"))
                || (owner.equals("ConfigMap") && field.equals("binaryData"))
                || (owner.equals("CertificateSigningRequestSpec") && field.equals("request"))
                || (owner.equals("CertificateSigningRequestStatus") && field.equals("certificate"))
                || field.equals("caBundle");
    }
}
