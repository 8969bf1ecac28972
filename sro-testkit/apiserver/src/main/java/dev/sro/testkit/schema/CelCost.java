package dev.sro.testkit.schema;

import dev.sro.core.cel.CelExpr;
import dev.sro.core.cel.CelInterpreter;
import dev.sro.core.cel.CelValues;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An estimate of what an expression costs at most, by the rules of the server's static estimate: steps over values as large as their
 * schema allows. For functions whose cost is not known here it is too low rather than too high.
 */
final class CelCost {
    private static final double TRAVERSAL = 0.1;
    private static final double REGEX = 0.25;
    private static final int LIST = 10;
    private static final int MAP = 30;
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");
    private static final Set<String> SAME_SIZE =
            Set.of("lowerAscii", "upperAscii", "trim", "substring", "replace", "split", "reverse");
    private static final Set<String> WHOLE = Set.of("isSorted", "sum", "min", "max");

    /**
     * An estimate.
     *
     * @param cost of evaluation
     * @param size of the value
     * @param schema of the value, if it has one
     */
    record Estimate(long cost, long size, @Nullable SchemaNode schema) {
        Estimate costing(long other) {
            return new Estimate(other, size, schema);
        }
    }

    private final Map<String, Estimate> variables = new HashMap<>();

    private CelCost() {}

    static long estimate(CelExpr expr, SchemaNode self) {
        CelCost cost = new CelCost();
        cost.variables.put("self", new Estimate(1, CelSizes.max(self), self));
        cost.variables.put("oldSelf", new Estimate(1, CelSizes.max(self), self));
        return cost.estimate(expr).cost();
    }

    /** With variables of these schemas. */
    static long estimate(CelExpr expr, Map<String, SchemaNode> schemas) {
        CelCost cost = new CelCost();
        schemas.forEach((name, schema) -> cost.variables.put(name, new Estimate(1, CelSizes.max(schema), schema)));
        return cost.estimate(expr).cost();
    }

    private Estimate estimate(CelExpr expr) {
        if (expr instanceof CelExpr.Literal l) {
            return new Estimate(0, l.value() instanceof String s ? s.length() : 1, null);
        }
        if (expr instanceof CelExpr.Ident i) {
            return variables.getOrDefault(i.name(), new Estimate(1, 1, null));
        }
        if (expr instanceof CelExpr.Select s) {
            Estimate operand = estimate(s.operand());
            return s.test() ? scalar(operand.cost()) : field(operand, s.field());
        }
        if (expr instanceof CelExpr.Index i) {
            Estimate operand = estimate(i.operand());
            long cost = CelSizes.add(
                    operand.cost(), CelSizes.add(1, estimate(i.index()).cost()));
            return element(operand.schema()).costing(cost);
        }
        if (expr instanceof CelExpr.Items i) {
            return new Estimate(CelSizes.add(LIST, sum(i.items())), i.items().size(), null);
        }
        if (expr instanceof CelExpr.Entries e) {
            return scalar(CelSizes.add(MAP, CelSizes.add(sum(e.keys()), sum(e.values()))));
        }
        if (expr instanceof CelExpr.Loop l) {
            return loop(l);
        }
        if (expr instanceof CelExpr.OptMap o) {
            Estimate operand = estimate(o.operand());
            return with(o.variable(), operand.costing(1), o.body(), operand.cost());
        }
        return call((CelExpr.Call) expr);
    }

    private static Estimate scalar(long cost) {
        return new Estimate(cost, 1, null);
    }

    private long sum(List<CelExpr> parts) {
        long sum = 0;
        for (CelExpr part : parts) {
            sum = CelSizes.add(sum, estimate(part).cost());
        }
        return sum;
    }

    private static Estimate value(@Nullable SchemaNode schema) {
        return schema == null ? new Estimate(1, 1, null) : new Estimate(1, CelSizes.max(schema), schema);
    }

    private static Estimate field(Estimate operand, String name) {
        SchemaNode schema = operand.schema();
        SchemaNode found = null;
        if (schema != null) {
            for (Map.Entry<String, SchemaNode> e : schema.properties.entrySet()) {
                found = CelValues.escaped(e.getKey()).equals(name) ? e.getValue() : found;
            }
            found = found == null ? schema.additional : found;
        }
        return value(found).costing(CelSizes.add(operand.cost(), 1));
    }

    private static Estimate element(@Nullable SchemaNode container) {
        return value(
                container == null ? null : container.type.equals("array") ? container.items : container.additional);
    }

    /** The body with one more variable; {@code more} is added to its cost. */
    private Estimate with(String name, Estimate value, CelExpr body, long more) {
        Estimate before = variables.put(name, value);
        Estimate result = estimate(body);
        if (before == null) {
            variables.remove(name);
        } else {
            variables.put(name, before);
        }
        return result.costing(CelSizes.add(result.cost(), more));
    }

    private Estimate loop(CelExpr.Loop loop) {
        Estimate range = estimate(loop.range());
        SchemaNode schema = range.schema();
        boolean map = schema != null && !schema.type.equals("array");
        boolean two = !loop.second().isEmpty();
        Estimate first = map || two ? scalar(1) : element(schema);
        if (two) {
            variables.put(loop.second(), element(schema));
        }
        CelExpr filter = loop.filter();
        long condition =
                filter == null ? 0 : with(loop.variable(), first, filter, 0).cost();
        Estimate body = with(loop.variable(), first, loop.body(), 0);
        if (two) {
            variables.remove(loop.second());
        }
        long step = CelSizes.add(
                condition,
                CelSizes.add(
                        body.cost(),
                        switch (loop.kind()) {
                            case "all" -> 3;
                            case "exists" -> 4;
                            case "exists_one" -> 2;
                            case "filter" -> LIST + 3;
                            default -> LIST + 2;
                        }));
        boolean list = loop.kind().equals("map") || loop.kind().equals("filter");
        long cost = CelSizes.add(range.cost(), CelSizes.add(list ? LIST + 1 : 1, CelSizes.times(range.size(), step)));
        return list ? new Estimate(cost, range.size(), loop.kind().equals("filter") ? schema : null) : scalar(cost);
    }

    private Estimate call(CelExpr.Call call) {
        CelExpr target = call.target();
        boolean library = target instanceof CelExpr.Ident i
                && !variables.containsKey(i.name())
                && CelInterpreter.isLibrary(i.name());
        Estimate receiver = target == null || library ? null : estimate(target);
        List<Estimate> args = call.args().stream().map(this::estimate).toList();
        long sum = receiver == null ? 0 : receiver.cost();
        for (Estimate arg : args) {
            sum = CelSizes.add(sum, arg.cost());
        }
        String name = call.function();
        return switch (name) {
            case "&&", "||" -> scalar(sum);
            case "?:" -> {
                Estimate yes = args.get(1);
                Estimate no = args.get(2);
                long branch = Math.max(yes.cost(), no.cost());
                long size = Math.max(yes.size(), no.size());
                yield new Estimate(CelSizes.add(args.get(0).cost(), branch), size, yes.schema());
            }
            case "in" -> scalar(CelSizes.add(sum, args.get(1).size()));
            case "+" -> joined(args.get(0), args.get(1), sum);
            default -> function(name, receiver, args, sum, library);
        };
    }

    /** Joining texts goes through both; that of numbers and lists is one step. */
    private static Estimate joined(Estimate left, Estimate right, long sum) {
        long size = CelSizes.add(left.size(), right.size());
        boolean texts = left.size() > 1 && right.size() > 1 && !isList(left) && !isList(right);
        return new Estimate(CelSizes.add(sum, texts ? CelSizes.times(size, TRAVERSAL) : 1), size, left.schema());
    }

    private static boolean isList(Estimate value) {
        SchemaNode schema = value.schema();
        return schema != null && schema.type.equals("array");
    }

    private static Estimate function(
            String name, @Nullable Estimate receiver, List<Estimate> args, long sum, boolean library) {
        if (COMPARISONS.contains(name)) {
            long compared = Math.min(args.get(0).size(), args.get(1).size());
            return scalar(CelSizes.add(sum, Math.max(1, CelSizes.times(compared, TRAVERSAL))));
        }
        long of = receiver == null ? args.isEmpty() ? 1 : args.get(0).size() : receiver.size();
        long arg = args.isEmpty() || receiver == null ? 1 : args.get(0).size();
        long through = CelSizes.times(of, TRAVERSAL);
        if (library && args.size() == 2) {
            return scalar(CelSizes.add(
                    sum, CelSizes.times(args.get(0).size(), args.get(1).size())));
        }
        if (WHOLE.contains(name)) {
            return scalar(CelSizes.add(sum, of));
        }
        if (SAME_SIZE.contains(name)) {
            long parts = name.equals("split") ? CelSizes.times(through, 2) : through;
            return new Estimate(CelSizes.add(sum, parts), of, null);
        }
        return switch (name) {
            case "string" -> new Estimate(CelSizes.add(sum, 1), CelSizes.UNKNOWN, null);
            case "contains" -> scalar(CelSizes.add(sum, CelSizes.times(through, CelSizes.times(arg, TRAVERSAL))));
            case "startsWith", "endsWith" -> scalar(CelSizes.add(sum, CelSizes.times(arg, TRAVERSAL)));
            case "matches", "find", "findAll" -> {
                long text = CelSizes.times(CelSizes.add(of, 1), TRAVERSAL);
                yield scalar(CelSizes.add(sum, CelSizes.times(text, CelSizes.times(arg, REGEX))));
            }
            default -> scalar(CelSizes.add(sum, 1));
        };
    }
}
