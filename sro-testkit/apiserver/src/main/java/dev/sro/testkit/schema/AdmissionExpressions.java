package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sro.core.cel.CelAuthorizer;
import dev.sro.core.cel.CelException;
import dev.sro.core.cel.CelExpr;
import dev.sro.core.cel.CelInterpreter;
import dev.sro.core.cel.CelParser;
import dev.sro.core.cel.CelType;
import dev.sro.core.cel.CelTypeCheck;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * CEL expressions of admission: match conditions, validations, mutations and what belongs to them, on the values of one request. Values have no
 * schema: fields are named as they are. Not thread-safe; make one for each request.
 */
public final class AdmissionExpressions {
    /**
     * What an expression came to.
     *
     * @param value of the language, null for its null and for none
     * @param error why there is no value; empty if there is one
     */
    public record Outcome(@Nullable Object value, String error) {
        /** Whether it is the value false. */
        public boolean isFalse() {
            return error.isEmpty() && Boolean.FALSE.equals(value);
        }
    }

    private static final String VARIABLES = "variables";

    private final Map<String, @Nullable Object> values = new HashMap<>();

    /**
     * The values.
     *
     * @param inputs by name; null for the null of the language
     * @param rights what the authorizer answers
     * @param resource what the request is about, for it
     * @param variables expressions by name, which others see as {@code variables.name}; evaluated when they are first used, each once
     */
    public AdmissionExpressions(
            Map<String, @Nullable JsonNode> inputs,
            CelAuthorizer.Rights rights,
            CelAuthorizer.Question resource,
            Map<String, String> variables) {
        inputs.forEach((name, json) -> values.put(name, json == null ? null : CelJson.convert(null, json)));
        values.put("authorizer", CelAuthorizer.of(rights));
        values.put("authorizer.requestResource", CelAuthorizer.of(rights, resource));
        values.put(VARIABLES, new Composed(variables));
    }

    /** Evaluates an expression. */
    public Outcome evaluate(String source) {
        try {
            return new Outcome(new CelInterpreter(values).value(CelParser.parse(source)), "");
        } catch (CelException e) {
            return new Outcome(null, failed(source, e.text()));
        }
    }

    /**
     * Evaluates the expression of a mutation.
     *
     * @param patch whether it makes operations of a JSON patch, and not a configuration to apply
     * @return an array of operations, or the configuration
     * @throws CelException with a text for people, if it makes neither
     */
    public JsonNode mutation(String source, boolean patch) {
        Object value;
        try {
            value = new CelInterpreter(values, MutationTypes.TYPES).value(CelParser.parse(source));
        } catch (CelException e) {
            throw new CelException(failed(source, e.text()));
        }
        String fault = MutationValues.fault(value);
        if (!fault.isEmpty()) {
            throw new CelException(failed(source, fault));
        }
        return patch ? MutationValues.patch(value) : MutationValues.configuration(value);
    }

    private static String failed(String source, String why) {
        return "expression '" + source + "' resulted in error: " + why;
    }

    /**
     * An expression whose types were looked at.
     *
     * @param fault what is wrong with it; empty if nothing is
     * @param type dynamic where it is not known
     */
    record Compiled(String fault, CelType type) {
        void addTo(List<FieldError> errors, String path, String source) {
            if (!fault.isEmpty()) {
                errors.add(FieldError.invalid(path, TextNode.valueOf(source), fault));
            }
        }
    }

    /** Looks at an expression that has to be of one of these types; of any, if there are none. */
    static Compiled compile(String source, AdmissionTypes inputs, CelType... wanted) {
        return compile(source, inputs, CelType.Types.NONE, type -> {
            if (wanted.length == 0 || Stream.of(wanted).anyMatch(one -> one.kind() == type.kind())) {
                return "";
            }
            return wanted.length == 1
                    ? wanted[0].toString()
                    : "one of "
                            + Stream.of(wanted)
                                    .map(AdmissionExpressions::shown)
                                    .toList()
                                    .toString()
                                    .replace(",", "");
        });
    }

    /** Here the type of null is called what it is called in expressions. */
    private static String shown(CelType type) {
        return type.kind() == CelType.Kind.NULL ? "null_type" : type.toString();
    }

    /** Looks at the expression of a mutation, whose type has to be known. */
    static Compiled compileMutation(String source, boolean patch, AdmissionTypes inputs) {
        String wanted = patch ? "list(" + MutationTypes.PATCH + ")" : MutationTypes.OBJECT;
        return compile(
                source, inputs, MutationTypes.TYPES, type -> type.toString().equals(wanted) ? "" : wanted);
    }

    private static Compiled compile(
            String source, AdmissionTypes inputs, CelType.Types made, Function<CelType, String> expectation) {
        try {
            CelExpr expr = CelParser.parse(source);
            CelType type = CelTypeCheck.check(expr, inputs.names(), made);
            // What a function makes is not always known here; a field of what has any type is of any type.
            boolean known = type.kind() != CelType.Kind.DYN || expr.isPlace();
            String wanted = known ? expectation.apply(type) : "";
            return wanted.isEmpty()
                    ? new Compiled("", type)
                    : new Compiled("must evaluate to " + wanted + " but got " + shown(type), CelType.DYN);
        } catch (CelException e) {
            return new Compiled("compilation failed: " + CelCheck.located(source, e), CelType.DYN);
        }
    }

    /** The composed variables, as a map whose values are made on demand. */
    private final class Composed extends AbstractMap<Object, @Nullable Object> {
        private final Map<String, String> sources;
        private final Map<String, @Nullable Object> known = new HashMap<>();

        Composed(Map<String, String> sources) {
            this.sources = sources;
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return key instanceof String name && sources.containsKey(name);
        }

        @Override
        public @Nullable Object get(@Nullable Object key) {
            if (!(key instanceof String name)) {
                return null;
            }
            String source = sources.get(name);
            if (source == null || known.containsKey(name)) {
                return known.get(name);
            }
            Object value;
            try {
                value = new CelInterpreter(values).value(CelParser.parse(source));
            } catch (CelException e) {
                throw new CelException("composited variable \"" + name + "\" fails to evaluate: " + e.text());
            }
            known.put(name, value);
            return value;
        }

        @Override
        public Set<Entry<Object, @Nullable Object>> entrySet() {
            Map<Object, @Nullable Object> all = new LinkedHashMap<>();
            sources.keySet().forEach(name -> all.put(name, get(name)));
            return all.entrySet();
        }
    }
}
