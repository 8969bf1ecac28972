package dev.sro.runtime.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.runtime.Cli;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PackCommandTest extends SliceFiles {
    @Test
    void packsOnTheCheapestOfSeveralModels() throws IOException {
        String[] offer = {"slices", "pack-mixed", "--offer", "A100-40GB=10000", "--offer", "A30-24GB=3500:2"};
        JsonNode cheap = json(Cli.run(with(offer, "--want", "1g.5gb/1g.6gb=8,3g.20gb=2", "--format", "json")));
        assertThat(cheap.get("verdict").asText()).isEqualTo("optimal");
        // Two in stock carry eight small ones for 7,000; the wide ones share one device.
        assertThat(cheap.get("cost").asLong()).isEqualTo(17_000);
        assertThat(cheap.get("models").get(1).get("devices").asLong()).isEqualTo(2);
        Cli text = Cli.run(with(offer, "--want", "1g.5gb/1g.6gb=8,3g.20gb=2"));
        assertThat(text.code()).isZero();
        assertThat(text.out()).startsWith("cost 17000: less is impossible\n").contains("A30-24GB  4/4");
        Cli scarce = Cli.run("slices", "pack-mixed", "--offer", "A30-24GB=1:1", "--want", "1g.6gb=5");
        assertThat(scarce.code()).isEqualTo(1);
        assertThat(scarce.out()).contains("cannot carry this");
        assertThat(Cli.run(with(offer, "--want", "1g.5g=1")).err()).contains("has no profile 1g.5g");
        assertThat(Cli.run(with(offer, "--want", "1g.5gb")).err()).contains("is not PROFILE=NUMBER");
        assertThat(Cli.run("slices", "pack-mixed", "--offer", "A30-24GB", "--want", "1g.6gb=1")
                        .err())
                .contains("is not MODEL=PRICE");
        assertThat(Cli.run("slices", "pack-mixed", "--offer", "A30-24GB=0", "--want", "1g.6gb=1")
                        .err())
                .contains("model A30-24GB: price 0");
    }

    @Test
    void packsIntoAFleetFile() throws IOException {
        Cli packed =
                Cli.run("slices", "pack", "--model", "A100-40GB", "--want", "3g.20gb=5,1g.5gb=9", "--format", "fleet");
        assertThat(Cli.run("slices", "show", file("packed.json", packed.out())).out())
                .endsWith("4 devices, 14 instances, 29 of 32 units taken\n");
    }

    @Test
    void packsOnTheFewestDevices() throws IOException {
        String[] wish = {"slices", "pack", "--model", "A100-40GB", "--want", "3g.20gb=5,1g.5gb=9"};
        Cli text = Cli.run(wish);
        assertThat(text.code()).isZero();
        assertThat(text.out())
                .startsWith("4 devices of A100-40GB: fewer are impossible\n")
                .endsWith("4 devices, 14 instances, 29 of 32 units taken\n");
        Cli few = Cli.run("slices", "pack", "--model", "A100-40GB", "--want", "3g.20gb=5,1g.5gb=9", "--devices", "2");
        assertThat(few.code()).isEqualTo(1);
        assertThat(few.out()).contains("left over: 9 x 1g.5gb + 1 x 3g.20gb");
        JsonNode json = json(
                Cli.run("slices", "pack", "--model", "A100-40GB", "--want", "3g.20gb=2,1g.5gb=1", "--format", "json"));
        assertThat(json.get("gap").asInt()).isZero();
        assertThat(json.get("devices").asInt()).isEqualTo(2);
    }

    @Test
    void aPackingIsAMigConfigurationThatResolves() throws IOException {
        Cli config =
                Cli.run("slices", "pack", "--model", "A100-40GB", "--want", "3g.20gb=3,2g.10gb=1", "--format", "mig");
        assertThat(config.code()).isZero();
        String node = file("node.yaml", "devices: [{name: gpu, model: A100-40GB, count: 2}]\n");
        Cli resolved = Cli.run("slices", "mig", node, "--config", file("mig.yaml", config.out()), "--select", "packed");
        assertThat(resolved.code()).isZero();
        assertThat(resolved.out()).contains("| 3g.20gb ", "| 2g.10gb ").contains("2 devices, 4 instances");
        Cli unknown = Cli.run("slices", "mig", node, "--config", file("mig.yaml", config.out()), "--select", "pack");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err()).contains("no configuration is called pack; did you mean packed?");
        Cli amd = Cli.run("slices", "pack", "--model", "MI300X", "--want", "cpx_nps1=3", "--format", "mig");
        assertThat(amd.code()).isEqualTo(2);
        assertThat(amd.err()).contains("MI300X is of the scheme amd-partition");
    }

    @Test
    void packRefusesWhatItCannotRead() {
        assertThat(Cli.run("slices", "pack", "--model", "A100-40GB").err())
                .contains("give either --want or --requests");
        assertThat(Cli.run("slices", "pack", "--model", "A100-40GB", "--want", "1g.5gb")
                        .err())
                .contains("\"1g.5gb\" is not PROFILE=NUMBER");
        assertThat(Cli.run("slices", "pack", "--model", "A100-40GB", "--want", "1g.50gb=1")
                        .err())
                .contains("--want: A100-40GB has no profile 1g.50gb; did you mean");
        assertThat(Cli.run("slices", "show", fleet, "--format", "mig").code()).isEqualTo(2);
    }

    private static String[] with(String[] args, String... more) {
        return Stream.concat(Arrays.stream(args), Arrays.stream(more)).toArray(String[]::new);
    }
}
