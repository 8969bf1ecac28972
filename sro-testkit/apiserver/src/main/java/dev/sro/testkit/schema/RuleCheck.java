package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.cel.CelException;
import dev.sro.core.cel.CelExpr;
import dev.sro.core.cel.CelParser;
import dev.sro.core.cel.CelType;
import dev.sro.core.cel.CelTypeCheck;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a schema: whether each can be read, is true or false, and costs no more than it may, and all together no more than they may.
 * One use.
 */
final class RuleCheck {
    /** Of one rule, and of all of a schema; in the units of CEL's cost model. From Kubernetes' {@code StaticEstimatedCostLimit}. */
    private static final long PER_EXPRESSION = 10_000_000;

    private static final long PER_SCHEMA = 100_000_000;
    private static final int NAMED = 4;
    private static final long WORTH_NAMING = PER_SCHEMA / 100;

    /**
     * How many values of a schema there can be in an object.
     *
     * @param most null if nothing limits them
     */
    record Count(@Nullable Long most) {
        static final Count ONE = new Count(1L);

        /** Of what is directly within a schema. */
        Count below(JsonNode schema) {
            String type = schema.path("type").asText();
            boolean map = type.equals("object") && schema.has("additionalProperties");
            if (most == null || !(map || type.equals("array"))) {
                return this;
            }
            JsonNode limit = schema.path(map ? "maxProperties" : "maxItems");
            return new Count(
                    limit.isNumber() ? Long.valueOf(CelSizes.times(most, Math.max(0, limit.longValue()))) : null);
        }
    }

    private record Expense(String path, long cost) {}

    private final List<FieldError> errors = new ArrayList<>();
    private final List<Expense> expenses = new ArrayList<>();

    /** What is wrong with the rules that were compiled. */
    List<FieldError> errors() {
        return errors;
    }

    /**
     * Compiles the rules of one schema, not of those within it.
     *
     * @param uncorrelated path of the schema within which values have no old ones; empty if they have
     */
    void compile(ObjectNode schema, String path, boolean root, String uncorrelated, Count count) {
        JsonNode rules = schema.path("x-kubernetes-validations");
        if (rules.isEmpty()) {
            return;
        }
        boolean resource = root || schema.path("x-kubernetes-embedded-resource").asBoolean();
        SchemaNode self = SchemaNode.read(resource ? withIdentity(schema) : schema);
        Long most = count.most();
        long times = most == null ? CelSizes.most(self) : most;
        for (int i = 0; i < rules.size(); i++) {
            rule(rules.get(i), self, path + ".x-kubernetes-validations[" + i + "]", uncorrelated, times);
        }
    }

    /** Rules of a whole object may name what every object has. */
    private static ObjectNode withIdentity(ObjectNode schema) {
        ObjectNode whole = schema.deepCopy();
        ObjectNode properties = whole.get("properties") instanceof ObjectNode p ? p : whole.putObject("properties");
        ObjectNode text = JsonNodeFactory.instance.objectNode().put("type", "string");
        properties.set("apiVersion", text);
        properties.set("kind", text);
        ObjectNode metadata = properties.putObject("metadata").put("type", "object");
        metadata.putObject("properties").<ObjectNode>set("name", text).set("generateName", text);
        return whole;
    }

    private void rule(JsonNode rule, SchemaNode self, String path, String uncorrelated, long times) {
        Map<String, CelType> variables =
                variables(self, rule.path("optionalOldSelf").asBoolean());
        Optional<CelExpr> condition = expression(rule, "rule", CelType.BOOL, variables, path);
        condition.ifPresent(read -> cost("rule", path, CelSizes.times(times, CelCost.estimate(read, self))));
        boolean old = condition.map(read -> read.uses("oldSelf")).orElse(false);
        if (condition.isPresent() && !rule.path("messageExpression").asText().isEmpty()) {
            expression(rule, "messageExpression", CelType.STRING, variables, path)
                    .ifPresent(message -> cost("messageExpression", path, CelCost.estimate(message, self)));
        }
        if (old && !uncorrelated.isEmpty()) {
            errors.add(FieldError.invalid(
                    path + ".rule",
                    rule.path("rule"),
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within " + uncorrelated));
        } else if (!old && rule.has("optionalOldSelf")) {
            errors.add(FieldError.invalid(
                    path + ".optionalOldSelf",
                    rule.path("optionalOldSelf"),
                    "may not be set if oldSelf is not used in rule"));
        }
    }

    private Optional<CelExpr> expression(
            JsonNode rule, String field, CelType wanted, Map<String, CelType> variables, String path) {
        String source = rule.path(field).asText();
        String fault = fault(source, field, wanted, variables);
        if (fault.isEmpty()) {
            return Optional.of(CelParser.parse(source));
        }
        errors.add(FieldError.invalid(path + "." + field, CrdDump.rule(rule), fault));
        return Optional.empty();
    }

    private static Map<String, CelType> variables(SchemaNode self, boolean optionalOld) {
        CelType type = CelSchemas.convert(self);
        return Map.of("self", type, "oldSelf", optionalOld ? CelType.optional(type) : type);
    }

    /** Why a rule about values of a schema cannot be run; empty if it can. */
    static String fault(CelRule rule, SchemaNode self) {
        return fault(rule.rule, "rule", CelType.BOOL, variables(self, rule.optionalOldSelf));
    }

    private static String fault(String source, String field, CelType wanted, Map<String, CelType> variables) {
        boolean isRule = field.equals("rule");
        try {
            if (CelTypeCheck.check(CelParser.parse(source), variables).mayBe(wanted)) {
                return "";
            }
        } catch (CelException e) {
            return (isRule ? "" : "messageExpression ") + "compilation failed: " + CelCheck.located(source, e);
        }
        return isRule ? "cel expression must evaluate to a bool" : "messageExpression must evaluate to a string";
    }

    private void cost(String field, String path, long cost) {
        String at = path + "." + field;
        if (cost > PER_EXPRESSION) {
            errors.add(FieldError.forbidden(at, exceeded("estimated " + field + " cost", cost, PER_EXPRESSION)));
        }
        expenses.add(new Expense(at, cost));
    }

    /** Whether all together cost too much, and which of them most. */
    List<FieldError> total(String path) {
        List<FieldError> found = new ArrayList<>();
        long total = 0;
        for (Expense expense : expenses) {
            total = CelSizes.add(total, expense.cost());
        }
        if (total <= PER_SCHEMA) {
            return found;
        }
        expenses.removeIf(e -> e.cost() < WORTH_NAMING);
        expenses.sort(Comparator.comparingLong(Expense::cost).reversed());
        for (Expense expense : expenses.subList(0, Math.min(NAMED, expenses.size()))) {
            found.add(FieldError.forbidden(
                    expense.path(),
                    "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"));
        }
        String all = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        found.add(FieldError.forbidden(path, exceeded(all, total, PER_SCHEMA)));
        return found;
    }

    private static String exceeded(String what, long cost, long limit) {
        double factor = (double) cost / limit;
        String shown =
                factor > 100 ? "more than 100x" : String.format(Locale.ROOT, factor < 1.5 ? "%fx" : "%.1fx", factor);
        return what + " exceeds budget by factor of " + shown + " (try simplifying the rule, or adding maxItems,"
                + " maxProperties, and maxLength where arrays, maps, and strings are declared)";
    }
}
