package dev.sro.core.recipe.gotemplate;

/**
 * A {@code define} or {@code block}. Immutable.
 *
 * @param name the template's name
 * @param block whether it is a {@code block}, which is also executed in its place
 * @param position where its name is
 * @param extent from the first delimiter to the one of its {@code end}
 */
public record Definition(String name, boolean block, Position position, TextSpan extent) {}
