package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The merge topology of a type: which fields there are, which lists are sets or maps with keys, which maps and lists are one
 * value. Immutable once published and thread-safe. Types may refer to themselves.
 */
public final class TypeSchema {
    /** The form of the values of a type. */
    public enum Shape {
        STRING,
        NUMBER,
        BOOLEAN,
        /** Any scalar: quantities, int-or-string, times. */
        UNTYPED,
        MAP,
        LIST,
        /** Whatever the value is: see {@link #forValue}. */
        ANY
    }

    /** How the items of a list are told apart. */
    public enum ListKind {
        /** Not at all: the list is one value. */
        ATOMIC,
        /** By their value. */
        SET,
        /** By their key fields. */
        MAP
    }

    /** What becomes of a field when an object is read into the server's structs and written again. */
    public enum Presence {
        /** Left out when it is zero. */
        OMIT_ZERO,
        /** Kept whenever it was given: a pointer. */
        POINTER,
        /** Always written, with its zero value if need be. */
        ALWAYS
    }

    /** How strategic merge patch treats a field, where this differs from what the list type says. */
    public enum PatchStrategy {
        BY_TYPE,
        REPLACE,
        RETAIN_KEYS
    }

    /**
     * A declared field of a map.
     *
     * @param name as in JSON
     * @param key the field as a path element of FieldsV1: {@code f:name}
     * @param type type of the value
     * @param presence whether zero values are written
     * @param patch strategic merge patch strategy
     * @param patchKey merge key of strategic merge patch, empty if the list type decides
     */
    public record Field(
            String name, String key, TypeSchema type, Presence presence, PatchStrategy patch, String patchKey) {
        static Field of(String name, TypeSchema type) {
            return new Field(name, "f:" + name, type, Presence.POINTER, PatchStrategy.BY_TYPE, "");
        }
    }

    static final TypeSchema STRING = new TypeSchema(Shape.STRING);
    static final TypeSchema NUMBER = new TypeSchema(Shape.NUMBER);
    static final TypeSchema BOOLEAN = new TypeSchema(Shape.BOOLEAN);
    static final TypeSchema UNTYPED = new TypeSchema(Shape.UNTYPED);
    static final TypeSchema QUANTITY = new TypeSchema(Shape.UNTYPED);
    private static final TypeSchema DEDUCED = new TypeSchema(Shape.ANY);
    private static final TypeSchema DEDUCED_LIST = list(ListKind.ATOMIC, DEDUCED);
    private static final TypeSchema DEDUCED_MAP = map(DEDUCED);

    private final Shape shape;
    private final ListKind listKind;
    private boolean atomic;
    private boolean keepsUnknown;
    private @Nullable TypeSchema element;
    private final Map<String, Field> fields = new LinkedHashMap<>();
    /** Name of a struct, as the server's sources call it; empty for other types. */
    private String name = "";

    private List<String> keys = List.of();
    private Map<String, JsonNode> keyDefaults = Map.of();

    private TypeSchema(Shape shape) {
        this(shape, ListKind.ATOMIC);
    }

    private TypeSchema(Shape shape, ListKind listKind) {
        this.shape = shape;
        this.listKind = listKind;
        this.atomic = shape == Shape.LIST && listKind == ListKind.ATOMIC;
    }

    /** For values of unknown shape: maps are merged field by field, lists are one value. */
    public static TypeSchema deduced() {
        return DEDUCED;
    }

    /** For objects of a kind without a schema: metadata as everywhere, all else deduced. */
    public static TypeSchema unknownKind() {
        return BuiltinTypes.unknownKind();
    }

    static TypeSchema list(ListKind kind, TypeSchema items) {
        TypeSchema list = new TypeSchema(Shape.LIST, kind);
        list.element = items;
        return list;
    }

    static TypeSchema mapList(TypeSchema items, List<String> keys, Map<String, JsonNode> keyDefaults) {
        TypeSchema list = list(ListKind.MAP, items);
        list.keys = List.copyOf(keys);
        list.keyDefaults = Map.copyOf(keyDefaults);
        return list;
    }

    /** A map of equal values. */
    static TypeSchema map(TypeSchema values) {
        TypeSchema map = new TypeSchema(Shape.MAP);
        map.element = values;
        return map;
    }

    /** A struct; its fields are added before it is published. */
    static TypeSchema struct() {
        return new TypeSchema(Shape.MAP);
    }

    static TypeSchema struct(String name) {
        TypeSchema struct = struct();
        struct.name = name;
        return struct;
    }

    /** Name of a struct of a built-in type; empty for all other types. */
    public String name() {
        return name;
    }

    TypeSchema with(Field field) {
        fields.put(field.name(), field);
        return this;
    }

    TypeSchema asAtomic() {
        atomic = true;
        return this;
    }

    /** Undeclared fields are kept and are of this type. */
    TypeSchema withElement(TypeSchema values) {
        element = values;
        keepsUnknown = true;
        return this;
    }

    /** The form of the values; {@link Shape#ANY} only before {@link #forValue}. */
    public Shape shape() {
        return shape;
    }

    /** Whether a map or list is one value. */
    public boolean atomic() {
        return atomic;
    }

    /** Whether values are neither maps nor lists. */
    public boolean scalar() {
        return shape != Shape.MAP && shape != Shape.LIST && shape != Shape.ANY;
    }

    public ListKind listKind() {
        return listKind;
    }

    /** Key fields of the items of a {@link ListKind#MAP} list, in the order of the type's definition. */
    public List<String> keys() {
        return keys;
    }

    /** Value of a key field that an item leaves out. */
    public @Nullable JsonNode keyDefault(String key) {
        return keyDefaults.get(key);
    }

    /** A declared field. */
    public @Nullable Field field(String name) {
        return fields.get(name);
    }

    /** All declared fields. */
    public Collection<Field> fields() {
        return fields.values();
    }

    /** Type of list items and of undeclared map entries; null if there are none. */
    public @Nullable TypeSchema element() {
        return element;
    }

    /** Whether a struct keeps fields that it does not declare. */
    boolean keepsUnknown() {
        return keepsUnknown;
    }

    /**
     * A new object as the server's structs write it when nothing is set: the fields that are always there.
     */
    public ObjectNode zero() {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        for (Field field : fields.values()) {
            if (field.presence() == Presence.ALWAYS) {
                out.set(field.name(), field.type().zeroValue());
            }
        }
        return out;
    }

    JsonNode zeroValue() {
        if (this == QUANTITY) {
            return TextNode.valueOf("0");
        }
        return switch (shape) {
            case STRING -> TextNode.valueOf("");
            case NUMBER -> IntNode.valueOf(0);
            case BOOLEAN -> BooleanNode.FALSE;
            case MAP -> element != null ? NullNode.getInstance() : zero();
            default -> NullNode.getInstance();
        };
    }

    /** This type; for {@link Shape#ANY} the type that the value's form implies. */
    public TypeSchema forValue(@Nullable JsonNode value) {
        if (shape != Shape.ANY) {
            return this;
        }
        if (value != null && value.isObject()) {
            return DEDUCED_MAP;
        }
        return value != null && value.isArray() ? DEDUCED_LIST : UNTYPED;
    }

    /** Type of the entry with this key; null if the map has no such entry. */
    public @Nullable TypeSchema entry(String key) {
        Field field = fields.get(key);
        return field != null ? field.type() : element;
    }
}
