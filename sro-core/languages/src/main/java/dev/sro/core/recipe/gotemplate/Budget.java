package dev.sro.core.recipe.gotemplate;

/** What is left of the limits of one rendering. */
final class Budget {
    /** Levels of bodies, parentheses, templates and data. A level takes less than 1 KiB of the stack. */
    private static final int MAX_DEPTH = 400;

    /** Characters that are looked at in the time of a step. */
    private static final int PER_STEP = 16;

    private final RenderLimits limits;
    private long steps;
    private long characters;
    private int depth;

    Budget(RenderLimits limits) {
        this.limits = limits;
        this.steps = limits.steps();
        this.characters = limits.characters();
    }

    void step() {
        steps(1);
    }

    void steps(long count) {
        steps -= count;
        if (steps < 0) {
            throw new EvaluationError("not done after " + limits.steps() + " steps");
        }
    }

    /** A text is looked at from its beginning to its end. */
    void reading(String text) {
        steps(1 + text.length() / PER_STEP);
    }

    /** So many characters are about to be written. */
    void writing(long count) {
        characters -= count;
        if (characters < 0) {
            throw new EvaluationError("more than " + limits.characters() + " characters of text");
        }
    }

    void enter() {
        if (++depth > MAX_DEPTH) {
            throw new EvaluationError("templates or data are nested deeper than " + MAX_DEPTH + " levels");
        }
    }

    void leave() {
        depth--;
    }
}
