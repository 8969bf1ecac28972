package dev.sro.core.recipe.gotemplate;

/** What {@link TemplateWalker} tells. */
interface Findings {
    void reference(FieldReference reference);

    void inclusion(Inclusion inclusion);

    /** @param operand whether the call stands where only a single word, or something in parentheses, may be */
    void call(Call call, boolean operand);
}
