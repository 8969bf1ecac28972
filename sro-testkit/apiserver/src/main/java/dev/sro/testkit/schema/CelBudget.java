package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.cel.CelParser;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Whether the rules of a schema may cost too much: each by itself, and all together. For rules that can be read. */
final class CelBudget {
    private static final long PER_EXPRESSION = 10_000_000;
    private static final long PER_SCHEMA = 100_000_000;
    private static final int NAMED = 4;
    private static final long WORTH_NAMING = PER_SCHEMA / 100;

    private record Expense(String path, long cost) {}

    private final List<FieldError> errors = new ArrayList<>();
    private final List<Expense> expenses = new ArrayList<>();

    private CelBudget() {}

    static List<FieldError> check(ObjectNode schema, String path) {
        CelBudget budget = new CelBudget();
        budget.node(schema, path, 1L);
        budget.total(path);
        return budget.errors;
    }

    /**
     * Goes through a schema.
     *
     * @param count how many such values there can be; null if nothing limits that
     */
    private void node(ObjectNode schema, String path, @Nullable Long count) {
        JsonNode rules = schema.path("x-kubernetes-validations");
        SchemaNode read = SchemaNode.read(schema);
        for (int i = 0; i < rules.size(); i++) {
            String at = path + ".x-kubernetes-validations[" + i + "]";
            long times = count == null ? CelSizes.most(read) : count;
            expression(rules.get(i), "rule", read, times, at);
            expression(rules.get(i), "messageExpression", read, times, at);
        }
        StructuralCheck.children(schema, path, (child, below) -> node(child, below, below(read, count, path, below)));
    }

    private static @Nullable Long below(SchemaNode schema, @Nullable Long count, String path, String below) {
        String step = below.substring(path.length());
        if (!step.equals(".items") && !step.equals(".additionalProperties")) {
            return count;
        }
        Long limit = step.equals(".items") ? schema.limits.maxItems() : schema.limits.maxProperties();
        return limit == null || count == null ? null : Long.valueOf(CelSizes.times(count, limit));
    }

    private void expression(JsonNode rule, String field, SchemaNode self, long times, String path) {
        String source = rule.path(field).asText();
        if (source.isEmpty()) {
            return;
        }
        long cost = CelSizes.times(times, CelCost.estimate(CelParser.parse(source), self));
        String at = path + "." + field;
        if (cost > PER_EXPRESSION) {
            errors.add(FieldError.forbidden(at, exceeded("estimated " + field + " cost", cost, PER_EXPRESSION)));
        }
        expenses.add(new Expense(at, cost));
    }

    private void total(String path) {
        long total = 0;
        for (Expense expense : expenses) {
            total = CelSizes.add(total, expense.cost());
        }
        if (total <= PER_SCHEMA) {
            return;
        }
        expenses.removeIf(e -> e.cost() < WORTH_NAMING);
        expenses.sort(Comparator.comparingLong(Expense::cost).reversed());
        for (Expense expense : expenses.subList(0, Math.min(NAMED, expenses.size()))) {
            errors.add(FieldError.forbidden(
                    expense.path(),
                    "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"));
        }
        String all = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        errors.add(FieldError.forbidden(path, exceeded(all, total, PER_SCHEMA)));
    }

    private static String exceeded(String what, long cost, long limit) {
        double factor = (double) cost / limit;
        String shown =
                factor > 100 ? "more than 100x" : String.format(Locale.ROOT, factor < 1.5 ? "%fx" : "%.1fx", factor);
        return what + " exceeds budget by factor of " + shown + " (try simplifying the rule, or adding maxItems,"
                + " maxProperties, and maxLength where arrays, maps, and strings are declared)";
    }
}
