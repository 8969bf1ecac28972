package dev.sro.core.probe;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.cel.CelException;
import dev.sro.core.cel.CelProgram;
import dev.sro.core.cel.CelValues;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges objects by the expression in their annotation {@link MetadataKeys#READY_WHEN}. Stateless. */
public final class ReadyWhen {

    private static final Set<String> NAMES = Set.of("object", "self");

    private ReadyWhen() {}

    /** What is wrong with an expression; empty if it can be evaluated. */
    public static Optional<String> fault(String expression) {
        try {
            CelProgram.condition(expression, NAMES);
            return Optional.empty();
        } catch (CelException e) {
            return Optional.of(place(expression, e.position()) + e.text());
        }
    }

    /** The outcome of an object with the annotation; empty for one without. */
    public static Optional<Outcome> evaluate(KubeObject live, Instant now) {
        return live.annotation(MetadataKeys.READY_WHEN).map(expression -> {
            if (live.terminating()) {
                return Outcome.waiting("Terminating", now, live + " is being deleted");
            }
            Optional<String> fault = fault(expression);
            return fault.isPresent()
                    ? invalid(live, fault.get())
                    : evaluate(live, expression, CelProgram.condition(expression, NAMES), now);
        });
    }

    private static Outcome evaluate(KubeObject live, String expression, CelProgram program, Instant now) {
        Object tree = CelValues.convert(live.tree());
        Map<String, @Nullable Object> values = new HashMap<>();
        NAMES.forEach(name -> values.put(name, tree));
        Object value;
        try {
            value = program.value(values);
        } catch (CelException e) {
            return Outcome.waiting(
                    "ReadyWhenNoValue", now, live + ": " + MetadataKeys.READY_WHEN + " has no value yet: " + e.text());
        }
        if (!(value instanceof Boolean holds)) {
            return invalid(
                    live, "its value is of type " + CelValues.typeOf(value).name() + ", not bool");
        }
        return holds
                ? Outcome.ready()
                : Outcome.waiting("ReadyWhenFalse", now, live + ": it is not true yet that " + expression);
    }

    private static Outcome invalid(KubeObject live, String fault) {
        return Outcome.failed(
                Problem.vendor("ReadyWhenInvalid", live + ": annotation " + MetadataKeys.READY_WHEN + ": " + fault));
    }

    private static String place(String expression, int position) {
        if (position < 0) {
            return "";
        }
        String before = expression.substring(0, Math.min(position, expression.length()));
        int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
        int column = before.length() - before.lastIndexOf('\n');
        return (line == 1 ? "" : "line " + line + ", ") + "character " + column + ": ";
    }
}
