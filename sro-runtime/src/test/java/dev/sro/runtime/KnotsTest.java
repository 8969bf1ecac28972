package dev.sro.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Classes of a package that all need each other are one class in several files: who wants to understand or change one has to
 * know all. A package has no more than three of them. Nested classes count as the one around them, and what is generated of a class as
 * that class.
 */
class KnotsTest {

    private static final String HOUSE = "dev.sro.";
    private static final int MAX = 3;

    /** Larger ones that there are, by package, with their reasons: they may become smaller, and no others may come. */
    private static final Map<String, Integer> KNOWN = Map.of(
            // Functions of the language call each other.
            "core.cel", 4,
            // The scanner of YAML and its helpers share one position in the text.
            "core.yaml", 6,
            // The allocator and the one text that it is written to and read from.
            "core.slicing", 4,
            // A model says what is wrong with it in terms of the model.
            "core.slicing.catalogue", 4,
            // A sealed index with three shapes, each made by its fleet.
            "core.slicing.fleet", 6,
            // A configuration reads, writes and resolves itself.
            "core.slicing.mig", 4);

    private static final SortedMap<String, List<Set<String>>> KNOTS = knots();

    private static SortedMap<String, List<Set<String>>> knots() {
        SortedMap<String, Map<String, Set<String>>> graphs = new TreeMap<>();
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(location -> !location.contains("/test-classes/"))
                .importPackages("dev.sro.core")) {
            Map<String, Set<String>> graph = graphs.computeIfAbsent(type.getPackageName(), unused -> new TreeMap<>());
            Set<String> uses = graph.computeIfAbsent(name(type), unused -> new TreeSet<>());
            type.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .filter(target -> target.getPackageName().equals(type.getPackageName()))
                    .map(KnotsTest::name)
                    .filter(target -> !target.equals(name(type)))
                    .forEach(uses::add);
        }
        SortedMap<String, List<Set<String>>> knots = new TreeMap<>();
        graphs.forEach((name, graph) -> knots.put(name, new Components(graph).found));
        return knots;
    }

    private static String name(JavaClass type) {
        String full = type.getName().substring(type.getPackageName().length() + 1);
        String top = full.contains("$") ? full.substring(0, full.indexOf('$')) : full;
        return top.replaceFirst("^Immutable(?=[A-Z])", "");
    }

    private static int largest(Collection<Set<String>> knots) {
        return knots.stream().mapToInt(Set::size).max().orElse(0);
    }

    @Test
    void noPackageHasMoreThanThreeClassesThatAllNeedEachOther() {
        StringBuilder table = new StringBuilder("classes that all need each other, the most of each package:\n");
        Map<String, Integer> tooLarge = new TreeMap<>();
        KNOTS.forEach((name, knots) -> {
            int size = largest(knots);
            String of = name.substring(HOUSE.length());
            if (size > 1) {
                table.append("%3d  %s  ".formatted(size, of))
                        .append(knots.stream()
                                .filter(knot -> knot.size() == size)
                                .toList())
                        .append('\n');
            }
            if (size > KNOWN.getOrDefault(of, MAX)) {
                tooLarge.put(of, size);
            }
        });
        System.out.print(table);
        assertThat(tooLarge).as(table.toString()).isEmpty();
    }

    @Test
    void exceptionsAreAsLargeAsTheyAreSaidToBe() {
        KNOWN.forEach((name, size) -> assertThat(largest(KNOTS.getOrDefault(HOUSE + name, List.of())))
                .as(name)
                .isEqualTo(size));
    }

    @Test
    void thePlannerIsOfRoomsWithoutKnots() {
        assertThat(KNOTS.keySet().stream().filter(name -> name.startsWith(HOUSE + "core.plan.")))
                .hasSizeGreaterThanOrEqualTo(10);
        assertThat(KNOWN.keySet()).noneMatch(name -> name.startsWith("core.plan"));
    }

    @Test
    void findsKnots() {
        Map<String, Set<String>> graph = Map.of(
                "a",
                Set.of("b"),
                "b",
                Set.of("c"),
                "c",
                Set.of("a", "d"),
                "d",
                Set.of("e"),
                "e",
                Set.of(),
                "f",
                Set.of("a"));
        assertThat(new Components(graph).found)
                .containsExactlyInAnyOrder(Set.of("a", "b", "c"), Set.of("d"), Set.of("e"), Set.of("f"));
    }

    /** Strongly connected components, by Tarjan. */
    private static final class Components {
        private final Map<String, Set<String>> graph;
        private final Map<String, Integer> index = new HashMap<>();
        private final Map<String, Integer> low = new HashMap<>();
        private final Deque<String> open = new ArrayDeque<>();
        private final List<Set<String>> found = new ArrayList<>();

        Components(Map<String, Set<String>> graph) {
            this.graph = graph;
            graph.keySet().forEach(node -> {
                if (!index.containsKey(node)) {
                    visit(node);
                }
            });
        }

        private void visit(String node) {
            int at = index.size();
            index.put(node, at);
            low.put(node, at);
            open.push(node);
            for (String next : graph.getOrDefault(node, Set.of())) {
                if (!index.containsKey(next)) {
                    visit(next);
                    low.merge(node, low.getOrDefault(next, at), Math::min);
                } else if (open.contains(next)) {
                    low.merge(node, index.getOrDefault(next, at), Math::min);
                }
            }
            if (low.getOrDefault(node, at) == at) {
                Set<String> component = new TreeSet<>();
                while (!component.contains(node)) {
                    component.add(open.pop());
                }
                found.add(component);
            }
        }
    }
}
