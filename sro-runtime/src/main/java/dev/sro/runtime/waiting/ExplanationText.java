package dev.sro.runtime.waiting;

import static dev.sro.core.model.TreeLiterals.present;

import dev.sro.core.claim.PodExplanation;
import dev.sro.core.dra.InfeasibilityCertificate;
import dev.sro.runtime.SafeOutput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Why a pod waits, in the same words for the command line, for events and for programs. Stateless. */
public final class ExplanationText {
    /** Bytes of the note of an event, as the API server counts them. */
    static final int MOST_NOTE = 1_024;

    private static final String ELLIPSIS = "…";

    private ExplanationText() {}

    /** All that is known of why it waits: the sentence, what else is to be known, and the moves that help. */
    public static List<String> lines(PodExplanation pod) {
        List<String> lines = new ArrayList<>();
        lines.add(pod.summary());
        lines.addAll(pod.details());
        pod.moves().ifPresent(plan -> MoveText.admission(plan).lines().forEach(lines::add));
        return lines;
    }

    /** The same on one line, as the note of an event: no control characters, and no more bytes than the API takes. */
    static String note(PodExplanation pod) {
        String line = String.join("; ", lines(pod).stream().map(String::strip).toList());
        return cut(SafeOutput.visible(line.replace('\n', ' ').replace('\t', ' ')), MOST_NOTE);
    }

    /** The beginning of a text that has so many bytes at most in UTF-8; what was cut ends in an ellipsis. */
    public static String cut(String text, int most) {
        if (text.getBytes(StandardCharsets.UTF_8).length <= most) {
            return text;
        }
        int end = 0;
        int bytes = ELLIPSIS.getBytes(StandardCharsets.UTF_8).length;
        while (end < text.length()) {
            int point = text.codePointAt(end);
            bytes += new String(Character.toChars(point)).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > most) {
                break;
            }
            end += Character.charCount(point);
        }
        return text.substring(0, end) + ELLIPSIS;
    }

    /** The word for a state or a verdict, such as {@code no-room}. */
    public static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** For programs. */
    public static Map<String, Object> tree(PodExplanation pod) {
        Map<String, Object> tree = present(
                "pod",
                pod.pod(),
                "state",
                word(pod.state()),
                "summary",
                pod.summary(),
                "asks",
                pod.asks(),
                "has",
                pod.has(),
                "details",
                pod.details(),
                "nodes",
                pod.nodes().stream()
                        .map(node -> present(
                                "node",
                                node.node(),
                                "answer",
                                word(node.verdict()),
                                "freeUnits",
                                node.freeUnits(),
                                "units",
                                node.units(),
                                "text",
                                node.text()))
                        .toList(),
                "nearest",
                pod.nearest(),
                "certificates",
                certificates(pod));
        pod.moves().ifPresent(plan -> tree.put("plan", MoveText.tree(plan)));
        return tree;
    }

    /** The proofs that no arrangement leaves room, for programs. */
    static List<Map<String, Object>> certificates(PodExplanation pod) {
        return pod.certificates().stream().map(ExplanationText::certificate).toList();
    }

    private static Map<String, Object> certificate(InfeasibilityCertificate certificate) {
        return present(
                "model",
                certificate.model(),
                "wanted",
                certificate.wantedText(),
                "wantedCounts",
                new TreeMap<>(certificate.wanted()),
                "devices",
                certificate.devices(),
                "needed",
                certificate.needed(),
                "counts",
                new TreeMap<>(certificate.counts()),
                "parts",
                certificate.parts().stream()
                        .map(part -> present(
                                "weights",
                                new TreeMap<>(part.weights()),
                                "perDevice",
                                part.perDevice(),
                                "meaning",
                                part.meaning()))
                        .toList());
    }
}
