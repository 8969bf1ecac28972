package dev.sro.testkit.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sro.core.cel.CelException;
import dev.sro.core.cel.CelExpr;
import dev.sro.core.cel.CelInterpreter;
import dev.sro.core.cel.CelParser;
import dev.sro.core.cel.CelSemver;
import dev.sro.core.cel.CelType;
import dev.sro.core.cel.CelTypeCheck;
import dev.sro.core.cel.CelValues;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A CEL expression that selects devices of ResourceSlices: {@code device.driver}, {@code device.attributes["domain"].name},
 * {@code device.capacity["domain"].name}, {@code device.allowMultipleAllocations}. Immutable and thread-safe.
 */
public final class DeviceSelector {
    private static final int MAX_LENGTH = 10 * 1024;
    private static final long MAX_COST = 1_000_000;
    private static final CelType QUANTITY = CelType.object("kubernetes.Quantity", name -> null);
    private static final CelType DEVICE = CelType.object("kubernetes.DRADevice", DeviceSelector::field);
    /** How large values are at most: 32 attributes in as many domains, texts of 64 bytes (which a schema counts as 16 characters). */
    private static final String SIZES = """
            {"type":"object","properties":{
              "driver":{"type":"string","maxLength":16},
              "allowMultipleAllocations":{"type":"boolean"},
              "attributes":{"type":"object","maxProperties":32,"additionalProperties":
                {"type":"object","maxProperties":32,"additionalProperties":{"type":"string","maxLength":16}}},
              "capacity":{"type":"object","maxProperties":32,"additionalProperties":
                {"type":"object","maxProperties":32,"additionalProperties":{"type":"number"}}}}}""";

    private final CelExpr expression;

    private DeviceSelector(CelExpr expression) {
        this.expression = expression;
    }

    private static @Nullable CelType field(String name) {
        return switch (name) {
            case "driver" -> CelType.STRING;
            case "allowMultipleAllocations" -> CelType.BOOL;
            case "attributes" -> CelType.map(CelType.map(CelType.DYN));
            case "capacity" -> CelType.map(CelType.map(QUANTITY));
            default -> null;
        };
    }

    /**
     * Reads an expression that the server has accepted.
     *
     * @throws CelException if it cannot be read
     */
    public static DeviceSelector of(String source) {
        return new DeviceSelector(CelParser.parseWithBindings(source));
    }

    /** What is wrong with an expression; null if nothing is. */
    static @Nullable FieldError fault(String source, String path) {
        if (DeviceNames.bytes(source) > MAX_LENGTH) {
            return FieldError.tooLong(path, MAX_LENGTH);
        }
        String fault;
        try {
            CelExpr expr = CelParser.parseWithBindings(source);
            CelType type = CelTypeCheck.check(expr, Map.of("device", DEVICE));
            boolean fits = type.kind() == CelType.Kind.BOOL || type.kind() == CelType.Kind.DYN;
            fault = fits ? "" : "must evaluate to bool or the unknown type, not " + type;
            if (fits && CelCost.estimate(expr, Map.of("device", Sizes.DEVICE)) > MAX_COST) {
                return FieldError.forbidden(path, "too complex, exceeds cost limit");
            }
        } catch (CelException e) {
            fault = "compilation failed: " + CelCheck.located(source, e);
        }
        return fault.isEmpty() ? null : FieldError.invalid(path, TextNode.valueOf(source), fault);
    }

    /**
     * Whether it selects a device.
     *
     * @param driver of the device's slice: the domain of attributes without one
     * @param device as it stands in the slice
     * @throws CelException if the expression has no value for this device, for instance because an attribute is missing
     */
    public boolean selects(String driver, ObjectNode device) {
        Map<Object, @Nullable Object> value = new HashMap<>();
        value.put("driver", driver);
        value.put(
                "allowMultipleAllocations",
                device.path("allowMultipleAllocations").asBoolean());
        Domains attributes = new Domains();
        device.path("attributes")
                .properties()
                .forEach(e -> attributes.add(driver, e.getKey(), attribute(e.getValue())));
        value.put("attributes", attributes);
        Domains capacity = new Domains();
        device.path("capacity").properties().forEach(e -> {
            String text = e.getValue().path("value").asText();
            capacity.add(
                    driver,
                    e.getKey(),
                    new CelValues.Quantity(
                            Quantities.value(text).orElseThrow(() -> new CelException("no quantity: " + text))));
        });
        value.put("capacity", capacity);
        Map<String, @Nullable Object> variables = new HashMap<>();
        variables.put("device", value);
        if (new CelInterpreter(variables, MAX_COST).value(expression) instanceof Boolean selected) {
            return selected;
        }
        throw new CelException("CEL result could not be converted to bool");
    }

    private static Object attribute(JsonNode attribute) {
        if (attribute.has("int")) {
            return attribute.get("int").asLong();
        }
        if (attribute.has("bool")) {
            return attribute.get("bool").asBoolean();
        }
        if (attribute.has("string")) {
            return attribute.get("string").asText();
        }
        String version = attribute.path("version").asText();
        return CelSemver.parse(version).orElseThrow(() -> new CelException("unsupported attribute value"));
    }

    /** Kept apart, so that it is read only where something is validated. */
    private static final class Sizes {
        static final SchemaNode DEVICE = read();

        private static SchemaNode read() {
            try {
                return SchemaNode.read(new ObjectMapper().readTree(SIZES));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** What is known by domain; a domain that is not there has nothing in it. */
    private static final class Domains extends HashMap<Object, @Nullable Object> {
        private static final long serialVersionUID = 1;

        void add(String driver, String name, Object value) {
            int slash = name.indexOf('/');
            String domain = slash < 0 ? driver : name.substring(0, slash);
            @SuppressWarnings("unchecked")
            Map<Object, Object> inner = (Map<Object, Object>) computeIfAbsent(domain, d -> new HashMap<>());
            if (inner != null) {
                inner.put(name.substring(slash + 1), value);
            }
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return true;
        }

        @Override
        public @Nullable Object get(@Nullable Object key) {
            return getOrDefault(key, Collections.emptyMap());
        }

        @Override
        public @Nullable Object getOrDefault(@Nullable Object key, @Nullable Object other) {
            Object value = super.get(key);
            return value == null ? other : value;
        }
    }
}
