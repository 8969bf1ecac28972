package dev.sro.runtime.scheduler;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.placement.extender.ExtenderAnswers;
import dev.sro.core.yaml.Json;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The answers of a scheduler extender, {@code k8s.io/kube-scheduler/extender/v1}: keys are Go's names, read in any case. To filter and to prioritise
 * changes nothing, so a scheduler may ask as often as it likes; only binding does. Thread-safe.
 */
final class ExtenderEndpoints {
    static final String FILTER = "filter";
    static final String PRIORITIZE = "prioritize";
    static final String BIND = "bind";

    private final ExtenderAnswers answers;
    private final SliceBinder binder;

    ExtenderEndpoints(ExtenderAnswers answers, SliceBinder binder) {
        this.answers = answers;
        this.binder = binder;
    }

    /**
     * The answer to a request; empty when nothing answers at this path.
     *
     * @param body nobody may write to it any more
     * @throws IllegalArgumentException if the body is no JSON object
     */
    Optional<byte[]> answer(String path, byte[] body) {
        return switch (path) {
            case "/" + FILTER -> Optional.of(answers.filter(body));
            case "/" + PRIORITIZE -> Optional.of(answers.prioritize(body));
            case "/" + BIND -> Optional.of(bind(body));
            default -> Optional.empty();
        };
    }

    private byte[] bind(byte[] body) {
        Map<String, Object> arguments = arguments(new String(body, StandardCharsets.UTF_8));
        String error = binder.bind(
                ValueTrees.text(arguments, "podnamespace"),
                ValueTrees.text(arguments, "podname"),
                ValueTrees.text(arguments, "poduid"),
                ValueTrees.text(arguments, "node"));
        return Json.text(Map.of("Error", error)).getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, Object> arguments(String body) {
        Object read;
        try {
            read = Json.read(body);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("the body is no JSON object", e);
        }
        if (!(read instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("the body is no JSON object");
        }
        Map<String, Object> arguments = new TreeMap<>();
        map.forEach((key, value) -> {
            if (value != null) {
                arguments.put(String.valueOf(key).toLowerCase(Locale.ROOT), value);
            }
        });
        return arguments;
    }
}
