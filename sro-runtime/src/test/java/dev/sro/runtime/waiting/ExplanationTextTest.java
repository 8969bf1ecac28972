package dev.sro.runtime.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.claim.PodExplanation;
import dev.sro.core.claim.PodExplanation.State;
import dev.sro.core.dra.InfeasibilityCertificate;
import dev.sro.core.dra.InfeasibilityCertificate.Part;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is told, within what the API takes, whatever strings are in it. */
class ExplanationTextTest {
    private static final Pod POD = new PodBuilder()
            .withNewMetadata()
            .withNamespace("ml")
            .withName("train")
            .withUid("u-1")
            .endMetadata()
            .build();

    private static final InfeasibilityCertificate CERTIFICATE = new InfeasibilityCertificate(
            "A100-40GB",
            2,
            Map.of("7g.40gb", 2L),
            Map.of("3g.20gb", 1L),
            List.of(new Part(Map.of("7g.40gb", 2L, "3g.20gb", 1L), 2, "halves \"of\" a device")));

    private static PodExplanation explanation(
            String summary, List<String> details, List<InfeasibilityCertificate> certificates) {
        return new PodExplanation(
                "ml/train",
                State.NO_ROOM,
                summary,
                List.of(),
                List.of(),
                details,
                List.of(),
                "n1",
                Optional.empty(),
                certificates);
    }

    private static ResourceClaim claim(String note) {
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withName("c")
                .addToAnnotations(WaitingNote.ANNOTATION, note)
                .endMetadata()
                .build();
    }

    @Test
    void aNoteIsOneLineOfSoManyBytesThatEndsBetweenCharacters() {
        for (String unit : List.of("a", "ä", "語", "😀", "a😀語")) {
            String note = ExplanationText.note(explanation(unit.repeat(2_000), List.of(), List.of()));

            assertThat(note.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1_017, 1_024);
            assertThat(note).endsWith("…");
            assertThat(new String(note.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                    .isEqualTo(note);
        }
        assertThat(ExplanationText.cut("a".repeat(1_024), 1_024)).isEqualTo("a".repeat(1_024));
    }

    @Test
    void orderOfATerminalAreToBeSeen() {
        String note = ExplanationText.note(explanation(
                "taint \u001b]0;all is well\u0007", List.of("first\nsecond\tthird\r", "\u009b31m"), List.of()));

        assertThat(note).isEqualTo("taint \\u001b]0;all is well\\u0007; first second third; \\u009b31m");
    }

    @Test
    void whatIsWrittenIsReadBack() {
        WaitingNote read = WaitingNote.of(
                        claim(WaitingNote.text(POD, explanation("full", List.of(), List.of(CERTIFICATE)))))
                .orElseThrow();

        assertThat(read).isEqualTo(new WaitingNote("ml/train", "u-1", "no-room", List.of(CERTIFICATE)));
    }

    @Test
    void halfAProofIsNone() {
        String text = WaitingNote.text(POD, explanation("full", List.of(), Collections.nCopies(200, CERTIFICATE)));

        assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(WaitingNote.MOST);
        assertThat(text).contains("\"leftOut\": [\"certificates\"]", "\"summary\": \"full\"");
        assertThat(WaitingNote.of(claim(text))).map(WaitingNote::certificates).contains(List.of());
    }

    @Test
    void aNoteThatSomebodyElseWroteIsNone() {
        for (String other : List.of(
                "",
                "{",
                "[]",
                "null",
                "{\"version\": 2, \"uid\": \"u\"}",
                "{\"version\": \"1\"}",
                "[".repeat(100_000),
                "\ud800")) {
            assertThat(WaitingNote.of(claim(other))).as(other).isEmpty();
        }
        assertThat(WaitingNote.of(claim("{\"version\": 1, \"certificates\": [{\"devices\": \"many\", \"parts\": 7}]}")))
                .as("what is of another type is nothing")
                .map(WaitingNote::certificates)
                .contains(List.of(new InfeasibilityCertificate("", 0, Map.of(), Map.of(), List.of())));
    }
}
