package dev.sro.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class OutcomesTest {

    /** A container that clears the screen, sets the title of the window and writes from right to left. */
    @Test
    void whatAContainerSaidIsNoOrderToATerminal() {
        String said =
                "container driver: \u001b[2J\u001b]0;all is well\u0007 \u202eydaer\u2069 \u009b31m\r\nline\ttwo é 日本";

        assertThat(Outcomes.shorten(said))
                .isEqualTo("container driver: \uFFFD[2J\uFFFD]0;all is well\uFFFD \uFFFDydaer\uFFFD \uFFFD31m\uFFFD\n"
                        + "line\ttwo é 日本");
    }

    @Test
    void aLongMessageIsCutAtACharacterAlsoWhereOthersWereReplaced() {
        String shortened = Outcomes.shorten("\u0000é".repeat(200));

        assertThat(shortened.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(256);
        assertThat(shortened).startsWith("\uFFFDé").endsWith("…").doesNotContain("\u0000");
    }
}
