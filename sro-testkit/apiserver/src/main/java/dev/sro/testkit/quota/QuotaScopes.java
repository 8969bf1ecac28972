package dev.sro.testkit.quota;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Which objects a ResourceQuota counts: those that all of its scopes admit. Immutable. */
final class QuotaScopes {
    /**
     * One of them.
     *
     * @param operator {@code Exists} for a scope that is only named
     */
    record Scope(String name, String operator, Set<String> values) {

        /** Whether a value, which is empty where there is none, is among the wanted ones. */
        boolean admits(String value) {
            return switch (operator) {
                case "In" -> values.contains(value) && !value.isEmpty();
                case "NotIn" -> !values.contains(value);
                case "DoesNotExist" -> value.isEmpty();
                default -> !value.isEmpty();
            };
        }
    }

    private final List<Scope> scopes = new ArrayList<>();

    QuotaScopes(JsonNode quota) {
        quota.path("spec").path("scopes").forEach(name -> scopes.add(new Scope(name.asText(), "Exists", Set.of())));
        for (JsonNode selector : quota.path("spec").path("scopeSelector").path("matchExpressions")) {
            Set<String> values = new HashSet<>();
            selector.path("values").forEach(value -> values.add(value.asText()));
            scopes.add(new Scope(
                    selector.path("scopeName").asText(),
                    selector.path("operator").asText(),
                    values));
        }
    }

    boolean all(Predicate<Scope> admits) {
        return scopes.stream().allMatch(admits);
    }

    boolean isEmpty() {
        return scopes.isEmpty();
    }
}
