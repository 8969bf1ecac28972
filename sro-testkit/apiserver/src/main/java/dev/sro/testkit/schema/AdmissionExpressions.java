package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.core.cel.CelException;
import dev.sro.core.cel.CelInterpreter;
import dev.sro.core.cel.CelParser;
import dev.sro.core.cel.CelType;
import dev.sro.core.cel.CelTypeCheck;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
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
     * @param variables expressions by name, which others see as {@code variables.name}; evaluated when they are first used, each once
     */
    public AdmissionExpressions(Map<String, @Nullable JsonNode> inputs, Map<String, String> variables) {
        inputs.forEach((name, json) -> values.put(name, json == null ? null : CelJson.convert(null, json)));
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

    /** What is wrong with an expression that may use these names; composed ones are fields of {@code variables}. */
    static String fault(String source, CelType wanted, Set<String> names) {
        return fault(source, names, CelType.Types.NONE, type -> type.mayBe(wanted) ? "" : wanted.toString());
    }

    /** What is wrong with the expression of a mutation, whose type has to be known. */
    static String mutationFault(String source, boolean patch, Set<String> names) {
        String wanted = patch ? "list(" + MutationTypes.PATCH + ")" : MutationTypes.OBJECT;
        return fault(source, names, MutationTypes.TYPES, type -> type.toString().equals(wanted) ? "" : wanted);
    }

    private static String fault(
            String source, Set<String> names, CelType.Types made, Function<CelType, String> expectation) {
        try {
            Map<String, CelType> types = new HashMap<>();
            names.forEach(name -> types.put(name, CelType.DYN));
            CelType type = CelTypeCheck.check(CelParser.parse(source), types, made);
            String wanted = expectation.apply(type);
            return wanted.isEmpty() ? "" : "must evaluate to " + wanted + " but got " + type;
        } catch (CelException e) {
            return "compilation failed: " + CelCheck.located(source, e);
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
