package dev.sro.core.das;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;

/** Reads fields of an object, and names the object and the field where one is not as it should be. Immutable. */
record ObjectFields(String what, Map<?, ?> fields, String path) {
    static ObjectFields of(GenericKubernetesResource object, String kind, String field) {
        String name = object.getMetadata() == null
                ? "without metadata"
                : String.valueOf(object.getMetadata().getName());
        String namespace =
                object.getMetadata() == null ? null : object.getMetadata().getNamespace();
        String what = kind + " " + (namespace == null ? "" : namespace + "/") + name;
        Object value = object.getAdditionalProperties().get(field);
        if (object.getMetadata() == null || object.getMetadata().getName() == null) {
            throw new IllegalArgumentException(what + ": metadata.name is missing");
        }
        return new ObjectFields(what, value instanceof Map<?, ?> map ? map : Map.of(), field);
    }

    /** The object in a field; without fields, if there is none. */
    ObjectFields in(String name) {
        return new ObjectFields(what, fields.get(name) instanceof Map<?, ?> map ? map : Map.of(), path + "." + name);
    }

    /** A text that has to be there. */
    String text(String name) {
        String text = textOrEmpty(name);
        if (text.isEmpty()) {
            throw wrong(name, "is missing; a text is expected");
        }
        return text;
    }

    /** A text; empty, if there is none. */
    String textOrEmpty(String name) {
        Object value = fields.get(name);
        if (value != null && !(value instanceof String)) {
            throw wrong(name, "is " + value + "; a text is expected");
        }
        return value == null ? "" : (String) value;
    }

    /** A number that has to be there. */
    int number(String name, int least, int most) {
        Object value = fields.get(name);
        if (value instanceof Number number
                && number.doubleValue() == number.intValue()
                && number.intValue() >= least
                && number.intValue() <= most) {
            return number.intValue();
        }
        throw wrong(
                name,
                (value == null ? "is missing" : "is " + value) + "; a number from " + least + " to " + most
                        + " is expected");
    }

    /** The elements of a list; none, if there is none. */
    List<ObjectFields> list(String name) {
        Object value = fields.get(name);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> list)) {
            throw wrong(name, "is no list");
        }
        return java.util.stream.IntStream.range(0, list.size())
                .mapToObj(i -> new ObjectFields(
                        what, list.get(i) instanceof Map<?, ?> map ? map : Map.of(), path + "." + name + "[" + i + "]"))
                .toList();
    }

    IllegalArgumentException wrong(String name, String why) {
        return new IllegalArgumentException(what + ": " + path + "." + name + " " + why);
    }
}
