package dev.sro.runtime.scheduler;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.placement.NodeChoice;
import dev.sro.core.placement.NodeChoice.Refused;
import dev.sro.core.placement.PlacementFleet;
import dev.sro.core.placement.PodSlices;
import dev.sro.core.placement.SliceDemand;
import dev.sro.core.yaml.Json;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The answers of a scheduler extender, {@code k8s.io/kube-scheduler/extender/v1}: keys are Go's names, read in any case. To filter and to prioritise
 * changes nothing, so a scheduler may ask as often as it likes; only binding does. Thread-safe.
 */
final class ExtenderEndpoints {
    static final String FILTER = "filter";
    static final String PRIORITIZE = "prioritize";
    static final String BIND = "bind";

    /** One question and its answer. */
    private interface Answer {
        @Nullable Object to(Map<String, Object> arguments);
    }

    private final PlacementFleet fleet;
    private final SliceBinder binder;
    private final KubernetesSerialization serialization = new KubernetesSerialization();
    private final Map<String, Answer> answers;

    ExtenderEndpoints(PlacementFleet fleet, SliceBinder binder) {
        this.fleet = fleet;
        this.binder = binder;
        this.answers = Map.of("/" + FILTER, this::filter, "/" + PRIORITIZE, this::prioritize, "/" + BIND, this::bind);
    }

    /**
     * The answer to a request; empty when nothing answers at this path.
     *
     * @throws IllegalArgumentException if the body is no JSON object
     */
    Optional<String> answer(String path, String body) {
        Answer answer = answers.get(path);
        if (answer == null) {
            return Optional.empty();
        }
        Object read;
        try {
            read = Json.read(body);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("the body is no JSON object", e);
        }
        if (!(read instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("the body is no JSON object");
        }
        Map<String, Object> arguments = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        map.forEach((key, value) -> {
            if (value != null) {
                arguments.put(String.valueOf(key).toLowerCase(Locale.ROOT), value);
            }
        });
        return Optional.of(Json.text(answer.to(arguments)));
    }

    private Object filter(Map<String, Object> arguments) {
        List<String> names = names(arguments);
        try {
            Optional<SliceDemand> demand = demand(arguments);
            if (demand.isEmpty()) {
                return filtered(new NodeChoice(names, List.of(), List.of()), "");
            }
            return filtered(fleet.choose(demand.get(), names), "");
        } catch (IllegalArgumentException e) {
            return filtered(new NodeChoice(List.of(), List.of(), List.of()), String.valueOf(e.getMessage()));
        }
    }

    private static Map<String, Object> filtered(NodeChoice choice, String error) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("Nodes", null);
        result.put("NodeNames", choice.fitting());
        result.put("FailedNodes", reasons(choice.full()));
        result.put("FailedAndUnresolvableNodes", reasons(choice.unsuited()));
        result.put("Error", error);
        return result;
    }

    private static Map<String, Object> reasons(List<Refused> refused) {
        Map<String, Object> reasons = new LinkedHashMap<>();
        refused.forEach(node -> reasons.put(node.node(), node.reason()));
        return reasons;
    }

    private Object prioritize(Map<String, Object> arguments) {
        List<String> names = names(arguments);
        List<Object> scores = new ArrayList<>();
        Optional<SliceDemand> demand = demand(arguments);
        int[] byName = demand.isEmpty() ? new int[names.size()] : fleet.score(demand.get(), names);
        for (int i = 0; i < byName.length; i++) {
            Map<String, Object> score = new LinkedHashMap<>();
            score.put("Host", names.get(i));
            score.put("Score", byName[i]);
            scores.add(score);
        }
        return scores;
    }

    private Object bind(Map<String, Object> arguments) {
        String error = binder.bind(
                text(arguments, "podnamespace"),
                text(arguments, "podname"),
                text(arguments, "poduid"),
                text(arguments, "node"));
        return Map.of("Error", error);
    }

    private Optional<SliceDemand> demand(Map<String, Object> arguments) {
        if (!(arguments.get("pod") instanceof Map<?, ?> tree)) {
            throw new IllegalArgumentException("the request has no Pod");
        }
        return PodSlices.of(serialization.convertValue(tree, Pod.class));
    }

    /** By name where the scheduler knows that names will do, else those of the objects. */
    private static List<String> names(Map<String, Object> arguments) {
        List<String> names = new ArrayList<>();
        if (arguments.get("nodenames") instanceof List<?> list) {
            list.forEach(name -> names.add(String.valueOf(name)));
        } else if (arguments.get("nodes") instanceof Map<?, ?>) {
            ValueTrees.maps(arguments, "nodes", "items")
                    .forEach(node -> names.add(ValueTrees.text(node, "metadata", "name")));
        }
        return names;
    }

    private static String text(Map<String, Object> arguments, String key) {
        return ValueTrees.text(arguments, key);
    }
}
