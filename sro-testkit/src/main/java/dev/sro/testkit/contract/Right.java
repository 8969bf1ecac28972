package dev.sro.testkit.contract;

import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One verb on one thing: what is left of a {@link PolicyRule} when its lists are multiplied out. Immutable.
 *
 * @param thing {@code resource.group}, the resource alone for the core group, or a path of the API server
 * @param name of the only object; empty for all
 * @param verb what is done
 */
record Right(String thing, String name, String verb) implements Comparable<Right> {

    /** All that a rule grants. */
    static Stream<Right> of(PolicyRule rule) {
        List<String> names = rule.getResourceNames().isEmpty() ? List.of("") : rule.getResourceNames();
        Stream<String> resources = rule.getApiGroups().stream()
                .flatMap(group -> rule.getResources().stream()
                        .map(resource -> group.isEmpty() ? resource : resource + "." + group));
        Stream<Right> onResources = resources.flatMap(thing ->
                names.stream().flatMap(name -> rule.getVerbs().stream().map(verb -> new Right(thing, name, verb))));
        Stream<Right> onPaths = rule.getNonResourceURLs().stream()
                .flatMap(path -> rule.getVerbs().stream().map(verb -> new Right(path, "", verb)));
        return Stream.concat(onResources, onPaths);
    }

    /** Whether who has this has the other, too. */
    boolean covers(Right other) {
        return thing.equals(other.thing) && verb.equals(other.verb) && (name.isEmpty() || name.equals(other.name));
    }

    /** Some of them for a message, in order: {@code get, list on nodes}. */
    static List<String> texts(Stream<Right> rights) {
        Map<String, SortedSet<String>> verbs = new TreeMap<>();
        rights.forEach(right -> verbs.computeIfAbsent(
                        right.name.isEmpty() ? right.thing : right.thing + " " + right.name, unused -> new TreeSet<>())
                .add(right.verb));
        return verbs.entrySet().stream()
                .map(entry -> entry.getValue().stream().collect(Collectors.joining(", ")) + " on " + entry.getKey())
                .toList();
    }

    @Override
    public int compareTo(Right other) {
        int byThing = thing.compareTo(other.thing);
        int byName = name.compareTo(other.name);
        return byThing != 0 ? byThing : byName != 0 ? byName : verb.compareTo(other.verb);
    }
}
