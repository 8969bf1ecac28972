package dev.sro.core.recipe.gotemplate;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The functions that Go's templates have. {@code and} and {@code or} evaluate their arguments and are not here. */
final class Builtins {
    private static final int ANY = Integer.MAX_VALUE;

    /** How many arguments a function takes at least and at most. */
    private record Arity(int min, int max) {}

    private static final Arity BINARY = new Arity(2, 2);
    private static final Map<String, Arity> ARITIES = Map.ofEntries(
            Map.entry("and", new Arity(1, ANY)),
            Map.entry("or", new Arity(1, ANY)),
            Map.entry("not", new Arity(1, 1)),
            Map.entry("len", new Arity(1, 1)),
            Map.entry("index", new Arity(1, ANY)),
            Map.entry("slice", new Arity(1, ANY)),
            Map.entry("call", new Arity(1, ANY)),
            Map.entry("print", new Arity(0, ANY)),
            Map.entry("println", new Arity(0, ANY)),
            Map.entry("printf", new Arity(1, ANY)),
            Map.entry("html", new Arity(0, ANY)),
            Map.entry("js", new Arity(0, ANY)),
            Map.entry("urlquery", new Arity(0, ANY)),
            Map.entry("eq", new Arity(1, ANY)),
            Map.entry("ne", BINARY),
            Map.entry("lt", BINARY),
            Map.entry("le", BINARY),
            Map.entry("gt", BINARY),
            Map.entry("ge", BINARY));

    static final Set<String> NAMES = ARITIES.keySet();

    private final Budget budget;
    private final GoCompare compare;

    Builtins(Budget budget) {
        this.budget = budget;
        this.compare = new GoCompare(budget);
    }

    static void checkArity(String name, int written, boolean piped) {
        Arity arity = ARITIES.get(name);
        int count = written + (piped ? 1 : 0);
        if (arity == null || (count >= arity.min() && count <= arity.max())) {
            return;
        }
        String want = (arity.max() == ANY ? "at least " : "") + arity.min();
        throw new EvaluationError("wrong number of args for " + name + ": want " + want + " got " + count);
    }

    @Nullable Object call(String name, List<@Nullable Object> arguments) {
        return switch (name) {
            case "not" -> !GoValues.truth(arguments.get(0));
            case "len" -> length(arguments.get(0));
            case "index" -> index(arguments);
            case "slice" -> slice(arguments);
            case "call" -> throw notCallable(arguments.get(0));
            case "print" -> text(arguments);
            case "println" -> println(arguments);
            case "printf" -> printf(arguments);
            case "html" -> written(Escapes.html(shown(arguments)));
            case "js" -> written(Escapes.js(shown(arguments)));
            case "urlquery" -> written(Escapes.urlQuery(shown(arguments)));
            case "eq" -> compare.equalsAny(arguments);
            case "ne" -> !compare.equal(arguments.get(0), arguments.get(1));
            case "lt" -> compare.less(arguments.get(0), arguments.get(1));
            case "le" -> compare.lessOrEqual(arguments.get(0), arguments.get(1));
            case "gt" -> !compare.lessOrEqual(arguments.get(0), arguments.get(1));
            case "ge" -> !compare.less(arguments.get(0), arguments.get(1));
            default -> throw new IllegalArgumentException(name);
        };
    }

    private String text(List<@Nullable Object> arguments) {
        ValuePrinter printer = new ValuePrinter(budget);
        printer.print(arguments);
        return printer.text();
    }

    /** As it is printed by an action: nil is no value. */
    private String shown(List<@Nullable Object> arguments) {
        List<@Nullable Object> shown = new ArrayList<>(arguments);
        shown.replaceAll(each -> each == null ? "<no value>" : each);
        return text(shown);
    }

    private String println(List<@Nullable Object> arguments) {
        ValuePrinter printer = new ValuePrinter(budget);
        printer.println(arguments);
        return printer.text();
    }

    private String printf(List<@Nullable Object> arguments) {
        Object first = arguments.get(0);
        if (!(first instanceof String format)) {
            throw new EvaluationError(
                    first == null
                            ? "invalid value; expected string"
                            : "wrong type for value; expected string; got " + GoValues.typeName(first));
        }
        ValuePrinter printer = new ValuePrinter(budget);
        new FormatString(format, arguments.subList(1, arguments.size()), printer).print();
        return printer.text();
    }

    private String written(String text) {
        budget.writing(text.length());
        return text;
    }

    private static EvaluationError notCallable(@Nullable Object value) {
        return new EvaluationError(
                value == null ? "call of nil" : "call of a non-function of type " + GoValues.typeName(value));
    }

    private long length(@Nullable Object value) {
        if (value instanceof String text) {
            budget.reading(text);
            return GoText.bytes(text).length;
        }
        if (value instanceof List<?> list) {
            return list.size();
        }
        if (value instanceof Map<?, ?> map) {
            return map.size();
        }
        throw new EvaluationError(value == null ? "len of nil pointer" : "len of type " + GoValues.typeName(value));
    }

    private @Nullable Object index(List<@Nullable Object> arguments) {
        Object item = arguments.get(0);
        if (item == null) {
            throw new EvaluationError("index of untyped nil");
        }
        for (Object key : arguments.subList(1, arguments.size())) {
            item = GoValues.convert(element(item, key));
        }
        return item;
    }

    private @Nullable Object element(@Nullable Object item, @Nullable Object key) {
        if (item instanceof Map<?, ?> map) {
            if (key instanceof String) {
                return map.get(key);
            }
            throw new EvaluationError(
                    key == null
                            ? "value is nil; should be of type string"
                            : "value has type " + GoValues.typeName(key) + "; should be string");
        }
        if (item instanceof List<?> list) {
            return list.get(position(key, list.size(), list.size() - 1));
        }
        if (item instanceof String text) {
            budget.reading(text);
            byte[] bytes = GoText.bytes(text);
            return (long) (bytes[position(key, bytes.length, bytes.length - 1)] & 0xff);
        }
        throw new EvaluationError(
                item == null ? "index of nil pointer" : "can't index item of type " + GoValues.typeName(item));
    }

    private static int position(@Nullable Object index, int length, int max) {
        if (!(index instanceof Long number)) {
            throw new EvaluationError(
                    index == null
                            ? "cannot index slice/array with nil"
                            : "cannot index slice/array with type " + GoValues.typeName(index));
        }
        if (number < 0 || number > max) {
            throw new EvaluationError("index out of range: " + number + " of " + length);
        }
        return number.intValue();
    }

    private Object slice(List<@Nullable Object> arguments) {
        Object item = arguments.get(0);
        if (arguments.size() > 4) {
            throw new EvaluationError("too many slice indexes: " + (arguments.size() - 1));
        }
        if (item instanceof String text) {
            budget.reading(text);
            byte[] bytes = GoText.bytes(text);
            if (arguments.size() == 4) {
                throw new EvaluationError("cannot 3-index slice a string");
            }
            int[] bounds = bounds(arguments, bytes.length);
            return written(new String(bytes, bounds[0], bounds[1] - bounds[0], StandardCharsets.UTF_8));
        }
        if (item instanceof List<?> list) {
            int[] bounds = bounds(arguments, list.size());
            return list.subList(bounds[0], bounds[1]);
        }
        throw new EvaluationError(
                item == null ? "slice of untyped nil" : "can't slice item of type " + GoValues.typeName(item));
    }

    private static int[] bounds(List<@Nullable Object> arguments, int length) {
        int[] bounds = {0, length, length};
        for (int i = 1; i < arguments.size(); i++) {
            bounds[i - 1] = position(arguments.get(i), length, length);
        }
        if (bounds[0] > bounds[1] || bounds[1] > bounds[2]) {
            int wrong = bounds[0] > bounds[1] ? 0 : 1;
            throw new EvaluationError("invalid slice index: " + bounds[wrong] + " > " + bounds[wrong + 1]);
        }
        return bounds;
    }
}
