package dev.sro.testkit.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** One LimitRange: what it sets in containers that do not say how much they want, and whom it refuses. Not thread-safe. */
public final class LimitRangeRules {
    private static final String ANNOTATION = "kubernetes.io/limit-ranger";
    private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);

    private final List<JsonNode> limits = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();

    public LimitRangeRules(JsonNode limitRange) {
        limitRange.path("spec").path("limits").forEach(limits::add);
    }

    private List<JsonNode> limits(String type) {
        return limits.stream()
                .filter(limit -> limit.path("type").asText().equals(type))
                .toList();
    }

    /** Sets in a new pod what its containers do not say. The pod is changed in place, all the way down. */
    public void complete(ObjectNode pod) {
        SortedMap<String, String> requests = new TreeMap<>();
        SortedMap<String, String> most = new TreeMap<>();
        for (JsonNode limit : limits("Container")) {
            requests.putAll(Amounts.of(limit.path("defaultRequest")));
            most.putAll(Amounts.of(limit.path("default")));
        }
        List<String> set = new ArrayList<>();
        for (String field : List.of("containers", "initContainers")) {
            String noun = field.equals("containers") ? "container" : "init container";
            for (JsonNode container : pod.path("spec").path(field)) {
                String of = noun + " " + container.path("name").asText();
                complete((ObjectNode) container, "requests", requests, " request for " + of, set);
                complete((ObjectNode) container, "limits", most, " limit for " + of, set);
            }
        }
        if (!set.isEmpty()) {
            pod.withObject("/metadata")
                    .withObject("/annotations")
                    .put(ANNOTATION, "LimitRanger plugin set: " + String.join("; ", set));
        }
    }

    private static void complete(
            ObjectNode container, String field, Map<String, String> defaults, String what, List<String> set) {
        JsonNode there = container.path("resources").path(field);
        List<String> missing =
                defaults.keySet().stream().filter(name -> !there.has(name)).toList();
        if (!missing.isEmpty()) {
            ObjectNode amounts = container.withObject("/resources").withObject("/" + field);
            missing.forEach(name -> amounts.put(name, defaults.get(name)));
            set.add(String.join(", ", missing) + what);
        }
    }

    /** What is against the limits in a pod, in the words of the server; empty if nothing is. */
    public List<String> refusalsOfPod(JsonNode pod) {
        errors.clear();
        JsonNode spec = pod.path("spec");
        for (JsonNode limit : limits) {
            switch (limit.path("type").asText()) {
                case "Container" -> {
                    for (String field : List.of("containers", "initContainers")) {
                        for (JsonNode container : spec.path(field)) {
                            check(limit, PodTotals.of(container, "requests"), PodTotals.of(container, "limits"));
                        }
                    }
                }
                case "Pod" -> {
                    PodTotals totals = PodTotals.of(spec);
                    check(limit, totals.withoutOverhead("requests"), totals.withoutOverhead("limits"));
                }
                default -> {}
            }
        }
        return List.copyOf(errors);
    }

    /** The same for a claim of storage, which has requests alone. */
    public List<String> refusalsOfStorage(JsonNode claim) {
        errors.clear();
        SortedMap<String, String> requests =
                Amounts.of(claim.path("spec").path("resources").path("requests"));
        for (JsonNode limit : limits("PersistentVolumeClaim")) {
            each(limit, "min", rule -> rule.min(requests, Map.of()));
            each(limit, "max", rule -> rule.maxOfRequest(requests));
        }
        return List.copyOf(errors);
    }

    private void check(JsonNode limit, Map<String, String> requests, Map<String, String> limitsOf) {
        each(limit, "min", rule -> rule.min(requests, limitsOf));
        each(limit, "max", rule -> rule.max(requests, limitsOf));
        each(limit, "maxLimitRequestRatio", rule -> rule.ratio(requests, limitsOf));
    }

    private void each(JsonNode limit, String field, Consumer<Rule> check) {
        limit.path(field)
                .properties()
                .forEach(e -> check.accept(new Rule(
                        limit.path("type").asText(), e.getKey(), e.getValue().asText())));
    }

    /** One bound of one resource. */
    private final class Rule {
        private final String type;
        private final String name;
        private final String bound;

        Rule(String type, String name, String bound) {
            this.type = type;
            this.name = name;
            this.bound = bound;
        }

        void min(Map<String, String> requests, Map<String, String> limitsOf) {
            String said = "minimum " + name + " usage per " + type + " is " + bound;
            String request = requests.get(name);
            String limit = limitsOf.get(name);
            if (request == null) {
                errors.add(said + ".  No request is specified");
            } else if (Amounts.isMore(bound, request)) {
                errors.add(said + ", but request is " + request);
            } else if (limit != null && Amounts.isMore(bound, limit)) {
                errors.add(said + ", but limit is " + limit);
            }
        }

        void max(Map<String, String> requests, Map<String, String> limitsOf) {
            String said = "maximum " + name + " usage per " + type + " is " + bound;
            String request = requests.get(name);
            String limit = limitsOf.get(name);
            if (limit == null) {
                errors.add(said + ".  No limit is specified");
            } else if (Amounts.isMore(limit, bound)) {
                errors.add(said + ", but limit is " + limit);
            } else if (request != null && Amounts.isMore(request, bound)) {
                errors.add(said + ", but request is " + request);
            }
        }

        void maxOfRequest(Map<String, String> requests) {
            String said = "maximum " + name + " usage per " + type + " is " + bound;
            String request = requests.get(name);
            if (request == null) {
                errors.add(said + ".  No request is specified");
            } else if (Amounts.isMore(request, bound)) {
                errors.add(said + ", but request is " + request);
            }
        }

        void ratio(Map<String, String> requests, Map<String, String> limitsOf) {
            String said = name + " max limit to request ratio per " + type + " is " + bound + ", but ";
            BigDecimal request = Amounts.value(requests.getOrDefault(name, "0"));
            BigDecimal limit = Amounts.value(limitsOf.getOrDefault(name, "0"));
            if (request.signum() == 0) {
                errors.add(said + "no request is specified or request is 0");
            } else if (limit.signum() == 0) {
                errors.add(said + "no limit is specified or limit is 0");
            } else {
                BigDecimal ratio = limit.divide(request, MathContext.DECIMAL64);
                if (ratio.multiply(THOUSAND).compareTo(Amounts.value(bound).multiply(THOUSAND)) > 0) {
                    errors.add(said + "provided ratio is " + String.format(Locale.ROOT, "%f", ratio));
                }
            }
        }
    }

    /** Several refusals as one text, each named once. */
    public static String joined(List<String> refusals) {
        List<String> once = refusals.stream().distinct().toList();
        return once.size() == 1 ? once.get(0) : "[" + String.join(", ", once) + "]";
    }
}
