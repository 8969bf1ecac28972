package dev.sro.testkit.quota;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a pod takes of a quota, and which quotas it counts for. Stateless. */
public final class PodUsage {
    /** Where a quota has one of these, each container has to say how much it wants. */
    private static final Set<String> TO_BE_SAID =
            Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

    private static final List<String> COMPUTE = List.of("cpu", "memory", "ephemeral-storage");

    private PodUsage() {}

    /** Amounts by the names that quotas have for them. A pod that has ended, or is long overdue, counts as an object only. */
    static SortedMap<String, String> of(JsonNode pod, Instant now) {
        SortedMap<String, String> usage = new TreeMap<>();
        usage.put("count/pods", "1");
        String phase = pod.path("status").path("phase").asText();
        if (!phase.equals("Failed") && !phase.equals("Succeeded") && !isOverdue(pod.path("metadata"), now)) {
            PodTotals totals = PodTotals.of(pod.path("spec"));
            usage.putAll(compute(totals.requests(), totals.limits()));
        }
        return usage;
    }

    private static boolean isOverdue(JsonNode metadata, Instant now) {
        return metadata.hasNonNull("deletionTimestamp")
                && metadata.hasNonNull("deletionGracePeriodSeconds")
                && now.isAfter(Instant.parse(metadata.path("deletionTimestamp").asText())
                        .plusSeconds(metadata.path("deletionGracePeriodSeconds").asLong()));
    }

    private static SortedMap<String, String> compute(Map<String, String> requests, Map<String, String> limits) {
        SortedMap<String, String> usage = new TreeMap<>(Map.of("pods", "1"));
        requests.forEach((name, amount) -> {
            boolean huge = name.startsWith("hugepages-");
            if (COMPUTE.contains(name) || huge) {
                usage.put(name, amount);
            }
            if (COMPUTE.contains(name) || huge || isExtended(name)) {
                usage.put("requests." + name, amount);
            }
        });
        COMPUTE.stream().filter(limits::containsKey).forEach(name -> usage.put("limits." + name, limits.get(name)));
        return usage;
    }

    private static boolean isExtended(String name) {
        return name.startsWith("deviceclass.resource.kubernetes.io/")
                || (name.contains("/") && !name.contains("kubernetes.io/") && !name.startsWith("requests."));
    }

    /**
     * Which containers do not say what a quota counts; empty if all do.
     *
     * @param hard what the quota counts
     */
    public static String unsaid(JsonNode spec, Set<String> hard) {
        if (!PodTotals.of(spec, "requests").isEmpty()
                || !PodTotals.of(spec, "limits").isEmpty()) {
            return "";
        }
        SortedMap<String, SortedSet<String>> missing = new TreeMap<>();
        for (String field : List.of("containers", "initContainers")) {
            for (JsonNode container : spec.path(field)) {
                Set<String> said = compute(PodTotals.of(container, "requests"), PodTotals.of(container, "limits"))
                        .keySet();
                hard.stream()
                        .filter(TO_BE_SAID::contains)
                        .filter(name -> !said.contains(name))
                        .forEach(name -> missing.computeIfAbsent(name, unused -> new TreeSet<>())
                                .add(container.path("name").asText()));
            }
        }
        return missing.entrySet().stream()
                .map(entry -> entry.getKey() + " for: " + String.join(",", entry.getValue()))
                .collect(Collectors.joining("; "));
    }

    /** Whether a quota with these scopes counts the pod. */
    static boolean isIn(QuotaScopes scopes, JsonNode pod) {
        JsonNode spec = pod.path("spec");
        return scopes.all(scope -> switch (scope.name()) {
            case "Terminating" -> spec.path("activeDeadlineSeconds").isNumber();
            case "NotTerminating" -> !spec.path("activeDeadlineSeconds").isNumber();
            case "BestEffort" -> isBestEffort(spec);
            case "NotBestEffort" -> !isBestEffort(spec);
            case "PriorityClass" -> scope.admits(spec.path("priorityClassName").asText());
            case "CrossNamespacePodAffinity" -> looksAtOtherNamespaces(spec.path("affinity"));
            default -> false;
        });
    }

    private static boolean isBestEffort(JsonNode spec) {
        PodTotals totals = PodTotals.of(spec);
        return List.of("requests", "limits").stream()
                .map(totals::withoutOverhead)
                .noneMatch(amounts -> List.of("cpu", "memory").stream()
                        .anyMatch(name -> Amounts.isMore(amounts.getOrDefault(name, "0"), "0")));
    }

    private static boolean looksAtOtherNamespaces(JsonNode affinity) {
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            JsonNode rules = affinity.path(kind);
            for (JsonNode term : rules.path("requiredDuringSchedulingIgnoredDuringExecution")) {
                if (isOfOthers(term)) {
                    return true;
                }
            }
            for (JsonNode term : rules.path("preferredDuringSchedulingIgnoredDuringExecution")) {
                if (isOfOthers(term.path("podAffinityTerm"))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isOfOthers(JsonNode term) {
        return !term.path("namespaces").isEmpty() || term.hasNonNull("namespaceSelector");
    }
}
