package dev.sro.testkit.quota;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What all containers of a pod ask for together: those that run side by side are added up, one that runs before them counts where it asks
 * for more; what is said of the pod as a whole wins.
 */
public final class PodTotals {
    private final JsonNode spec;

    private PodTotals(JsonNode spec) {
        this.spec = spec;
    }

    /** The totals of a pod's spec. */
    public static PodTotals of(JsonNode spec) {
        return new PodTotals(spec);
    }

    /** {@code requests} or {@code limits}, without the overhead of the pod. */
    public SortedMap<String, String> withoutOverhead(String field) {
        SortedMap<String, String> total = new TreeMap<>();
        for (JsonNode container : spec.path("containers")) {
            Amounts.add(total, of(container, field));
        }
        SortedMap<String, String> sidecars = new TreeMap<>();
        SortedMap<String, String> before = new TreeMap<>();
        for (JsonNode container : spec.path("initContainers")) {
            SortedMap<String, String> own = of(container, field);
            if (container.path("restartPolicy").asText().equals("Always")) {
                Amounts.add(total, own);
                Amounts.add(sidecars, own);
                own = new TreeMap<>(sidecars);
            } else {
                Amounts.add(own, sidecars);
            }
            Amounts.raise(before, own);
        }
        Amounts.raise(total, before);
        of(spec, field).forEach((name, amount) -> {
            if (isOfPods(name)) {
                total.put(name, amount);
            }
        });
        return total;
    }

    /** What is asked for, with the overhead of the pod. */
    SortedMap<String, String> requests() {
        SortedMap<String, String> requests = withoutOverhead("requests");
        Amounts.add(requests, Amounts.of(spec.path("overhead")));
        return requests;
    }

    /** What is allowed at most, with the overhead of the pod where there is a limit. */
    SortedMap<String, String> limits() {
        SortedMap<String, String> limits = withoutOverhead("limits");
        SortedMap<String, String> overhead = Amounts.of(spec.path("overhead"));
        overhead.keySet().retainAll(limits.keySet());
        Amounts.add(limits, overhead);
        return limits;
    }

    static SortedMap<String, String> of(JsonNode container, String field) {
        return Amounts.of(container.path("resources").path(field));
    }

    private static boolean isOfPods(String resource) {
        return resource.equals("cpu") || resource.equals("memory") || resource.startsWith("hugepages-");
    }
}
