package dev.sro.runtime.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.runtime.Cli;
import dev.sro.runtime.waiting.WaitingNote;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code sro slices verify}: of the pod ml/big of the documentation, which asks for four slices of a node that has room for two. */
class VerifyCommandTest extends SliceFiles {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String WAITING =
            Path.of("..", "docs", "slicing", "samples", "waiting.yaml").toString();

    /** The pod alone, and its claim. */
    private static final String BIG = """
            apiVersion: v1
            kind: Pod
            metadata: {name: big, namespace: ml}
            spec:
              containers: [{name: big, image: registry.example.com/big:1}]
              resourceClaims: [{name: s, resourceClaimName: big}]
            status: {phase: Pending}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: big, namespace: ml}
            spec: {devices: {requests: [{name: r, exactly: {deviceClassName: 2g-12gb.slices.sro.dev, count: 4}}]}}
            """;

    private String two = "";
    private String three = "";

    @BeforeEach
    void publishes() throws IOException {
        two = published(2);
        three = published(3);
    }

    private String published(int gpus) throws IOException {
        Cli published = Cli.run(
                "slices", "publish", "--model", "A30-24GB", "--count", String.valueOf(gpus), "--node", "worker-1");
        return file("published-" + gpus + ".yaml", published.out());
    }

    private ObjectNode explained() throws IOException {
        Cli explained = Cli.run("slices", "explain", "ml/big", "--from", two, "--from", WAITING, "-o", "json");
        return (ObjectNode) json(explained);
    }

    private Cli verify(String published, String... more) {
        List<String> all = new ArrayList<>(List.of("slices", "verify", "--from", published, "--from", WAITING));
        all.addAll(List.of(more));
        return Cli.run(all.toArray(String[]::new));
    }

    private Cli verify(String published, JsonNode explained) throws IOException {
        return verify(published, file("explained.json", explained.toPrettyString()));
    }

    /** A file with a claim that has a note. */
    private String noted(String name, String note) throws IOException {
        ObjectNode claim = JSON.createObjectNode();
        claim.put("apiVersion", "resource.k8s.io/v1").put("kind", "ResourceClaim");
        claim.withObject("/metadata").put("name", name).put("namespace", "ml");
        claim.withObject("/metadata/annotations").put(WaitingNote.ANNOTATION, note);
        claim.withObject("/spec");
        return file(name + ".json", claim.toString());
    }

    private static ObjectNode certificate(ObjectNode explained) {
        return (ObjectNode) explained.path("certificates").path(0);
    }

    private static ObjectNode part(ObjectNode explained) {
        return (ObjectNode) certificate(explained).path("parts").path(0);
    }

    @Test
    void whatExplainProvedHolds() throws IOException {
        Cli verified = verify(two, explained());

        assertThat(verified.out())
                .contains("explained.json, pod ml/big: holds\n", "  A30-24GB, 3 x 2g.12gb: holds\n")
                .endsWith("1 looked at: 1 holds\n");
        assertThat(verified.code()).isZero();
    }

    @Test
    void whatIsWrittenOnClaimsHolds() throws IOException {
        String note = explained().put("version", 1).toString();
        Cli verified = verify(two, "--from", noted("copy", note));

        assertThat(verified.out()).startsWith("claim ml/copy, pod ml/big: holds\n");
        assertThat(verified.code()).isZero();
        assertThat(verify(two, noted("copy", note)).out()).isEqualTo(verified.out());
    }

    @Test
    void whereMoreGpusAreThereItWasTrue() throws IOException {
        Cli verified = verify(three, explained());

        assertThat(verified.out())
                .contains(
                        "pod ml/big: changed\n",
                        "A30-24GB, 3 x 2g.12gb: changed: it says 2 devices, there are 3; its weights prove nothing of"
                                + " what is there now\n",
                        "  the pod does not wait for room any more\n",
                        "  now it is has-room: ");
        assertThat(verified.code()).isEqualTo(1);
    }

    @Test
    void whereLessRunsThanItCountsItIsTriedAnew() throws IOException {
        Cli alone = Cli.run(
                "slices",
                "verify",
                "--from",
                two,
                "--from",
                file("big.yaml", BIG),
                file("explained.json", explained().toString()));

        assertThat(alone.out()).contains("it says that {", "} run, {} do");
        assertThat(alone.code()).isEqualTo(1);
    }

    @Test
    void forgeriesAreFound() throws IOException {
        Map<String, Consumer<ObjectNode>> forgeries = Map.of(
                "a device can carry", one -> part(one).put("perDevice", 3),
                "devices are enough",
                        one -> certificate(one).withObject("/wantedCounts").put("2g.12gb", 1),
                "the pod does not ask for so much: 4 x 2g.12gb",
                        one -> certificate(one).withObject("/wantedCounts").put("2g.12gb", 5),
                "which A30-24GB does not have",
                        one -> certificate(one).withObject("/wantedCounts").put("2g.12gbb", 5),
                "neither the catalogue nor a GPU", one -> certificate(one).put("model", "A31-24GB"),
                "its numbers are too large",
                        one -> certificate(one)
                                .withObject("/wantedCounts")
                                .put("2g.12gb", 999_999_999_999_999_999L * 9),
                "what it says that runs needs",
                        one -> certificate(one).withObject("/counts").put("2g.12gb", 77));
        for (Map.Entry<String, Consumer<ObjectNode>> forgery : forgeries.entrySet()) {
            ObjectNode explained = explained();
            forgery.getValue().accept(explained);
            Cli verified = verify(two, explained);

            assertThat(verified.out()).contains("pod ml/big: wrong\n", forgery.getKey());
            assertThat(verified.code()).isEqualTo(1);
        }
    }

    @Test
    void withoutThePodInTheFilesItIsSaidThatItIsMissing() throws IOException {
        Cli verified = verify(two, explained().put("pod", "ml/gone"));

        assertThat(verified.out())
                .contains(
                        "pod ml/gone: pod-missing\n  A30-24GB, 3 x 2g.12gb: pod-missing: it would prove what it says; of"
                                + " whom it says so is not known\n",
                        "  no file of --from has the pod: give what kubectl get pods -A -o yaml prints, too, unless it is"
                                + " gone\n")
                .doesNotContain("changed");
        assertThat(verified.code()).isEqualTo(1);
        ObjectNode forged = explained().put("pod", "ml/gone");
        part(forged).put("perDevice", 3);
        assertThat(verify(two, forged).out()).contains("pod ml/gone: wrong\n", "a device can carry");
    }

    @Test
    void ofGpusWithClosedUnitsThatAreOpenAgainItIsChanged() throws IOException {
        String cordoned = file("closed.yaml", """
            devices:
            - {name: gpu-0, model: A30-24GB, node: worker-1, instances: [{claim: a, profile: 1g.6gb, start: 0, foreign: true}]}
            - {name: gpu-1, model: A30-24GB, node: worker-1, instances: [{claim: b, profile: 1g.6gb, start: 0, foreign: true}]}
            """);
        String closed = file(
                "published-closed.yaml", Cli.run("slices", "publish", cordoned).out());
        JsonNode explained = json(Cli.run(
                "slices", "explain", "ml/big", "--from", closed, "--from", file("big.yaml", BIG), "-o", "json"));
        assertThat(explained.at("/certificates/0/model").asText()).startsWith("A30-24GB without ");
        String proof = file("explained.json", explained.toString());
        assertThat(Cli.run("slices", "verify", "--from", closed, "--from", file("big.yaml", BIG), proof)
                        .out())
                .contains("pod ml/big: holds\n");

        Cli verified = Cli.run("slices", "verify", "--from", three, "--from", file("big.yaml", BIG), proof);

        assertThat(verified.out())
                .contains(
                        "pod ml/big: changed\n",
                        "changed: no GPU of this model could serve what the pod asks for now\n");
        assertThat(verified.code()).isEqualTo(1);
        ObjectNode forged = (ObjectNode) explained.deepCopy();
        certificate(forged).put("model", "A30-24GB without 0xff");
        assertThat(Cli.run(
                                "slices",
                                "verify",
                                "--from",
                                three,
                                "--from",
                                file("big.yaml", BIG),
                                file("forged.json", forged.toString()))
                        .out())
                .contains("pod ml/big: wrong\n", "neither the catalogue nor a GPU");
    }

    @Test
    void ofAnotherPodOfTheNameItIsNotTrueAnyMore() throws IOException {
        String pod = file("pod.yaml", """
            apiVersion: v1
            kind: Pod
            metadata: {name: other, namespace: ml, uid: u-2}
            spec: {containers: [{name: big, image: registry.example.com/big:1}]}
            """);
        String note = explained()
                .put("version", 1)
                .put("pod", "ml/other")
                .put("uid", "u-1")
                .toString();
        assertThat(verify(two, "--from", pod, "--from", noted("c", note)).out())
                .contains("claim ml/c, pod ml/other: changed\n", "  another pod has its name now\n");
    }

    @Test
    void aNoteThatCannotBeReadIsToldWithItsFieldAndKeepsNobodyFromTheOthers() throws IOException {
        ObjectNode perDevice = explained().put("version", 1);
        part(perDevice).put("perDevice", "many\nclaim ml/x, pod ml/x: holds");
        ObjectNode counts = explained().put("version", 1);
        certificate(counts).put("counts", 7);
        ObjectNode zero = explained().put("version", 1);
        part(zero).put("perDevice", 0);
        ObjectNode half = explained().put("version", 1);
        certificate(half).put("devices", 1.5);
        Map<String, String> notes = Map.of(
                "{mine",
                "it is no JSON",
                "[".repeat(100_000),
                "it is no JSON",
                "[]",
                "it is no object of JSON",
                "{\"version\": 2}",
                "version is 2, and 1 is what is known",
                "{\"version\": 1, \"pod\": \"big\"}",
                "pod is big, not namespace/name",
                perDevice.toString(),
                "certificates[0].parts[0].perDevice is many\\nclaim ml/x, pod ml/x: holds, not a whole number of at"
                        + " least 1",
                counts.toString(),
                "certificates[0].counts is 7, not an object with a number for each profile",
                zero.toString(),
                "certificates[0].parts[0].perDevice is 0, not a whole number of at least 1",
                half.toString(),
                "certificates[0].devices is 1.5, not a whole number of at least 0");
        String good = noted("good", explained().put("version", 1).toString());
        for (Map.Entry<String, String> note : notes.entrySet()) {
            Cli verified = verify(two, "--from", noted("bad", note.getKey()), "--from", good);

            assertThat(verified.out())
                    .contains(
                            "claim ml/bad: unreadable\n  annotation slices.sro.dev/waiting: " + note.getValue()
                                    + "; take it away",
                            "claim ml/good, pod ml/big: holds\n",
                            "2 looked at: 1 holds, 1 unreadable\n");
            assertThat(verified.code()).isEqualTo(1);
        }
    }

    @Test
    void aFileThatIsNoneIsRefused() throws IOException {
        ObjectNode broken = explained();
        certificate(broken).remove("devices");
        Cli verified = verify(two, broken);
        assertThat(verified.err())
                .contains("explained.json: certificates[0].devices is missing; give what sro slices explain -o json"
                        + " printed");
        assertThat(verified.out()).isEmpty();
        assertThat(verified.code()).isEqualTo(2);

        assertThat(verify(two, two).err()).contains("has no ResourceClaim, and nothing that sro slices explain");
    }

    @Test
    void whatProvesNothingIsSaid() throws IOException {
        assertThat(verify(two).out()).isEqualTo("no claim says why it waits\n");
        Cli fragmented = verify(two, noted("c", "{\"version\": 1, \"pod\": \"ml/batch\", \"state\": \"fragmented\"}"));
        assertThat(fragmented.out())
                .contains("claim ml/c, pod ml/batch: no-certificate\n", "  it says fragmented, and proves nothing\n");
        assertThat(fragmented.code()).isZero();
        assertThat(verify(
                                two,
                                noted(
                                        "d",
                                        "{\"version\": 1, \"pod\": \"ml/big\", \"state\": \"no-room\", \"leftOut\":"
                                                + " [\"certificates\"]}"))
                        .out())
                .contains("its certificates were left out, as it was too long: ask sro slices explain\n");
    }

    @Test
    void programsGetATree() throws IOException {
        JsonNode answer = json(verify(three, file("e.json", explained().toString()), "-o", "json"))
                .path(0);

        assertThat(answer.path("verdict").asText()).isEqualTo("changed");
        assertThat(answer.path("pod").asText()).isEqualTo("ml/big");
        assertThat(answer.at("/certificates/0/why/0").asText()).isEqualTo("it says 2 devices, there are 3");
    }
}
