package dev.sro.core.recipe.gotemplate;

/** Holds the parser, and all that walks its result by recursion, within the stack. */
final class Nesting {
    static final int MAX = 200;

    private final Source source;
    private int depth;

    Nesting(Source source) {
        this.source = source;
    }

    void enter(int at) {
        if (++depth > MAX) {
            throw source.error(at, "nested deeper than " + MAX + " levels");
        }
    }

    void leave() {
        depth--;
    }
}
