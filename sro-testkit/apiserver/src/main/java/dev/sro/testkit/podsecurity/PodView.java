package dev.sro.testkit.podsecurity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A pod as the checks look at it: its containers of all three kinds, one after the other. */
final class PodView {
    private static final List<String> CONTAINERS = List.of("initContainers", "containers", "ephemeralContainers");

    private final JsonNode annotations;
    private final JsonNode spec;
    private final List<JsonNode> containers = new ArrayList<>();

    PodView(JsonNode annotations, JsonNode spec) {
        this.annotations = annotations;
        this.spec = spec;
        CONTAINERS.forEach(field -> spec.path(field).forEach(containers::add));
    }

    JsonNode annotations() {
        return annotations;
    }

    JsonNode spec() {
        return spec;
    }

    /** The security context of the pod; missing if it has none. */
    JsonNode security() {
        return spec.path("securityContext");
    }

    List<JsonNode> containers() {
        return containers;
    }

    static JsonNode security(JsonNode container) {
        return container.path("securityContext");
    }

    boolean isWindows() {
        return spec.path("os").path("name").asText().equals("windows");
    }

    /** Whether root in the pod is somebody else on the node. */
    boolean hasOwnUsers() {
        return spec.path("hostUsers").isBoolean() && !spec.path("hostUsers").asBoolean();
    }

    /** The names of the containers of which something holds. */
    List<String> names(Predicate<JsonNode> holds) {
        return containers.stream()
                .filter(holds)
                .map(container -> container.path("name").asText())
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** {@code container "a"} or {@code containers "a", "b"}. */
    static String containers(Collection<String> names) {
        return counted("container", names);
    }

    static String counted(String noun, Collection<String> names) {
        return plural(noun, names) + " " + quoted(names);
    }

    static String plural(String noun, Collection<?> of) {
        return of.size() == 1 ? noun : noun + "s";
    }

    static String uses(Collection<?> who) {
        return who.size() == 1 ? "uses" : "use";
    }

    static String quoted(Collection<String> words) {
        return words.stream().map(word -> "\"" + word + "\"").collect(Collectors.joining(", "));
    }

    /** {@code pod}, the containers, or both. */
    static String setters(boolean pod, Collection<String> containers) {
        List<String> setters = new ArrayList<>();
        if (pod) {
            setters.add("pod");
        }
        if (!containers.isEmpty()) {
            setters.add(containers(containers));
        }
        return String.join(" and ", setters);
    }
}
