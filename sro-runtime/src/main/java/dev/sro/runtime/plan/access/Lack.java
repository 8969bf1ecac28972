package dev.sro.runtime.plan.access;

import dev.sro.core.model.RecipeAccount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an account may not do with one resource, or would need for it. Immutable.
 *
 * @param account whose
 * @param granted whether a role of the recipe gives it on, and the account has to have it itself for that
 * @param verbs in the order in which the API server is asked
 * @param resource the plural with its group, and the name where it is about one object
 * @param namespace where; empty for the whole cluster
 */
public record Lack(RecipeAccount account, boolean granted, List<String> verbs, String resource, String namespace) {

    /** By which somebody binds a role that gives more than he has. */
    static final String BIND = "bind";

    private record Place(boolean granted, String resource, String namespace) {}

    /** Copies. */
    public Lack {
        verbs = List.copyOf(verbs);
    }

    /** Of these rights, each resource once. */
    static List<Lack> of(RecipeAccount account, boolean granted, Collection<Right> rights) {
        Map<Place, List<String>> verbs = new LinkedHashMap<>();
        for (Right right : rights) {
            // What a writer asks for is said of the kind: which object it is about is said already.
            String resource = granted || right.verb().equals(BIND) ? right.what() : right.resources();
            List<String> known =
                    verbs.computeIfAbsent(new Place(granted, resource, right.namespace()), unused -> new ArrayList<>());
            if (!known.contains(right.verb())) {
                known.add(right.verb());
            }
        }
        return verbs.entrySet().stream()
                .map(entry -> new Lack(
                        account,
                        granted,
                        entry.getValue(),
                        entry.getKey().resource(),
                        entry.getKey().namespace()))
                .toList();
    }

    /** The right, without who. */
    public String right() {
        return String.join(", ", verbs) + " " + resource + " " + Right.where(namespace);
    }

    /** For a person. */
    public String text() {
        return granted
                ? account + " may not grant what it has not itself: " + right()
                : account + " may not " + right();
    }
}
