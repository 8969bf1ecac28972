package dev.sro.core.recipe;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The words of the annotation {@code helm.sh/hook}, as far as a recipe has to know them. Stateless. */
final class HookAnnotation {

    static final String ANNOTATION = "helm.sh/hook";

    private static final Set<String> ROLLBACK = Set.of("pre-rollback", "post-rollback");

    private static final Set<String> OTHERS = Set.of(
            "pre-install",
            "post-install",
            "pre-upgrade",
            "post-upgrade",
            "pre-delete",
            "post-delete",
            "test",
            "test-success");

    private HookAnnotation() {}

    private static List<String> words(String annotation) {
        return Arrays.stream(annotation.split(",", -1))
                .map(word -> word.trim().toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Whether all words are known; Helm leaves out an object with any other. */
    static boolean isKnown(String annotation) {
        return words(annotation).stream().allMatch(word -> OTHERS.contains(word) || ROLLBACK.contains(word));
    }

    /** Why the hook, or some of it, never runs; empty when all of it may. */
    static Optional<String> idle(String annotation) {
        if (!isKnown(annotation)) {
            return Optional.of("Helm has no such hook, so it is not made");
        }
        return words(annotation).stream().anyMatch(ROLLBACK::contains)
                ? Optional.of("SRO does not roll back, so it never runs at a rollback")
                : Optional.empty();
    }
}
