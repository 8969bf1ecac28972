package dev.sro.api;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One setting of a plugin below {@code spec.plugin.config}: its name, its type, what it may be, and what holds where the user says
 * nothing. A plugin names its settings in {@link PluginDescriptor#settings()}; SRO then refuses what they are not, names that there are
 * not included, before it asks the plugin anything. Immutable, and equal to one that says the same.
 *
 * <pre>{@code
 * static final Setting<Integer> TIMEOUT = Setting.number("lockupTimeoutSeconds", 30).between(0, 3600);
 * int timeout = TIMEOUT.in(context);
 * }</pre>
 *
 * @param <T> what {@link #in} answers
 * @since 0.1.0
 */
public final class Setting<T> {

    /** Where settings are in a special resource. */
    private static final String ROOT = "spec.plugin.config.";

    private final String name;
    private final T otherwise;
    private final String rule;
    private final Class<T> type;
    private final Predicate<? super T> allowed;

    private Setting(String name, T otherwise, String rule, Class<T> type, Predicate<? super T> allowed) {
        Checks.require(name.matches("[A-Za-z][A-Za-z0-9_-]*"), "Setting.name", "\"" + name + "\" must be a word");
        this.name = name;
        this.otherwise = otherwise;
        this.rule = rule;
        this.type = type;
        this.allowed = allowed;
        Checks.require(allowed.test(otherwise), "Setting " + name, "its default \"" + otherwise + "\" must be " + rule);
    }

    /** A whole number. */
    public static Setting<Integer> number(String name, int otherwise) {
        return new Setting<>(name, otherwise, "a whole number", Integer.class, value -> true);
    }

    /** A text; in YAML numbers and words such as {@code yes} are none unless they are quoted. */
    public static Setting<String> text(String name, String otherwise) {
        return new Setting<>(name, otherwise, "a text", String.class, value -> true);
    }

    /** True or false. */
    public static Setting<Boolean> flag(String name, boolean otherwise) {
        return new Setting<>(name, otherwise, "true or false", Boolean.class, value -> true);
    }

    /** One of these texts, of which the first one holds where the user says nothing. */
    public static Setting<String> choice(String name, String otherwise, String... others) {
        List<String> all =
                Stream.concat(Stream.of(otherwise), Stream.of(others)).toList();
        return new Setting<>(name, otherwise, "one of " + String.join(", ", all), String.class, all::contains);
    }

    /** Whatever YAML has, which the plugin itself looks at by {@link RecipeContext#config()}: a list, a map. */
    public static Setting<Object> any(String name, Object otherwise) {
        return new Setting<>(name, otherwise, "anything", Object.class, value -> true);
    }

    /**
     * The same of a number in this range.
     *
     * @throws IllegalArgumentException if the default is not in it, or this is no number
     */
    public Setting<T> between(long min, long max) {
        return that(
                "a whole number from " + min + " to " + max,
                value -> value instanceof Integer number && number >= min && number <= max);
    }

    /**
     * The same of a text that fits an expression as a whole.
     *
     * @param rule what it must be, for messages: {@code a registry with a folder, such as registry.example/acme}
     * @throws IllegalArgumentException if the default does not fit
     */
    public Setting<T> matching(String expression, String rule) {
        Pattern pattern = Pattern.compile(expression);
        return that(rule, value -> pattern.matcher(String.valueOf(value)).matches());
    }

    private Setting<T> that(String what, Predicate<? super T> also) {
        Predicate<? super T> before = allowed;
        return new Setting<>(name, otherwise, what, type, value -> before.test(value) && also.test(value));
    }

    /** The name below {@code spec.plugin.config}. */
    public String name() {
        return name;
    }

    /** What holds where the user says nothing. */
    public T otherwise() {
        return otherwise;
    }

    /** What it must be, as messages say it: {@code a whole number from 0 to 3600}. */
    public String rule() {
        return rule;
    }

    /**
     * The value: the user's, or the default where there is none; so it is in a unit test, too, with a context of the special resource
     * alone.
     *
     * @throws InvalidRecipeException if the user's is none that it may be, which {@link #problem} says before
     */
    public T in(RecipeContext context) {
        Optional<String> wrong = wrong(context);
        if (wrong.isPresent()) {
            throw new InvalidRecipeException(wrong.get());
        }
        Object given = context.config().get(name);
        return given == null ? otherwise : type.cast(given);
    }

    /** What is wrong with the user's value, as a problem of the user's with this code; empty where nothing is. */
    public Optional<Problem> problem(RecipeContext context, String code) {
        return wrong(context).map(text -> Problem.user(code, text));
    }

    private Optional<String> wrong(RecipeContext context) {
        Object given = context.config().get(name);
        boolean right = given == null || (type.isInstance(given) && allowed.test(type.cast(given)));
        return right
                ? Optional.empty()
                : Optional.of(ROOT + name + ": " + quoted(given) + " must be " + rule + hint(given));
    }

    private static String quoted(@Nullable Object given) {
        return given instanceof String ? "\"" + given + "\"" : String.valueOf(given);
    }

    /** YAML takes some texts for something else. */
    private String hint(@Nullable Object given) {
        return type == String.class && (given instanceof Number || given instanceof Boolean)
                ? "; quote it: \"" + given + "\""
                : "";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Setting<?> setting
                && name.equals(setting.name)
                && otherwise.equals(setting.otherwise)
                && rule.equals(setting.rule)
                && type.equals(setting.type);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, otherwise, rule);
    }

    /** As a person reads it: {@code lockupTimeoutSeconds: a whole number from 0 to 3600; 30 unless set}. */
    @Override
    public String toString() {
        return name + ": " + rule + "; " + otherwise + " unless set";
    }
}
