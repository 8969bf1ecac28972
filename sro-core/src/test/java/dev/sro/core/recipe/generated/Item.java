package dev.sro.core.recipe.generated;

import java.util.Map;
import java.util.Optional;

/**
 * An object of a recipe.
 *
 * @param name of it
 * @param namespace that it says; empty for none
 * @param annotations with a mark that no other object has
 * @param body maps, lists, numbers, booleans and {@link Word}s beside the metadata
 * @param condition {@code "true"} or {@code "false"} in a template, by which it is there or not; empty for none
 */
record Item(
        Kind kind,
        String name,
        String namespace,
        Map<String, Object> labels,
        Map<String, Object> annotations,
        Map<String, Object> body,
        String condition) {

    static final String MARK = "example.com/mark";
    static final String PREFIX = "specialresource.openshift.io/";

    /** As operator and recipes of 2020 had it before the logs to wait for. */
    static final String MISSPELT = "specialresrouce.openshift.io/";

    /** The arguments of the special resource, as a list in a template. */
    record Arguments() {}

    /** For nodes with this kernel. */
    boolean isThere(Kernel kernel) {
        return condition.isEmpty()
                || (condition.equals("true") && kernel.major().equals("rhel8"));
    }

    /** Whether words for the cluster's Prometheus are replaced in it. */
    boolean hasCallback() {
        return annotations.containsKey("callback") || annotations.containsKey(PREFIX + "callback");
    }

    /** What has to be in the logs of its pods; empty for nothing. */
    String logs() {
        return says(PREFIX + "wait-for-logs")
                .or(() -> says(MISSPELT + "wait-for-logs"))
                .orElse("");
    }

    Optional<String> says(String key) {
        return Optional.ofNullable(annotations.get(key))
                .map(value -> ((Word) value)
                        .parts().stream()
                                .map(part -> ((Word.Plain) part).text())
                                .findFirst()
                                .orElse(""));
    }

    String mark() {
        return says(MARK).orElseThrow();
    }
}
