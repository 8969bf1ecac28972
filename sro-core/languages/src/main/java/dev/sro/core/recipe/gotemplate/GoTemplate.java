package dev.sro.core.recipe.gotemplate;

import dev.sro.core.recipe.gotemplate.Node.Template;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A parsed file of templates: its text, and the templates that it defines. Parsing takes time linear in the text and
 * knows no functions: that there is none of a name is found when a {@link TemplateRenderer} is built. Immutable and
 * safe for use by many threads.
 *
 * <p>Nesting of control structures and parentheses ends at 200 levels, a pipeline at 1000 commands.
 */
public final class GoTemplate {
    private final Source source;
    private final List<Template> templates;
    /** Made when it is asked for; always the same. */
    private volatile @Nullable Map<TextSpan, FieldReference> byExtent;

    private GoTemplate(Source source, List<Template> templates) {
        this.source = source;
        this.templates = templates;
    }

    /**
     * Reads a file.
     *
     * @param name the file's name: positions have it, and the text outside of all definitions is a template of this name
     * @throws TemplateException if it is none
     */
    public static GoTemplate parse(String name, String text) {
        Source source = new Source(name, text);
        return new GoTemplate(source, Parser.parse(source));
    }

    /** The file's name. */
    public String name() {
        return source.name();
    }

    /** The text as it was parsed. */
    public String text() {
        return source.text();
    }

    /** What is defined in it besides the file's own template, in the order of the text. */
    public List<Definition> definitions() {
        return templates.subList(0, templates.size() - 1).stream()
                .map(each ->
                        new Definition(each.name(), each.block(), source.position(each.nameStart()), each.extent()))
                .sorted(Comparator.comparingInt(each -> each.extent().start()))
                .toList();
    }

    /**
     * The fields that are read, in the order of the text. Of a field whose way from the data is unknown, such as one
     * of what a function returns, nothing is said.
     */
    public List<FieldReference> references() {
        List<FieldReference> found = new ArrayList<>();
        walk(new Collector() {
            @Override
            public void reference(FieldReference reference) {
                found.add(reference);
            }
        });
        found.sort(Comparator.comparingInt(each -> each.extent().start()));
        return List.copyOf(found);
    }

    /** The calls, in the order of the text; of two that begin at the same place, the inner one first. */
    public List<Call> calls() {
        List<Call> found = new ArrayList<>();
        walk(new Collector() {
            @Override
            public void call(Call call, boolean operand) {
                found.add(call);
            }
        });
        found.sort(Comparator.comparingInt(each -> each.extent().start()));
        return List.copyOf(found);
    }

    /** The places where another template is executed, in the order of the text. */
    public List<Inclusion> inclusions() {
        List<Inclusion> found = new ArrayList<>();
        walk(new Collector() {
            @Override
            public void inclusion(Inclusion inclusion) {
                found.add(inclusion);
            }
        });
        found.sort(Comparator.comparingInt((Inclusion each) -> each.position().line())
                .thenComparingInt(each -> each.position().column()));
        return List.copyOf(found);
    }

    /**
     * The text with calls replaced; all else stays as it is, byte by byte. A call inside of another is asked for before
     * it. A replacement is put in parentheses where it needs them. A replaced call that is {@linkplain Call#isPiped()
     * piped} goes with what is piped into it: a replacement that wants that has to contain the last argument's source.
     *
     * @throws IllegalArgumentException if the result is no template
     */
    public String rewrite(CallRewriter rewriter) {
        Edits edits = new Edits(text());
        Collector rewriting = new Collector() {
            @Override
            public void call(Call call, boolean operand) {
                String replacement = rewriter.replacement(call);
                if (replacement != null) {
                    edits.replace(call.extent(), operand ? "(" + replacement + ")" : replacement);
                }
            }
        };
        new TemplateWalker(source, edits, rewriting).walk(templates);
        if (edits.isEmpty()) {
            return text();
        }
        String result = edits.edited();
        try {
            parse(name(), result);
        } catch (TemplateException e) {
            throw new IllegalArgumentException("with the calls replaced it is no template: " + e.getMessage(), e);
        }
        return result;
    }

    private void walk(Findings findings) {
        new TemplateWalker(source, new Edits(text()), findings).walk(templates);
    }

    /** The field that is read by exactly this piece of the text. */
    @Nullable FieldReference referenceAt(TextSpan extent) {
        Map<TextSpan, FieldReference> known = byExtent;
        if (known == null) {
            known = references().stream()
                    .collect(Collectors.toUnmodifiableMap(FieldReference::extent, each -> each, (one, other) -> one));
            byExtent = known;
        }
        return known.get(extent);
    }

    Source source() {
        return source;
    }

    List<Template> templates() {
        return templates;
    }

    /** Takes what a subclass is interested in. */
    private abstract static class Collector implements Findings {
        @Override
        public void reference(FieldReference reference) {}

        @Override
        public void inclusion(Inclusion inclusion) {}

        @Override
        public void call(Call call, boolean operand) {}
    }
}
