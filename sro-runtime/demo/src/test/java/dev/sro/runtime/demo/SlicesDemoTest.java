package dev.sro.runtime.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The scenario with slices on demand judges itself: by the hardware, by claims and by what is left. */
@Tag("slow")
class SlicesDemoTest {
    @Test
    void twoHundredPodsComeAndGoOverTheDeathOfAgentAndOperator() {
        Cli cli = Cli.run("demo", "--scenario", "slices", "--plain", "--speed", "0");

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        assertThat(cli.out())
                .contains(
                        "no agent",
                        "repaired: ",
                        "was taken apart",
                        "ok      the agent died in the middle of an instance",
                        "pods had their slice, and went",
                        "ok      nothing is left: no instance, no specification, no claim")
                .containsPattern("pod demo/big-[0-9]: .* 7g\\.40gb")
                .doesNotContain("FAILED");
    }
}
