package dev.sro.core.recipe.gotemplate;

import org.jspecify.annotations.Nullable;

/** Says what takes the place of a call; see {@link GoTemplate#rewrite(CallRewriter)}. */
@FunctionalInterface
public interface CallRewriter {
    /**
     * @param call a call; the {@linkplain Argument#source() texts of its arguments} have the replacements that were made
     *     inside of them
     * @return a pipeline to take the place of the call with all of its arguments, such as {@code dict}; null to
     *     leave it
     */
    @Nullable String replacement(Call call);
}
