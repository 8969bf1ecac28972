package dev.sro.core.slicing.input;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An object with named fields. A required field that is missing is reported, and read as an empty value. */
public final class InputObject {
    private final InputField self;
    private final Map<String, InputField> fields;

    InputObject(InputField self, Map<String, InputField> fields) {
        this.self = self;
        this.fields = fields;
    }

    /** A field, if it is there and not null. */
    public Optional<InputField> get(String name) {
        return Optional.ofNullable(fields.get(name)).filter(field -> !field.isNull());
    }

    /** A field that must be there. */
    public Optional<InputField> required(String name) {
        Optional<InputField> field = get(name);
        if (field.isEmpty() && self.isObject()) {
            self.error(name + " is missing");
        }
        return field;
    }

    /** A string that must be there. */
    public String string(String name) {
        return required(name).map(InputField::string).orElse("");
    }

    /** A string, or what to take instead. */
    public String string(String name, String otherwise) {
        return get(name).map(InputField::string).orElse(otherwise);
    }

    /** A whole number that must be there. */
    public int integer(String name) {
        return required(name).map(InputField::integer).orElse(0);
    }

    /** A whole number, or what to take instead. */
    public int integer(String name, int otherwise) {
        return get(name).map(InputField::integer).orElse(otherwise);
    }

    /** True or false, or what to take instead. */
    public boolean bool(String name, boolean otherwise) {
        return get(name).map(InputField::bool).orElse(otherwise);
    }

    /** A list, empty if it is not there. */
    public List<InputField> list(String name) {
        return get(name).map(InputField::list).orElse(List.of());
    }

    /** A list of different strings, empty if it is not there. */
    public List<String> strings(String name) {
        return get(name).map(InputField::strings).orElse(List.of());
    }

    /** Whole numbers by name, empty if it is not there. */
    public Map<String, Integer> counts(String name) {
        return get(name).map(InputField::counts).orElse(Map.of());
    }

    /** Strings by name, empty if it is not there. */
    public Map<String, String> texts(String name) {
        return get(name).map(InputField::texts).orElse(Map.of());
    }
}
