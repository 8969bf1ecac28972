package dev.sro.testkit.merge;

import dev.sro.testkit.merge.ManagedFields.Owner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The answer to an apply that other managers' fields stand against. */
final class Conflicts {
    private Conflicts() {}

    static MergeException refusal(Map<Owner, FieldSet> conflicts) {
        List<Owner> managers = new ArrayList<>(conflicts.keySet());
        managers.sort(Comparator.comparing(Owner::identifier));
        List<MergeException.Cause> causes = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (Owner manager : managers) {
            lines.add("conflicts with " + describe(manager) + ":");
            for (String path : conflicts.getOrDefault(manager, FieldSet.EMPTY).paths()) {
                causes.add(
                        new MergeException.Cause("FieldManagerConflict", "conflict with " + describe(manager), path));
                lines.add("- " + path);
            }
        }
        String message = causes.size() == 1
                ? "Apply failed with 1 conflict: " + causes.get(0).message() + ": "
                        + causes.get(0).field()
                : "Apply failed with " + causes.size() + " conflicts: " + String.join("\n", lines);
        return new MergeException(409, "Conflict", message, causes);
    }

    private static String describe(Owner manager) {
        StringBuilder out = new StringBuilder("\"" + manager.manager() + "\"");
        if (!manager.subresource().isEmpty()) {
            out.append(" with subresource \"").append(manager.subresource()).append('"');
        }
        if (manager.operation().equals(ManagedFields.UPDATE)) {
            out.append(" using ").append(manager.apiVersion());
        }
        return out.toString();
    }
}
