package dev.sro.core.recipe.gotemplate;

/**
 * How much one rendering may take. Immutable.
 *
 * @param steps so many actions, commands, arguments, elements of a loop and values of data are looked at
 * @param characters so many {@code char}s are written, all texts counted that functions of Go build on the way
 */
public record RenderLimits(long steps, long characters) {
    /** Ten million steps, about a second; 16 Mi characters. */
    public static final RenderLimits DEFAULT = new RenderLimits(10_000_000, 16 << 20);

    /** Refuses limits below 1. */
    public RenderLimits {
        if (steps < 1 || characters < 1) {
            throw new IllegalArgumentException("limits of " + steps + " steps and " + characters + " characters");
        }
    }
}
