package dev.sro.core.recipe.gotemplate;

/** Flags, width and precision of a verb. */
final class FormatFlags {
    static final int NONE = -1;

    int width = NONE;
    int precision = NONE;
    boolean minus;
    boolean plus;
    boolean sharp;
    boolean space;
    boolean zero;
    /** {@code %#v}: Go's syntax. */
    boolean syntax;

    boolean hasPrecision() {
        return precision != NONE;
    }
}
