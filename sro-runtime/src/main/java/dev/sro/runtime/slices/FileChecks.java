package dev.sro.runtime.slices;

import dev.sro.runtime.UnusableInputException;
import dev.sro.runtime.waiting.ExplanationText;
import dev.sro.runtime.waiting.StatedProof;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an API server holds true of the objects that it has, and nobody of those in files: fields that are needed are there, and amounts
 * are amounts. All that reads objects goes by it. Stateless.
 */
final class FileChecks {
    /** As Kubernetes writes them; more digits than any computer has of anything are none. */
    private static final Pattern AMOUNT = Pattern.compile(
            "[+-]?([0-9]{1,30}(\\.[0-9]{0,30})?|\\.[0-9]{1,30})([eE][+-]?[0-9]{1,2}|[KMGTPE]i|[numkMGTPE])?");

    private static final Set<String> AMOUNTS = Set.of("limits", "requests", "allocatable", "capacity", "counters");

    /** What the objects of a list, or an object, of this name must have. */
    private static final Map<String, List<String>> NEEDED = Map.ofEntries(
            Map.entry("devices", List.of("name")),
            Map.entry("consumesCounters", List.of("counterSet")),
            Map.entry("sharedCounters", List.of("name")),
            Map.entry("taints", List.of("key", "effect")),
            Map.entry("requests", List.of("name")),
            Map.entry("exactly", List.of("deviceClassName")),
            Map.entry("firstAvailable", List.of("name", "deviceClassName")),
            Map.entry("results", List.of("request", "driver", "pool", "device")),
            Map.entry("reservedFor", List.of("resource", "name", "uid")),
            Map.entry("cel", List.of("expression")),
            Map.entry("containers", List.of("name")),
            Map.entry("initContainers", List.of("name")),
            Map.entry("claims", List.of("name")),
            Map.entry("resourceClaims", List.of("name")),
            Map.entry("resourceClaimStatuses", List.of("name")),
            Map.entry("schedulingGates", List.of("name")),
            Map.entry("matchExpressions", List.of("key", "operator")),
            Map.entry("matchFields", List.of("key", "operator")),
            Map.entry("ownerReferences", List.of("kind", "name")),
            Map.entry("conditions", List.of("type", "status")));

    private static final Set<String> OBJECTS = Set.of("exactly", "cel");

    private static final int MOST_SHOWN = 60;

    private final String where;

    private FileChecks(String where) {
        this.where = where;
    }

    /**
     * Looks at an object.
     *
     * @param where file, kind and name
     * @throws UnusableInputException with the first field that cannot be used
     */
    static void check(String where, Map<String, Object> tree) {
        new FileChecks(where).object("", "", tree);
    }

    private void object(String path, String name, Map<?, ?> object) {
        for (String field : NEEDED.getOrDefault(name, List.of())) {
            Object value = object.get(field);
            if (value == null || value.equals("")) {
                throw wrong(path + "." + field, "is missing");
            }
        }
        object.forEach((key, value) -> any(path.isEmpty() ? "" + key : path + "." + key, String.valueOf(key), value));
    }

    private void any(String path, String name, @Nullable Object value) {
        if (value instanceof Map<?, ?> map && AMOUNTS.contains(name)) {
            map.forEach((key, amount) -> amount(path + "." + key, amount));
        } else if (value instanceof Map<?, ?> map) {
            // What a claim asks for and has is an object of the name that devices of a slice have, a list.
            object(path, OBJECTS.contains(name) ? name : "", map);
        } else if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                Object item = list.get(i);
                String own = path + "[" + i + "]";
                if (item == null) {
                    throw wrong(own, "is nothing");
                }
                if (item instanceof Map<?, ?> map) {
                    object(own, name, map);
                }
            }
        }
    }

    private void amount(String path, @Nullable Object value) {
        Object amount = value instanceof Map<?, ?> map ? map.get("value") : value;
        if (amount == null || !AMOUNT.matcher(String.valueOf(amount)).matches()) {
            throw wrong(
                    path,
                    "is " + (amount == null ? "nothing" : shown(amount)) + ", not an amount such as 1, 500m or 40Gi");
        }
    }

    private UnusableInputException wrong(String path, String what) {
        return new UnusableInputException(where, ExplanationText.cut(StatedProof.oneLine(path), 300) + " " + what);
    }

    /** A value of a file in a message. */
    private static String shown(Object value) {
        return ExplanationText.cut(StatedProof.oneLine(String.valueOf(value)), MOST_SHOWN);
    }

    /**
     * Refuses what is no whole number.
     *
     * @param field path of the field
     */
    static void whole(String where, String field, @Nullable Object value) {
        if (!(value instanceof Integer || value instanceof Long)) {
            throw new UnusableInputException(
                    where, field + " is " + (value == null ? "nothing" : shown(value)) + ", not a whole number");
        }
    }
}
