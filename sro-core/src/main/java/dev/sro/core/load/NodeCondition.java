package dev.sro.core.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which nodes of a pool an object is for: those that carry all labels of each of these maps, and not all labels of any of those.
 * Immutable.
 *
 * @param all each of them is met
 * @param none none of them is met
 */
public record NodeCondition(List<Map<String, String>> all, List<Map<String, String>> none) {

    /** Every node. */
    public static final NodeCondition ALWAYS = new NodeCondition(List.of(), List.of());

    /** Copies the lists, and sorts the maps for the text. */
    public NodeCondition {
        all = all.stream().<Map<String, String>>map(TreeMap::new).toList();
        none = none.stream().<Map<String, String>>map(TreeMap::new).toList();
    }

    /** Whether a node with these labels is meant. */
    public boolean matches(Map<String, String> labels) {
        return all.stream().allMatch(wanted -> has(labels, wanted))
                && none.stream().noneMatch(unwanted -> has(labels, unwanted));
    }

    private static boolean has(Map<String, String> labels, Map<String, String> wanted) {
        return wanted.entrySet().stream().allMatch(label -> label.getValue().equals(labels.get(label.getKey())));
    }

    /** Whether it says nothing. */
    public boolean isAlways() {
        return all.isEmpty() && none.isEmpty();
    }

    /** {@code +key=value,key=value} for each map that is met, {@code -} for each that is not, with semicolons between them. */
    public String text() {
        List<String> parts = new ArrayList<>();
        all.forEach(map -> parts.add("+" + text(map)));
        none.forEach(map -> parts.add("-" + text(map)));
        return String.join(";", parts);
    }

    private static String text(Map<String, String> map) {
        return String.join(",", map.entrySet().stream().map(Object::toString).toList());
    }

    /** What {@link #text} wrote; parts that it did not write are left out. */
    public static NodeCondition of(String text) {
        List<Map<String, String>> all = new ArrayList<>();
        List<Map<String, String>> none = new ArrayList<>();
        for (String part : text.split(";", -1)) {
            Map<String, String> map = new TreeMap<>();
            for (String pair : part.isEmpty()
                    ? List.<String>of()
                    : List.of(part.substring(1).split(",", -1))) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    map.put(pair.substring(0, equals), pair.substring(equals + 1));
                }
            }
            if (!map.isEmpty()) {
                (part.charAt(0) == '+' ? all : none).add(map);
            }
        }
        return new NodeCondition(all, none);
    }

    /** The same as terms of a required node affinity, of which one has to hold. */
    List<Map<String, Object>> affinityTerms() {
        List<List<Map<String, Object>>> terms = new ArrayList<>(List.of(List.of()));
        for (Map<String, String> map : all) {
            List<Map<String, Object>> more = new ArrayList<>();
            map.forEach((key, value) -> more.add(expression(key, "In", value)));
            terms.replaceAll(term -> joined(term, more));
        }
        for (Map<String, String> map : none) {
            // One of its labels is another or missing: one term more for each.
            List<List<Map<String, Object>>> next = new ArrayList<>();
            terms.forEach(term ->
                    map.forEach((key, value) -> next.add(joined(term, List.of(expression(key, "NotIn", value))))));
            terms = next;
        }
        return terms.stream()
                .<Map<String, Object>>map(term -> Map.of("matchExpressions", term))
                .toList();
    }

    private static List<Map<String, Object>> joined(List<Map<String, Object>> some, List<Map<String, Object>> more) {
        List<Map<String, Object>> all = new ArrayList<>(some);
        all.addAll(more);
        return List.copyOf(all);
    }

    private static Map<String, Object> expression(String key, String operator, String value) {
        Map<String, Object> expression = new LinkedHashMap<>();
        expression.put("key", key);
        expression.put("operator", operator);
        expression.put("values", List.of(value));
        return expression;
    }
}
