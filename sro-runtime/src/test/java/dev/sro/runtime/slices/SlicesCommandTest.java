package dev.sro.runtime.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.runtime.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlicesCommandTest {
    private static final String FLEET = """
            schema: sro.dev/slicing-fleet/v1
            devices:
            - name: gpu-0
              model: A100-40GB
              node: node-1
              instances:
              - {claim: train, profile: 3g.20gb, start: 4}
              - {claim: notebook, profile: 1g.5gb, start: 1}
            - name: gpu-1
              model: NVIDIA-A100-SXM4-40GB
              node: node-1
              instances:
              - {claim: web, profile: 3g.20gb, start: 0, disruptionCost: 3}
              - {claim: other, profile: 1g.5gb, start: 5, foreign: true}
            - name: spare
              model: "0x20B710DE"
              count: 2
              cordoned: true
            """;

    @TempDir
    private Path folder;

    private String fleet = "";

    @BeforeEach
    void writesTheFleet() throws IOException {
        fleet = file("fleet.yaml", FLEET);
    }

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

    private static String[] with(String[] args, String... more) {
        return Stream.concat(Arrays.stream(args), Arrays.stream(more)).toArray(String[]::new);
    }

    @Test
    void listsModelsAndOneOfThem() throws IOException {
        Cli all = Cli.run("slices", "models");
        assertThat(all.code()).isZero();
        assertThat(all.out().lines()).hasSize(25).anyMatch(line -> line.startsWith("RTXPRO6000-96GB"));
        Cli one = Cli.run("slices", "models", "10de:20b7");
        assertThat(one.out())
                .startsWith("A30-24GB (mig, device-output): 4 units")
                .contains("1g.6gb+me");
        JsonNode json = json(Cli.run("slices", "models", "MI300X", "--format", "json"));
        assertThat(json.get(0).get("profiles").get(0).get("mode").asText()).isEqualTo("spx_nps1");
        Cli unknown = Cli.run("slices", "models", "A100-40G");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("no device model is called A100-40G; did you mean A100-40GB");
        assertThat(Cli.run("slices", "models", "A100").err())
                .contains("no device model is called A100; did you mean A100-");
        assertThat(Cli.run("slices", "models", "0xA100").err()).contains("no device model has the PCI id 0xA100");
    }

    @Test
    void takesAnOwnCatalogueBeforeTheBuiltInOne() throws IOException {
        String own = file("own.yaml", """
                schema: sro.dev/slicing-catalogue/v1
                scheme: tiles
                models:
                - key: Tiler
                  memoryUnits: 2
                  placements: documented
                  profiles: [{name: half, size: 1, starts: [0, 1], maxInstances: 2}]
                """);
        assertThat(Cli.run("slices", "models", "Tiler", "--catalogue", own).out())
                .contains("half");
        Cli pack = Cli.run("slices", "pack", "--catalogue", own, "--model", "Tiler", "--want", "half=5");
        assertThat(pack.out()).startsWith("3 devices of Tiler: fewer are impossible");
        Cli bad = Cli.run("slices", "models", "--catalogue", file("bad.yaml", "schema: x\nscheme: y\nmodels: []\n"));
        assertThat(bad.code()).isEqualTo(2);
        assertThat(bad.err()).contains("bad.yaml:1: schema: \"x\" is not a format that can be read");
    }

    @Test
    void drawsAFleet() throws IOException {
        Cli text = Cli.run("slices", "show", fleet);
        assertThat(text.code()).isZero();
        assertThat(text.out())
                .contains("gpu-0  A100-40GB  on node-1  5/8", "| other ####|", "spare-1  A30-24GB  0/4  CORDONED")
                .endsWith("4 devices, 4 instances, 10 of 24 units taken, 1 foreign, 2 cordoned\n");
        assertThat(Cli.run("slices", "show", fleet, "--format", "svg").out()).startsWith("<svg ");
        assertThat(Cli.run("slices", "show", fleet, "--most-devices", "1").out())
                .contains("2 x  A30-24GB");
        JsonNode json = json(Cli.run("slices", "show", fleet, "--format", "json"));
        assertThat(json.get("devices").get(1).get("fits").get("1g.5gb").asInt()).isEqualTo(2);
    }

    @Test
    void writesAFleetFileThatReadsTheSame() throws IOException {
        String kept = file("kept.yaml", FLEET.replace("start: 1}", "start: 1, reservedUntil: 2026-03-01T00:00:00Z}"));
        Cli written = Cli.run("slices", "show", kept, "--format", "fleet");
        String again = file("again.json", written.out());
        assertThat(Cli.run("slices", "show", again, "--format", "fleet")).isEqualTo(written);
        assertThat(Cli.run("slices", "show", again, "--format", "json"))
                .isEqualTo(Cli.run("slices", "show", kept, "--format", "json"));
        assertThat(Cli.run("slices", "show", again, "--at", "2026-02-28T23:59:59Z")
                        .out())
                .contains("notebook");
        assertThat(Cli.run("slices", "show", again, "--at", "2026-03-01T00:00:00Z")
                        .out())
                .doesNotContain("notebook");
        Cli wrong = Cli.run("slices", "show", again, "--at", "soon");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("--at: \"soon\" is not a time such as 2026-01-31T12:00:00Z");
    }

    @Test
    void whatExplainGrantsIsInTheFleetFileThatItWrites() throws IOException {
        Cli granted = Cli.run("slices", "explain", fleet, "--profile", "1g.5gb", "--format", "fleet");
        assertThat(granted.code()).isZero();
        Cli next = Cli.run("slices", "explain", file("next.json", granted.out()), "--profile", "1g.5gb");
        assertThat(next.out()).startsWith("request-1-2: granted").contains("request-1 ");
        Cli moved = Cli.run("slices", "defrag", fleet, "--admit", "4g.20gb", "--format", "fleet");
        Cli room = Cli.run("slices", "explain", file("moved.json", moved.out()), "--profile", "4g.20gb");
        assertThat(room.out()).startsWith("request-1: granted, 4g.20gb on gpu-0 at 0\n");
    }

    @Test
    void seesThatAFleetFileWasChanged() throws IOException {
        String written = Cli.run("slices", "show", fleet, "--format", "fleet").out();
        Cli changed = Cli.run("slices", "show", file("changed.json", written.replace("\"start\": 1", "\"start\": 2")));
        assertThat(changed.code()).isEqualTo(2);
        assertThat(changed.err())
                .contains("changed.json:2: stateHash: is not that of the devices and instances listed (")
                .contains("leave stateHash out to read it as it is");
    }

    @Test
    void narrowsRequestsOfTheCommandLine() throws IOException {
        assertThat(Cli.run("slices", "explain", fleet, "--profile", "1g.5gb", "--device", "gpu-0")
                        .out())
                .startsWith("request-1: granted, 1g.5gb on gpu-0 at ");
        Cli none = Cli.run("slices", "explain", fleet, "--profile", "1g.5gb", "--label", "zone=a");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.out()).contains("no-such-device").contains("with labels {zone=a}");
        Cli stays = Cli.run("slices", "defrag", fleet, "--admit", "4g.20gb", "--device", "gpu-0");
        assertThat(stays.code()).isEqualTo(1);
        assertThat(stays.out()).startsWith("no moves help: ");
        assertThat(Cli.run("slices", "defrag", fleet, "--admit", "4g.20gb", "--node", "node-1")
                        .out())
                .startsWith("makes room with 1 move");
    }

    @Test
    void packsIntoAFleetFile() throws IOException {
        Cli packed =
                Cli.run("slices", "pack", "--model", "A100-40GB", "--want", "3g.20gb=5,1g.5gb=9", "--format", "fleet");
        assertThat(Cli.run("slices", "show", file("packed.json", packed.out())).out())
                .endsWith("4 devices, 14 instances, 29 of 32 units taken\n");
    }

    @Test
    void namesEveryErrorOfAFleetWithFileLineAndField() throws IOException {
        String bad = file("bad.yaml", """
                devices:
                - name: a
                  model: A100-40G
                - name: b
                  model: A31
                  cordoned: "no"
                - name: c
                  model: A30-24GB
                  instances:
                  - {profile: 1g.6gb, start: 0}
                  - {profile: 2g.12gb, start: 0}
                  - {profile: 3g.24gb, start: 0}
                - name: c
                  model: A30-24GB
                """);
        Cli show = Cli.run("slices", "show", bad);
        assertThat(show.code()).isEqualTo(2);
        assertThat(show.out()).isEmpty();
        assertThat(show.err().lines())
                .hasSize(6)
                .satisfiesExactly(
                        line -> assertThat(line).contains("bad.yaml:3: devices[a].model: no device model is called"),
                        line -> assertThat(line)
                                .contains("bad.yaml:5: devices[b].model: no device model is called A31"),
                        line -> assertThat(line).contains("bad.yaml:6: devices[b].cordoned: must be true or false"),
                        line -> assertThat(line)
                                .contains(
                                        "bad.yaml:11: devices[c].instances[1].start: claim c/2g.12gb@0: 2g.12gb at 0 does not go on device c",
                                        "; it could start at [2]"),
                        line -> assertThat(line)
                                .contains(
                                        "bad.yaml:12: devices[c].instances[2].profile: A30-24GB has no profile 3g.24gb"),
                        line -> assertThat(line)
                                .contains("bad.yaml:13: devices[c].name: there is a device c in line 7; every device"));
        assertThat(Cli.run("slices", "show", folder.resolve("none").toString()).err())
                .contains("no such file");
    }

    @Test
    void explainsWhereRequestsGoAndWhyNot() throws IOException {
        String requests = file("requests.yaml", """
                requests:
                - {claim: a, profile: 4g.20gb}
                - {claim: b, profile: 7g.40gb}
                - {claim: c, profile: 1g.5gb, count: 2, node: node-1}
                gangs:
                - name: pair
                  spread: different-devices
                  requests: [{claim: p, profile: 1g.5gb, count: 2}]
                """);
        Cli explained = Cli.run("slices", "explain", fleet, "--requests", requests);
        assertThat(explained.code()).isEqualTo(1);
        assertThat(explained.out())
                .contains("a: fragmented\n")
                .contains(
                        "makes room with 1 move, cost 1, proved the cheapest\n    move notebook (1g.5gb) from gpu-0 at 1 to gpu-1")
                .contains("b: infeasible\n")
                .contains("c-1: granted, 1g.5gb on ")
                .contains("pair: granted, 1g.5gb on ");
        JsonNode json = json(Cli.run("slices", "explain", fleet, "--requests", requests, "--format", "json"));
        assertThat(json.get(0).get("plan").get("moves").get(0).get("claim").asText())
                .isEqualTo("notebook");
        assertThat(json.get(1).get("decision").asText()).isEqualTo("infeasible");
        assertThat(Cli.run("slices", "explain", fleet, "--profile", "1g.5gb").code())
                .isZero();
    }

    @Test
    void refusesRequestsThatCannotBe() throws IOException {
        assertThat(Cli.run("slices", "explain", fleet).err()).contains("give --profile or --requests");
        Cli profile = Cli.run("slices", "explain", fleet, "--profile", "9g.90gb");
        assertThat(profile.code()).isEqualTo(2);
        assertThat(profile.err()).contains("profile 9g.90gb is offered by none of the models");
        Cli spread = Cli.run(
                "slices",
                "explain",
                fleet,
                "--requests",
                file("r.yaml", "gangs:\n- {name: g, spread: far, requests: [{claim: a, profile: p, cuont: 1}]}\n"));
        assertThat(spread.code()).isEqualTo(2);
        assertThat(spread.err())
                .contains("r.yaml:2: gangs[g].spread: \"far\" is not one of anywhere, same-device")
                .contains("gangs[g].requests[0].cuont: is not a field here; did you mean count?");
        Cli twice = Cli.run(
                "slices",
                "explain",
                fleet,
                "--requests",
                file("twice.yaml", "requests:\n- {claim: a, profile: 1g.5gb}\n- {claim: a, profile: 1g.5gb}\n"));
        assertThat(twice.code()).isEqualTo(2);
        assertThat(twice.err())
                .contains(
                        "twice.yaml:3: requests[1].claim: a is asked for in line 2 already; every claim needs its own");
        assertThat(Cli.run("slices", "explain", file("none.yaml", "devices: []"), "--profile", "1g.5gb")
                        .err())
                .isEqualTo("sro: claim request-1: there are no devices at all\n");
        assertThat(Cli.run("slices", "explain", fleet, "--profile", "1g.5gb", "--policy", "best")
                        .err())
                .contains("--policy: policy best: there is no such policy");
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

    @Test
    void plansTheFewestMovesAndDrawsTheFleetAfterwards() throws IOException {
        Cli plan = Cli.run("slices", "defrag", fleet, "--admit", "4g.20gb");
        assertThat(plan.code()).isZero();
        assertThat(plan.out()).startsWith("""
                        makes room with 1 move, cost 1, proved the cheapest
                          move notebook (1g.5gb) from gpu-0 at 1 to gpu-1 at 4
                          then it goes on gpu-0 at 0
                        """).contains("| notebook  | other ####|");
        Cli none = Cli.run("slices", "defrag", fleet, "--admit", "7g.40gb");
        assertThat(none.code()).isEqualTo(1);
        assertThat(none.out()).startsWith("no moves help: ");
        Cli unknown = Cli.run("slices", "defrag", fleet, "--admit", "7g.4gb");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err())
                .contains(
                        "claim request: profile 7g.4gb is offered by none of the models [A100-40GB, A30-24GB]; did you mean 7g.40gb?");
    }

    @Test
    void freesDevicesWithinABudget() throws IOException {
        String loose = file("loose.yaml", """
                devices:
                - name: gpu
                  model: A30-24GB
                  count: 3
                  instances: [{claim: job, profile: 1g.6gb, start: 0}]
                """);
        Cli all = Cli.run("slices", "defrag", loose);
        assertThat(all.code()).isZero();
        assertThat(all.out()).startsWith("A30-24GB: 3 devices in use, 1 after 2 moves");
        JsonNode one = json(Cli.run("slices", "defrag", loose, "--budget", "1", "--format", "json"));
        assertThat(one.get("models").get(0).get("devicesAfter").asInt()).isEqualTo(2);
        assertThat(one.get("models").get(0).get("plan").get("moves")).hasSize(1);
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

    @Test
    void saysItsCommandsAndExitCodes() {
        assertThat(Cli.run("slices").code()).isEqualTo(2);
        assertThat(Cli.run("slices", "--help").out())
                .contains("models", "show", "explain", "pack", "simulate", "defrag", "mig", "Exit codes");
        for (String command : new String[] {"models", "show", "explain", "pack", "simulate", "defrag", "mig"}) {
            assertThat(Cli.run("slices", command, "--help").out()).as(command).contains("Exit codes: 0 ");
        }
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static JsonNode json(Cli cli) throws IOException {
        return new ObjectMapper().readTree(cli.out());
    }
}
