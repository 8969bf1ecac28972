package dev.sro.core.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.World;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.ChartRelease;
import dev.sro.core.yaml.PlainYaml;
import dev.sro.core.yaml.Yaml;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReleaseRecordTest {
    private static final ReleaseState STATE = new ReleaseState(
            3,
            ReleaseStatus.PENDING_UPGRADE,
            "key",
            "digest",
            true,
            new TreeMap<>(
                    Map.of("pre-install/1000-a/Job/b", new HookRun(HookRun.Phase.FAILED, World.START, "it \"fell\""))),
            new TreeSet<>(List.of("a", "b")),
            "Preparing upgrade");

    private static KubeObject secret(String name, Map<String, Object> values) {
        Release release = new Release(
                new ChartRelease(name, "ns", Map.of("name", "c", "version", "1"), "d", values, Map.of()),
                List.of(),
                "key",
                "digest");
        return ReleaseRecord.first(
                Resources.resource(name, "ns", Map.of()), Optional.empty(), release, STATE, "", World.START);
    }

    private static ReleaseRecord record(KubeObject secret) {
        return ReleaseRecord.of(secret).orElseThrow();
    }

    @Test
    void aSecretSaysWhatWasWritten() {
        KubeObject secret = secret("kmod", Map.of());
        assertThat(secret.ref().toString()).isEqualTo("Secret ns/sh.helm.release.v1.kmod.v3");
        assertThat(record(secret).state()).isEqualTo(STATE);
        assertThat(ValueTrees.text(record(secret).content(), "info", "status")).isEqualTo("pending-upgrade");
        assertThat(ValueTrees.get(record(secret).content(), "version")).isEqualTo(3L);
    }

    @Test
    void anotherStateChangesOnlyWhatItSays() {
        ReleaseRecord record = record(secret("kmod", Map.of("a", 1)));
        ReleaseState deployed = STATE.with(ReleaseStatus.DEPLOYED, "Upgrade complete");
        ReleaseRecord after = record(
                record.with(Resources.resource("kmod", "ns", Map.of()), Optional.empty(), deployed, World.START));

        assertThat(after.state()).isEqualTo(deployed);
        Map<String, Object> expected = ValueTrees.mutableCopy(record.content());
        ValueTrees.ensureMap(expected, "info").put("status", "deployed");
        ValueTrees.ensureMap(expected, "info").put("description", "Upgrade complete");
        assertThat(after.content()).isEqualTo(expected);
    }

    @Test
    void aNameThatIsTooLongForHelmIsCut() {
        KubeObject secret = secret("a".repeat(200), Map.of());
        assertThat(secret.label("name").orElseThrow()).hasSize(53);
        assertThat(record(secret).state()).isEqualTo(STATE);
    }

    @Test
    void whatDoesNotFitIsLeftOut() {
        byte[] noise = new byte[1 << 20];
        new Random(1).nextBytes(noise);
        Map<String, Object> values = new HashMap<>();
        values.put("noise", java.util.Base64.getEncoder().encodeToString(noise));
        KubeObject secret = secret("kmod", values);

        assertThat(ValueTrees.text(secret.tree(), "data", "release").length()).isLessThan(1_200_000);
        assertThat(ValueTrees.text(record(secret).content(), "manifest")).contains("left out");
        assertThat(ValueTrees.map(record(secret).content(), "chart")).containsOnlyKeys("metadata");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[]",
                "{\"a\": 1}",
                "{\"a\": {\"phase\": \"Running\", \"started\": \"never\"}}",
                "no",
                "{\"a\": \"\\u12"
            })
    void annotationsThatSomebodyBrokeCountAsTakenAway(String text) {
        KubeObject broken = secret("kmod", Map.of())
                .edit(tree ->
                        ValueTrees.ensureMap(tree, "metadata", "annotations").put(MetadataKeys.HOOKS, text));
        assertThat(record(broken).state().hooks()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "AAAA", "QUFBQQ=="})
    void contentThatSomebodyBrokeIsEmpty(String data) {
        KubeObject broken = secret("kmod", Map.of())
                .edit(tree -> ValueTrees.ensureMap(tree, "data").put("release", data));
        assertThat(record(broken).content()).isEmpty();
        assertThat(record(broken).hooks()).isEmpty();
    }

    @Test
    void otherSecretsAreNone() {
        KubeObject secret = secret("kmod", Map.of());
        assertThat(ReleaseRecord.of(secret.edit(tree -> tree.put("type", "Opaque"))))
                .isEmpty();
        assertThat(ReleaseRecord.of(secret.edit(
                        tree -> ValueTrees.ensureMap(tree, "metadata").put("name", "sh.helm.release.v1.kmod.vx"))))
                .isEmpty();
    }

    @Test
    void yamlOfManifestsIsReadAsItWasMeant() {
        Map<String, Object> tree = new TreeMap<>();
        List<Object> texts = List.of(
                "yes",
                "No",
                "1",
                "0x1f",
                "1e3",
                "~",
                "",
                " a",
                "a: b",
                "- a",
                "# c",
                "a\nb\n",
                "\u0000",
                "2026-01-01",
                "null",
                "{{ x }}",
                "on",
                "&a",
                "*b",
                "!c",
                "'",
                "\"",
                "\\",
                "ä\u2028",
                "plain/text",
                1,
                2.5,
                true,
                false,
                -7L);
        tree.put("texts", texts);
        tree.put(
                "nested",
                List.of(Map.of("a", List.of(Map.of("b", Map.of(), "c", List.of()), List.of("d", List.of())))));
        for (Object text : texts) {
            tree.put("k" + text, text);
        }
        assertThat(ValueTrees.digest(
                        Yaml.documents("test", PlainYaml.write(tree)).get(0)))
                .isEqualTo(ValueTrees.digest(tree));
    }
}
