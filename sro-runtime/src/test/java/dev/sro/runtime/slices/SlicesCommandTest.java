package dev.sro.runtime.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.runtime.Cli;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SlicesCommandTest extends SliceFiles {
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
        assertThat(Cli.run("slices", "explain", fleet).err())
                .contains("is a file: give --profile or --requests with a fleet");
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
    void saysItsCommandsAndExitCodes() {
        assertThat(Cli.run("slices").code()).isEqualTo(2);
        assertThat(Cli.run("slices", "--help").out())
                .contains("models", "show", "explain", "pack", "pack-mixed", "simulate", "defrag", "mig", "Exit codes");
        for (String command :
                new String[] {"models", "show", "explain", "pack", "pack-mixed", "simulate", "defrag", "mig"}) {
            assertThat(Cli.run("slices", command, "--help").out()).as(command).contains("Exit codes: 0 ");
        }
    }
}
