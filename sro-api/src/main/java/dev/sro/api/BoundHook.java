package dev.sro.api;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.immutables.value.Value;

/**
 * A manifest hook with what it is bound to: it sees only what fits everything that is said here, and an empty binding fits all.
 * Immutable.
 *
 * <p>{@link ManifestHook#beforeDecode} is called for the texts of the states that fit, unless the hook is bound to kinds, names or
 * annotations, which a text does not have. {@link ManifestHook#afterDecode} is called for each object that fits as it is when the
 * hook's turn comes.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class BoundHook {

    BoundHook() {}

    /** The name in messages; of two hooks of one order, the one with the smaller name goes first. */
    public abstract String name();

    /** Smaller goes first; a hook that the plugin itself is has order 0 and goes before others of that order. */
    @Value.Default
    public int order() {
        return 0;
    }

    /** Kinds of objects; empty for all. */
    public abstract Set<String> kinds();

    /** Regular expressions by key: the object has all these annotations, and the whole of each value fits. Empty for all. */
    public abstract Map<String, String> annotations();

    /** Regular expression that the whole name of the object fits. */
    public abstract Optional<String> objectName();

    /** Regular expression that the whole id of the state fits. */
    public abstract Optional<String> state();

    /**
     * Whether it also sees the objects of charts, numbered manifests and other plugins. Such a hook has to be bound to an annotation,
     * so that it changes nothing that did not ask for it: by custom {@code specialresource.openshift.io/callback}.
     */
    @Value.Default
    public boolean allRecipes() {
        return false;
    }

    /** The hook itself. */
    public abstract ManifestHook hook();

    @Value.Check
    void check() {
        Checks.require(
                !allRecipes() || !annotations().isEmpty(),
                "BoundHook.annotations of " + name(),
                "a hook for all recipes has to be bound to an annotation");
        annotations().values().forEach(Pattern::compile);
        objectName().ifPresent(Pattern::compile);
        state().ifPresent(Pattern::compile);
    }

    /** Whether it sees the texts of a state. */
    public final boolean bindsTexts(State of) {
        return kinds().isEmpty() && annotations().isEmpty() && objectName().isEmpty() && fits(state(), of.id());
    }

    /** Whether it sees an object. */
    public final boolean binds(GenericKubernetesResource object, State of) {
        Map<String, String> given = object.getMetadata().getAnnotations();
        return (kinds().isEmpty() || kinds().contains(object.getKind()))
                && fits(state(), of.id())
                && fits(objectName(), String.valueOf(object.getMetadata().getName()))
                && annotations().entrySet().stream().allMatch(wanted -> {
                    String value = given == null ? null : given.get(wanted.getKey());
                    return value != null && Pattern.matches(wanted.getValue(), value);
                });
    }

    private static boolean fits(Optional<String> expression, String text) {
        return expression.isEmpty() || Pattern.matches(expression.get(), text);
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link BoundHook}. Not thread-safe. */
    public static final class Builder extends ImmutableBoundHook.Builder {
        Builder() {}
    }
}
