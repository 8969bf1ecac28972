package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validation of ResourceQuotas. One use. */
final class QuotaValidation {
    private static final Set<String> OF_PODS =
            Set.of("pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory");
    private static final Set<String> EXISTING =
            Set.of("BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity");
    private static final List<List<String>> PAIRS =
            List.of(List.of("BestEffort", "NotBestEffort"), List.of("Terminating", "NotTerminating"));

    private final Checks checks = new Checks(new ArrayList<>());

    private QuotaValidation() {}

    static List<FieldError> validate(ObjectNode object) {
        QuotaValidation v = new QuotaValidation();
        JsonNode spec = object.path("spec");
        v.amounts(spec.path("hard"), "spec.hard");
        v.scopes(spec);
        v.selector(spec);
        v.amounts(object.path("status").path("hard"), "status.hard");
        v.amounts(object.path("status").path("used"), "status.used");
        return v.checks.errors();
    }

    private void amounts(JsonNode amounts, String path) {
        for (Map.Entry<String, JsonNode> one : amounts.properties()) {
            String at = path + "[" + one.getKey() + "]";
            ResourceNames.ofQuotas(one.getKey(), at, checks);
            ResourceNames.amount(one.getKey(), one.getValue(), at, checks);
        }
    }

    private void scopes(JsonNode spec) {
        JsonNode scopes = spec.path("scopes");
        Set<String> all = new HashSet<>();
        for (JsonNode scope : scopes) {
            String name = scope.asText();
            if (!isScope(name)) {
                checks.invalid("spec.scopes", scopes, "unsupported scope");
            }
            misapplied(spec, name, "spec.scopes", scopes);
            all.add(name);
        }
        conflicts(all, "spec.scopes", scopes);
    }

    private void conflicts(Set<String> scopes, String at, JsonNode shown) {
        PAIRS.stream().filter(scopes::containsAll).forEach(pair -> checks.invalid(at, shown, "conflicting scopes"));
    }

    private static boolean isScope(String name) {
        return EXISTING.contains(name) || name.equals("PriorityClass") || name.equals("VolumeAttributesClass");
    }

    private void misapplied(JsonNode spec, String scope, String at, JsonNode shown) {
        spec.path("hard").fieldNames().forEachRemaining(resource -> {
            if (ResourceNames.isOfQuotas(resource) && !fits(scope, resource)) {
                checks.invalid(at, shown, "unsupported scope applied to resource");
            }
        });
    }

    private static boolean fits(String scope, String resource) {
        return switch (scope) {
            case "BestEffort" -> resource.equals("pods");
            case "VolumeAttributesClass" ->
                resource.equals("persistentvolumeclaims") || resource.equals("requests.storage");
            case "Terminating", "NotTerminating", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity" ->
                OF_PODS.contains(resource);
            default -> true;
        };
    }

    private void selector(JsonNode spec) {
        String at = "spec.scopeSelector.matchExpressions";
        Set<String> all = new HashSet<>();
        for (ObjectNode expression : JsonTree.objects(spec.path("scopeSelector"), "matchExpressions")) {
            String scope = JsonTree.text(expression, "scopeName");
            String operator = JsonTree.text(expression, "operator");
            if (!isScope(scope)) {
                checks.invalid(at + ".scopeName", scope, "unsupported scope");
            }
            misapplied(spec, scope, at, spec.path("scopeSelector"));
            if (EXISTING.contains(scope) && !operator.equals("Exists")) {
                checks.invalid(
                        at + ".operator",
                        operator,
                        "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating,"
                                + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
                                + " ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity");
            }
            operator(expression, operator, at);
            all.add(scope);
        }
        conflicts(all, at, spec.path("scopes"));
    }

    private void operator(ObjectNode expression, String operator, String at) {
        JsonNode values = expression.path("values");
        switch (operator) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    checks.required(
                            at + ".values",
                            "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    checks.invalid(
                            at + ".values",
                            values,
                            "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
                }
            }
            default -> checks.invalid(at + ".operator", operator, "not a valid selector operator");
        }
    }
}
