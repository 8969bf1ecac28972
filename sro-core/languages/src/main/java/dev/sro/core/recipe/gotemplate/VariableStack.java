package dev.sro.core.recipe.gotemplate;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The variables of an execution. A template sees those that it has declared itself, and {@code $}. */
final class VariableStack {
    private static final int PER_STEP = 16;

    private final Budget budget;
    private final List<String> names = new ArrayList<>();
    private final List<@Nullable Object> values = new ArrayList<>();
    private int frame;

    VariableStack(Budget budget) {
        this.budget = budget;
    }

    /** Begins a template; answers what {@link #endFrame(int)} wants. */
    int beginFrame(@Nullable Object data) {
        int outer = frame;
        frame = names.size();
        push("$", data);
        return outer;
    }

    void endFrame(int outer) {
        reset(frame);
        frame = outer;
    }

    void push(String name, @Nullable Object value) {
        names.add(name);
        values.add(value);
    }

    int mark() {
        return names.size();
    }

    void reset(int mark) {
        names.subList(mark, names.size()).clear();
        values.subList(mark, values.size()).clear();
    }

    /** Sets one by its place, counted from the last, which is 1. */
    void setFromTop(int count, @Nullable Object value) {
        values.set(values.size() - count, value);
    }

    void set(String name, @Nullable Object value) {
        values.set(find(name), value);
    }

    @Nullable Object get(String name) {
        return values.get(find(name));
    }

    private int find(String name) {
        for (int i = names.size() - 1; i >= frame; i--) {
            if (names.get(i).equals(name)) {
                budget.steps((names.size() - i) / PER_STEP);
                return i;
            }
        }
        throw new EvaluationError("undefined variable: " + name);
    }
}
