package dev.sro.runtime.waiting;

import dev.sro.core.dra.InfeasibilityCertificate;
import dev.sro.core.dra.InfeasibilityCertificate.Part;
import dev.sro.core.yaml.Json;
import dev.sro.runtime.SafeOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What somebody says of why a pod waits, with the proofs, read so that nothing in it is guessed: {@link WaitingNote} takes what is of another type for
 * nothing, which would do for who looks for its own notes, and not for who checks them. Immutable.
 *
 * @param pod as {@code namespace/name}
 * @param uid of that pod; empty where it is not said, as {@code sro slices explain} does not
 * @param state the word of {@code sro slices explain}
 * @param leftOut what a note was too long for
 */
public record StatedProof(
        String pod, String uid, String state, List<String> leftOut, List<InfeasibilityCertificate> certificates) {
    private static final int MOST_SHOWN = 40;

    /** Copies the lists. */
    public StatedProof {
        leftOut = List.copyOf(leftOut);
        certificates = List.copyOf(certificates);
    }

    /**
     * Reads the note of a claim.
     *
     * @throws IllegalArgumentException with the field, if it is not of the form that {@code sro slices explainer} writes
     */
    public static StatedProof ofNote(String text) {
        @Nullable Object read;
        try {
            read = Json.read(text);
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new IllegalArgumentException("it is no JSON", e);
        }
        if (!(read instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("it is no object of JSON");
        }
        Map<String, Object> tree = tree(map);
        long version = number(tree, "", "version", 0);
        if (version != WaitingNote.VERSION) {
            throw new IllegalArgumentException(
                    "version is " + version + ", and " + WaitingNote.VERSION + " is what is known");
        }
        return of(tree);
    }

    /**
     * Reads what {@code sro slices explain -o json} printed.
     *
     * @throws IllegalArgumentException with the field, if it is something else
     */
    public static StatedProof of(Map<String, Object> tree) {
        String pod = text(tree, "", "pod", true);
        int slash = pod.indexOf('/');
        if (slash <= 0 || slash == pod.length() - 1) {
            throw wrong("pod", pod, "namespace/name");
        }
        List<InfeasibilityCertificate> certificates = new ArrayList<>();
        List<Map<String, Object>> trees = maps(tree, "", "certificates");
        for (int i = 0; i < trees.size(); i++) {
            certificates.add(certificate(trees.get(i), "certificates[" + i + "]."));
        }
        List<String> leftOut = new ArrayList<>();
        if (tree.get("leftOut") instanceof List<?> names) {
            names.forEach(name -> leftOut.add(shown(name)));
        }
        return new StatedProof(pod, text(tree, "", "uid", false), text(tree, "", "state", true), leftOut, certificates);
    }

    private static InfeasibilityCertificate certificate(Map<String, Object> tree, String path) {
        List<Part> parts = new ArrayList<>();
        List<Map<String, Object>> trees = maps(tree, path, "parts");
        for (int i = 0; i < trees.size(); i++) {
            String own = path + "parts[" + i + "].";
            parts.add(new Part(
                    counts(trees.get(i), own, "weights"),
                    number(trees.get(i), own, "perDevice", 1),
                    oneLine(text(trees.get(i), own, "meaning", false))));
        }
        return new InfeasibilityCertificate(
                text(tree, path, "model", true),
                number(tree, path, "devices", 0),
                counts(tree, path, "counts"),
                counts(tree, path, "wantedCounts"),
                parts);
    }

    private static Map<String, Long> counts(Map<String, Object> tree, String path, String field) {
        Object value = tree.get(field);
        if (value == null) {
            return Map.of();
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw wrong(path + field, value, "an object with a number for each profile");
        }
        Map<String, Long> counts = new TreeMap<>();
        Map<String, Object> read = tree(map);
        read.keySet().forEach(profile -> counts.put(profile, number(read, path + field + ".", profile, 1)));
        return counts;
    }

    private static List<Map<String, Object>> maps(Map<String, Object> tree, String path, String field) {
        Object value = tree.get(field);
        if (value == null) {
            return List.of();
        }
        List<Map<String, Object>> maps = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (Object each : list) {
                if (each instanceof Map<?, ?> map) {
                    maps.add(tree(map));
                }
            }
            if (maps.size() == list.size()) {
                return maps;
            }
        }
        throw wrong(path + field, value, "a list of objects");
    }

    private static String text(Map<String, Object> tree, String path, String field, boolean needed) {
        Object value = tree.getOrDefault(field, "");
        if (!(value instanceof String text)) {
            throw wrong(path + field, value, "a text");
        }
        if (needed && text.isEmpty()) {
            throw new IllegalArgumentException(path + field + " is missing");
        }
        return text;
    }

    private static long number(Map<String, Object> tree, String path, String field, long least) {
        Object value = tree.get(field);
        if (value == null) {
            throw new IllegalArgumentException(path + oneLine(field) + " is missing");
        }
        if ((value instanceof Long || value instanceof Integer) && ((Number) value).longValue() >= least) {
            return ((Number) value).longValue();
        }
        throw wrong(path + oneLine(field), value, "a whole number of at least " + least);
    }

    private static Map<String, Object> tree(Map<?, ?> map) {
        Map<String, Object> tree = new TreeMap<>();
        map.forEach((key, value) -> {
            if (value != null) {
                tree.put(String.valueOf(key), value);
            }
        });
        return tree;
    }

    private static IllegalArgumentException wrong(String field, Object value, String form) {
        return new IllegalArgumentException(field + " is " + shown(value) + ", not " + form);
    }

    private static String shown(@Nullable Object value) {
        return value instanceof Map<?, ?>
                ? "an object"
                : value instanceof List<?> ? "a list" : ExplanationText.cut(oneLine(String.valueOf(value)), MOST_SHOWN);
    }

    /** What others wrote, so that it begins no line of its own and gives no orders. */
    public static String oneLine(String text) {
        return SafeOutput.oneLine(text);
    }
}
