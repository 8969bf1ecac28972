package dev.sro.core.recipe;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.NotActedOnYet;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** What of a plugin the engine reads over, for a notice instead of silence. Stateless. */
public final class NotActedOn {

    private NotActedOn() {}

    /** Names of the interfaces that the plugin implements for nothing yet, each with what to do until then; sorted. */
    public static List<String> interfaces(AcceleratorPlugin plugin) {
        SortedSet<String> found = new TreeSet<>();
        for (Class<?> type = plugin.getClass(); type != null; type = type.getSuperclass()) {
            for (Class<?> one : type.getInterfaces()) {
                notice(one, one.getSimpleName()).ifPresent(found::add);
            }
        }
        return List.copyOf(found);
    }

    private static Optional<String> notice(Class<?> type, String name) {
        NotActedOnYet mark = type.getAnnotation(NotActedOnYet.class);
        return mark == null ? Optional.empty() : Optional.of(name + " (until then: " + mark.until() + ")");
    }
}
