package dev.sro.runtime.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.runtime.Cli;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SimulateCommandTest extends SliceFiles {
    @Test
    void aPolicyThatIsNoneNamesTheOneThatWasMeant() {
        assertThat(Cli.run("slices", "simulate", "--model", "A100-40GB", "--policy", "firstfit")
                        .err())
                .contains("policy firstfit: there is no such policy", "; did you mean first-fit?");
    }

    @Test
    void comparesPoliciesOnTheSameRequests() throws IOException {
        String[] small = {
            "slices",
            "simulate",
            "--model",
            "A100-40GB",
            "--devices",
            "4",
            "--policy",
            "first-fit",
            "--policy",
            "standard"
        };
        Cli text = Cli.run(small);
        assertThat(text.code()).isZero();
        assertThat(text.out().lines())
                .hasSize(4)
                .satisfies(lines -> assertThat(lines.get(2)).startsWith("first-fit"));
        assertThat(Cli.run(small)).isEqualTo(text);
        JsonNode moved = json(Cli.run(
                "slices",
                "simulate",
                "--model",
                "A100-40GB",
                "--devices",
                "4",
                "--policy",
                "worst-fit-best-index",
                "--seeds",
                "2",
                "--max-moves",
                "3",
                "--mix",
                "1g.5gb=1,3g.20gb=1",
                "--format",
                "json"));
        assertThat(moved.get(0).get("moves").asInt()).isPositive();
        assertThat(moved.get(0).get("profiles").get(6).get("requested").asInt()).isZero();
    }

    @Test
    void replaysATrace() throws IOException {
        String trace = file("trace.csv", "time,profile,holding\n0,7g.40gb,2\n1,1g.5gb,1\n3,1g.5gb,inf\n");
        JsonNode json = json(Cli.run(
                "slices",
                "simulate",
                "--model",
                "A100-40GB",
                "--devices",
                "1",
                "--policy",
                "first-fit",
                "--trace",
                trace,
                "--format",
                "json"));
        assertThat(json.get(0).get("requested").asInt()).isEqualTo(3);
        assertThat(json.get(0).get("accepted").asInt()).isEqualTo(2);
        Cli bad = Cli.run("slices", "simulate", "--model", "A100-40GB", "--trace", file("bad.csv", "0,1g.5gb,x\n"));
        assertThat(bad.code()).isEqualTo(2);
        assertThat(bad.err()).contains("bad.csv:1: holding: \"x\" is not a number of 0 or more");
    }

    @Test
    void refusesASimulationThatCannotBe() {
        for (String[] wrong : new String[][] {
            {"--devices", "0"}, {"--load", "-1"}, {"--mix", "huge"}, {"--mix", "9g=1"}, {"--seeds", "0"}
        }) {
            Cli cli = Cli.run("slices", "simulate", "--model", "A100-40GB", wrong[0], wrong[1]);
            assertThat(cli.code()).as(wrong[0]).isEqualTo(2);
            assertThat(cli.err()).contains("sro: " + wrong[0] + ": ");
        }
    }
}
