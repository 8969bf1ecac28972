package dev.sro.core.slicing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputException;
import dev.sro.core.slicing.input.InputField;
import dev.sro.core.slicing.policy.Policies;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SliceSnapshotTest {
    private static final Catalogue CATALOGUE = Catalogue.builtin();
    private static final List<String> PROFILES = List.of("1g.5gb", "2g.10gb", "3g.20gb", "1g.6gb", "2g.12gb");

    private static SliceSnapshot read(String text) {
        return SliceSnapshot.read(InputDocument.parse("fleet", text), CATALOGUE);
    }

    @Property(tries = 40, edgeCases = EdgeCasesMode.MIXIN)
    void writtenAndReadItIsTheSameState(
            @ForAll @Size(min = 1, max = 6) List<String> names, @ForAll String label, @ForAll long seed) {
        Random random = new Random(seed);
        SliceAllocator allocator = SliceAllocator.create();
        for (int i = 0; i < names.size(); i++) {
            allocator.addDevice(SliceDevice.builder()
                    .id(i + names.get(i))
                    .model(CATALOGUE.model(random.nextBoolean() ? "A100-40GB" : "A30-24GB"))
                    .node(random.nextBoolean() ? "" : "n" + label)
                    .topologyGroup(random.nextBoolean() ? "" : "g" + label)
                    .labels(random.nextBoolean() ? Map.of() : Map.of("k" + label, label, "other", ""))
                    .cordoned(random.nextInt(4) == 0)
                    .build());
        }
        for (int i = 0; i < 12; i++) {
            SliceRequest.Builder request = SliceRequest.builder()
                    .claim(i + label)
                    .profile(PROFILES.get(random.nextInt(PROFILES.size())))
                    .pinned(random.nextBoolean())
                    .disruptionCost(1 + random.nextInt(3));
            if (random.nextBoolean()) {
                request.reservedUntil(Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)));
            }
            try {
                allocator.allocate(request.build());
            } catch (SliceException e) {
                assertThat(e.code()).isEqualTo(SliceException.Code.UNKNOWN_PROFILE);
            }
        }
        SliceSnapshot snapshot = allocator.snapshot();
        SliceSnapshot again = read(snapshot.toJson());
        assertThat(again).isEqualTo(snapshot);
        assertThat(again.stateHash()).isEqualTo(allocator.stateHash());
        assertThat(SliceAllocator.restore(
                                InputDocument.parse("fleet", snapshot.toJson()), CATALOGUE, Policies.firstFit())
                        .stateHash())
                .isEqualTo(allocator.stateHash());
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.MIXIN)
    @Tag("slow")
    void manyAreTheSameStateWhenWrittenAndRead(
            @ForAll @Size(min = 1, max = 6) List<String> names, @ForAll String label, @ForAll long seed) {
        writtenAndReadItIsTheSameState(names, label, seed);
    }

    @Test
    void isWrittenWithALineForEachDeviceAndInstance() {
        SliceAllocator allocator = SliceAllocator.create();
        allocator.addDevice(SliceDevice.builder()
                .id("gpu-0")
                .model(CATALOGUE.model("A30-24GB"))
                .node("n")
                .putLabels("b", "2")
                .putLabels("a", "say \"1\"")
                .build());
        allocator.addDevice(SliceDevice.of("gpu-1", CATALOGUE.model("A30-24GB"), ""));
        allocator.cordon("gpu-1", true);
        allocator.adopt(SliceClaim.builder()
                .id("train")
                .device("gpu-0")
                .profile("2g.12gb")
                .start(2)
                .disruptionCost(7)
                .reservedUntil(Instant.EPOCH)
                .build());
        assertThat(allocator.snapshot().toJson())
                .isEqualTo("{\"schema\": \"sro.dev/slicing-fleet/v1\",\n \"stateHash\": \""
                        + String.format("%016x", allocator.stateHash())
                        + "\",\n \"devices\": [\n"
                        + "  {\"name\": \"gpu-0\", \"model\": \"A30-24GB\", \"node\": \"n\","
                        + " \"labels\": {\"a\": \"say \\\"1\\\"\", \"b\": \"2\"}, \"instances\": [\n"
                        + "    {\"claim\": \"train\", \"profile\": \"2g.12gb\", \"start\": 2, \"disruptionCost\": 7,"
                        + " \"reservedUntil\": \"1970-01-01T00:00:00Z\"}]},\n"
                        + "  {\"name\": \"gpu-1\", \"model\": \"A30-24GB\", \"cordoned\": true}\n]}\n");
    }

    @Test
    void everyFieldIsPartOfTheStateHash() {
        String text =
                "{devices: [{name: a, model: A30-24GB, node: n, instances: [{claim: c, profile: 1g.6gb, start: 0}]},"
                        + " {name: b, model: A30-24GB}]}";
        List<String> others = List.of(
                text.replace("name: b", "name: d"),
                text.replace("node: n", "node: m"),
                text.replace("node: n", "topologyGroup: n"),
                text.replace("node: n", "node: n, labels: {x: y}"),
                text.replace("node: n", "node: n, cordoned: true"),
                text.replace("claim: c", "claim: e"),
                text.replace("1g.6gb", "2g.12gb"),
                text.replace("start: 0", "start: 1"),
                text.replace("start: 0", "start: 0, foreign: true"),
                text.replace("start: 0", "start: 0, pinned: true"),
                text.replace("start: 0", "start: 0, disruptionCost: 2"),
                text.replace("start: 0", "start: 0, reservedUntil: \"2026-01-01T00:00:00Z\""));
        assertThat(others.stream().map(other -> read(other).stateHash()))
                .doesNotContain(read(text).stateHash())
                .doesNotHaveDuplicates();
    }

    @Test
    void countsMakeDevicesAndNameTheirClaims() {
        SliceSnapshot snapshot = read("{devices: [{name: a, model: A30-24GB, count: 2, instances:"
                + " [{claim: c, profile: 1g.6gb, start: 0}, {profile: 1g.6gb, start: 3}]}]}");
        assertThat(snapshot.devices()).extracting(SliceDevice::id).containsExactly("a-0", "a-1");
        assertThat(snapshot.claims())
                .extracting(SliceClaim::id)
                .containsExactly("a-0/1g.6gb@3", "a-1/1g.6gb@3", "c-0", "c-1");
    }

    @Test
    void saysEverythingThatIsWrongWithItsPlace() {
        assertThatThrownBy(() -> read("""
                        schema: sro.dev/slicing-fleet/v2
                        devices:
                        - {name: a, model: A30-24GB, count: 0}
                        - {name: b, model: A30-24GB, count: 2147483647}
                        - {name: c, model: A30-24GB, instances: [{claim: x, profile: 1g.6gb, start: 0},
                            {claim: x, profile: 1g.6gb, start: 1},
                            {claim: y, profile: 1g.6gb, start: 0},
                            {claim: z, profile: 4g.24gb, start: 0, disruptionCost: 0, reservedUntil: noon},
                            {claim: w, profile: 4g.24gb, start: 0}]}
                        - {name: c, model: A30-24GB}
                        - {model: A30, color: red, labels: [a]}
                        - {name: e, model: A30-24GB, instances: [{profile: 2g.12gb, start: 1}, {start: 1.5}]}
                        """))
                .isInstanceOfSatisfying(
                        InputException.class,
                        e -> assertThat(e.errors())
                                .containsExactlyInAnyOrder(
                                        "fleet:1: schema: must be \"sro.dev/slicing-fleet/v1\", not the string"
                                                + " \"sro.dev/slicing-fleet/v2\"",
                                        "fleet:3: devices[a].count: a fleet has between 1 and 1000000 devices",
                                        "fleet:4: devices[b].count: a fleet has between 1 and 1000000 devices",
                                        "fleet:6: devices[c].instances[1].claim: claim x: is held already, on device c; every claim"
                                                + " needs its own name",
                                        "fleet:7: devices[c].instances[2].start: claim y: 1g.6gb at 0 does not go on device c"
                                                + " (A30-24GB) beside 1g.6gb at 0; it could start at [1, 2, 3]",
                                        "fleet:8: devices[c].instances[3].disruptionCost: 0 is not positive",
                                        "fleet:8: devices[c].instances[3].reservedUntil: \"noon\" is not a time such as"
                                                + " 2026-01-31T12:00:00Z",
                                        "fleet:9: devices[c].instances[4].start: claim w: 4g.24gb at 0 does not go on device c"
                                                + " (A30-24GB) beside 1g.6gb at 0; nor does it at any other start",
                                        "fleet:10: devices[c].name: there is a device c in line 5; every device needs its own name",
                                        "fleet:11: devices[4]: name is missing",
                                        "fleet:11: devices[4].color: is not a field here; known are name, model, count, node,"
                                                + " topologyGroup, labels, cordoned, instances",
                                        "fleet:11: devices[4].labels: must be an object, not a list",
                                        "fleet:12: devices[e].instances[0].start: claim e/2g.12gb@1: 2g.12gb at 1 does not go on"
                                                + " device e (A30-24GB) beside nothing; it could start at [0, 2]",
                                        "fleet:12: devices[e].instances[1]: profile is missing",
                                        "fleet:12: devices[e].instances[1].start: must be a whole number, not 1.5"));
    }

    @Test
    void schemaHasTheFieldsThatAreRead() throws IOException {
        try (InputStream in = Objects.requireNonNull(
                SliceSnapshot.class.getResourceAsStream("/dev/sro/core/slicing/slicing-fleet-v1.schema.json"))) {
            InputField schema = InputDocument.parse("schema", new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .root();
            Map<String, InputField> defs =
                    Objects.requireNonNull(schema.fields().get("$defs")).fields();
            assertThat(properties(schema)).containsExactly(SnapshotReader.FIELDS);
            assertThat(properties(Objects.requireNonNull(defs.get("device"))))
                    .containsExactly(SnapshotReader.DEVICE_FIELDS);
            assertThat(properties(Objects.requireNonNull(defs.get("instance"))))
                    .containsExactly(SnapshotReader.INSTANCE_FIELDS);
        }
    }

    private static Iterable<String> properties(InputField definition) {
        return Objects.requireNonNull(definition.fields().get("properties"))
                .fields()
                .keySet();
    }
}
