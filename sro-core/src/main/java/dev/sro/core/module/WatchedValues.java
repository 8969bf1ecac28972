package dev.sro.core.module;

import dev.sro.api.Problem;
import dev.sro.api.resource.ModuleSelector;
import dev.sro.api.resource.ModuleWatch;
import dev.sro.core.model.KubeObject;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What watched objects say. Stateless. */
public final class WatchedValues {

    /** A full version, or an image with tag or digest: what may be told in a status. */
    private static final Pattern NAMEABLE = Pattern.compile("\\d+\\.\\d+\\.\\d+(?:[-+][0-9A-Za-z.+-]+)?"
            + "|[0-9A-Za-z.-]+(?::\\d+)?/[0-9A-Za-z._/-]+[:@][0-9A-Za-z._:@-]+");

    private WatchedValues() {}

    /** The text, if it is a version or an image: what is looked up is in the status, and who may read that may not read all objects. */
    static String nameable(String text) {
        return NAMEABLE.matcher(text).matches() ? text : "a watched text";
    }

    /**
     * The texts that the path of a watch leads to, each once, whatever the order of objects and of what is in them.
     *
     * @param objects of the kind of the watch
     * @param problems gets what cannot be used
     */
    public static SortedSet<String> values(ModuleWatch watch, Collection<KubeObject> objects, List<Problem> problems) {
        SortedSet<String> values = new TreeSet<>();
        try {
            JsonPath path = JsonPath.parse(watch.getPath());
            for (KubeObject object : objects) {
                if (isWatched(watch, object) && isSelected(watch.getSelector(), object)) {
                    path.find(object.tree()).forEach(value -> take(watch, object, value, values, problems));
                }
            }
        } catch (IllegalArgumentException e) {
            problems.add(Problem.user("InvalidWatch", "spec.watch: " + e.getMessage()));
        }
        return values;
    }

    private static boolean isWatched(ModuleWatch watch, KubeObject object) {
        return (watch.getName().isEmpty() || watch.getName().equals(object.ref().name()))
                && (watch.getNamespace().isEmpty()
                        || watch.getNamespace().equals(object.ref().namespace()));
    }

    /** Some selector without exclude fits, where there is one, and none with exclude does. */
    private static boolean isSelected(List<ModuleSelector> selectors, KubeObject object) {
        boolean wanted = selectors.stream().allMatch(WatchedValues::excludes);
        for (ModuleSelector selector : selectors) {
            boolean fits = JsonPath.parse(selector.getPath()).find(object.tree()).stream()
                    .anyMatch(value -> value.toString().equals(selector.getValue()));
            if (fits && excludes(selector)) {
                return false;
            }
            wanted |= fits;
        }
        return wanted;
    }

    private static boolean excludes(ModuleSelector selector) {
        return Boolean.TRUE.equals(selector.getExclude());
    }

    private static void take(
            ModuleWatch watch, KubeObject object, Object value, SortedSet<String> values, List<Problem> problems) {
        if (value instanceof List<?> list) {
            list.forEach(item -> {
                if (item != null) {
                    take(watch, object, item, values, problems);
                }
            });
        } else if (value instanceof String text) {
            if (!text.isBlank()) {
                values.add(text.strip());
            }
        } else {
            problems.add(Problem.user(
                    "InvalidWatch",
                    "spec.watch: " + watch.getPath() + " of " + object.ref()
                            + " is no text; let the path lead to versions of OpenShift or to images"));
        }
    }
}
