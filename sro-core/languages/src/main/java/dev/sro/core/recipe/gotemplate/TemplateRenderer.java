package dev.sro.core.recipe.gotemplate;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Executes templates. Data is what JSON has: null, booleans, strings, numbers, lists and maps with strings as keys; a
 * {@link TemplateFunction} in a map is called like a method of Go. Whole numbers are {@code int} to templates and others
 * {@code float64}, each printed as Go does. Strings of Go are bytes: {@code len}, {@code index} and {@code slice} count
 * them in UTF-8; where {@code slice} cuts a character in two, U+FFFD remains.
 *
 * <p>Immutable and safe for use by many threads; the data must not change while it is rendered. Nothing is escaped: {@code
 * html} and its like do that where a template asks for it.
 */
public final class TemplateRenderer {
    private final Map<String, LinkedTemplate> templates;
    private final Map<String, TemplateFunction> functions;
    private final MissingKeys missingKeys;
    private final Consumer<MissingKey> listener;
    private final RenderLimits limits;

    private TemplateRenderer(Builder builder) {
        this.templates = Map.copyOf(builder.templates);
        this.functions = Map.copyOf(builder.functions);
        this.missingKeys = builder.missingKeys;
        this.listener = builder.listener;
        this.limits = builder.limits;
    }

    /** Begins one. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Executes a template.
     *
     * @param name a file's name, or that of a definition
     * @throws TemplateException if it cannot be executed to its end
     * @throws IllegalArgumentException if there is no template of this name
     */
    public String render(String name, @Nullable Object data) {
        LinkedTemplate template = templates.get(name);
        if (template == null) {
            throw new IllegalArgumentException("no template \"" + name + "\"");
        }
        return new Execution(this, new Budget(limits)).run(template, data);
    }

    Map<String, LinkedTemplate> templates() {
        return templates;
    }

    Map<String, TemplateFunction> functions() {
        return functions;
    }

    MissingKeys missingKeys() {
        return missingKeys;
    }

    Consumer<MissingKey> listener() {
        return listener;
    }

    /** A template with the file that it is from. */
    record LinkedTemplate(GoTemplate file, Node.Template template) {}

    /** Collects what a renderer is made of. Not safe for use by many threads. */
    public static final class Builder {
        private final Map<String, LinkedTemplate> templates = new LinkedHashMap<>();
        private final Map<String, TemplateFunction> functions = new HashMap<>();
        private MissingKeys missingKeys = MissingKeys.NO_VALUE;
        private Consumer<MissingKey> listener = key -> {};
        private RenderLimits limits = RenderLimits.DEFAULT;

        private Builder() {}

        /**
         * Adds a file and what it defines. A template takes the place of one of the same name that was added before, unless
         * it has nothing but white space.
         */
        public Builder template(GoTemplate file) {
            for (Node.Template each : file.templates()) {
                LinkedTemplate linked = new LinkedTemplate(file, each);
                LinkedTemplate before = templates.get(each.name());
                boolean blankTwice = before != null
                        && before.file().equals(file)
                        && before.template().isBlank();
                if (before == null || blankTwice || !each.isBlank()) {
                    templates.put(each.name(), linked);
                }
            }
            return this;
        }

        /** Adds a function. It takes the place of one of Go with the same name. */
        public Builder function(String name, TemplateFunction function) {
            functions.put(name, function);
            return this;
        }

        /** What a missing key means; {@link MissingKeys#NO_VALUE} if it is not said. */
        public Builder missingKeys(MissingKeys meaning) {
            missingKeys = meaning;
            return this;
        }

        /** Is told of each place that asks for a missing key, once in a rendering, on the thread that renders. */
        public Builder onMissing(Consumer<MissingKey> told) {
            listener = told;
            return this;
        }

        /** How much a rendering may take; {@link RenderLimits#DEFAULT} if it is not said. */
        public Builder limits(RenderLimits most) {
            limits = most;
            return this;
        }

        /**
         * The renderer.
         *
         * @throws TemplateException if a template calls a function that there is none of
         */
        public TemplateRenderer build() {
            templates.values().stream().map(LinkedTemplate::file).distinct().forEach(this::checkFunctions);
            return new TemplateRenderer(this);
        }

        private void checkFunctions(GoTemplate file) {
            for (Call call : file.calls()) {
                boolean known =
                        call.isMethod() || functions.containsKey(call.name()) || Builtins.NAMES.contains(call.name());
                if (!known) {
                    throw new TemplateException(call.position(), "function \"" + call.name() + "\" not defined");
                }
            }
        }
    }
}
