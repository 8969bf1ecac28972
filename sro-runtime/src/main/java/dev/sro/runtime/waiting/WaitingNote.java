package dev.sro.runtime.waiting;

import static dev.sro.core.model.TreeLiterals.present;

import dev.sro.core.claim.PodExplanation;
import dev.sro.core.dra.InfeasibilityCertificate;
import dev.sro.core.dra.InfeasibilityCertificate.Part;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Json;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Why a claim waits, as it is written on the claim: JSON of {@link #VERSION}, in the annotation {@link #ANNOTATION}. Nothing in it tells of the time, so
 * that the same answer is the same text. Immutable.
 *
 * @param pod that waits for the claim, as {@code namespace/name}
 * @param uid of that pod
 * @param state the word of {@code sro slices explain}
 * @param certificates proofs that no arrangement leaves room; none where that is not what it waits for, and none of a note that was too long
 */
public record WaitingNote(String pod, String uid, String state, List<InfeasibilityCertificate> certificates) {
    /** Where it stands on a claim. */
    public static final String ANNOTATION = "slices.sro.dev/waiting";

    /** Of the form of the JSON. */
    public static final int VERSION = 1;

    /** Bytes of one note: all annotations of an object together may have 256 KiB. */
    static final int MOST = 16_384;

    /** Copies the list. */
    public WaitingNote {
        certificates = List.copyOf(certificates);
    }

    /** The text for a pod that waits. Of an explanation that is too long certificates and moves are left out as a whole: half a proof is none. */
    static String text(Pod pod, PodExplanation explanation) {
        Map<String, Object> tree = new LinkedHashMap<>(present(
                "version",
                VERSION,
                "pod",
                explanation.pod(),
                "uid",
                pod.getMetadata().getUid(),
                "state",
                ExplanationText.word(explanation.state()),
                "summary",
                ExplanationText.cut(explanation.summary(), ExplanationText.MOST_NOTE),
                "nearest",
                explanation.nearest()));
        Map<String, Object> whole = new LinkedHashMap<>(tree);
        whole.putAll(present("certificates", ExplanationText.certificates(explanation)));
        explanation.moves().ifPresent(plan -> whole.put("plan", MoveText.tree(plan)));
        String text = Json.text(whole);
        if (text.getBytes(StandardCharsets.UTF_8).length <= MOST) {
            return text;
        }
        List<Object> left = new ArrayList<>(whole.keySet());
        left.removeAll(tree.keySet());
        tree.put("leftOut", left);
        return Json.text(tree);
    }

    /** What stands on an object; empty where nothing does. */
    static Optional<String> on(HasMetadata object) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return Optional.ofNullable(annotations == null ? null : annotations.get(ANNOTATION));
    }

    /** Reads a note of an object; empty where there is none, or one that is not of this form, whoever wrote it. */
    public static Optional<WaitingNote> of(HasMetadata object) {
        return on(object).flatMap(WaitingNote::read);
    }

    private static Optional<WaitingNote> read(String text) {
        try {
            if (!(Json.read(text) instanceof Map<?, ?> read)) {
                return Optional.empty();
            }
            Map<String, Object> tree = new LinkedHashMap<>();
            read.forEach((key, value) -> {
                if (value != null) {
                    tree.put(String.valueOf(key), value);
                }
            });
            if (ValueTrees.number(tree, "version", 0) != VERSION) {
                return Optional.empty();
            }
            return Optional.of(new WaitingNote(
                    ValueTrees.text(tree, "pod"),
                    ValueTrees.text(tree, "uid"),
                    ValueTrees.text(tree, "state"),
                    ValueTrees.maps(tree, "certificates").stream()
                            .map(WaitingNote::certificate)
                            .toList()));
        } catch (IllegalStateException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static InfeasibilityCertificate certificate(Map<String, Object> tree) {
        List<Part> parts = ValueTrees.maps(tree, "parts").stream()
                .map(part -> new Part(
                        counts(ValueTrees.map(part, "weights")),
                        ValueTrees.number(part, "perDevice", 0),
                        ValueTrees.text(part, "meaning")))
                .toList();
        return new InfeasibilityCertificate(
                ValueTrees.text(tree, "model"),
                ValueTrees.number(tree, "devices", 0),
                counts(ValueTrees.map(tree, "counts")),
                counts(ValueTrees.map(tree, "wantedCounts")),
                parts);
    }

    private static Map<String, Long> counts(Map<String, Object> tree) {
        Map<String, Long> counts = new LinkedHashMap<>();
        tree.keySet().forEach(key -> counts.put(key, ValueTrees.number(tree, key, 0)));
        return counts;
    }
}
