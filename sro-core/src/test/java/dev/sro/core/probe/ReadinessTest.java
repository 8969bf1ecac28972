package dev.sro.core.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Outcome;
import dev.sro.core.model.KubeObject;
import dev.sro.core.yaml.Yaml;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class ReadinessTest {

    private static KubeObject object(String kind, String yaml) {
        Map<String, Object> tree =
                new LinkedHashMap<>(Yaml.documents("test", yaml).get(0));
        tree.put("apiVersion", "v1");
        tree.put("kind", kind);
        Map<String, Object> metadata = new LinkedHashMap<>(Map.of("name", "x", "namespace", "n"));
        if (tree.get("metadata") instanceof Map<?, ?> more) {
            more.forEach((key, value) -> metadata.put(String.valueOf(key), value));
        }
        tree.put("metadata", metadata);
        return KubeObject.of(tree);
    }

    /** Ready, or the reason why it is not. */
    private static String verdict(KubeObject live, KubeObject... children) {
        Outcome outcome = Readiness.judge(live, List.of(children), Instant.EPOCH);
        if (outcome instanceof Outcome.Failed failed) {
            return "failed " + failed.problem().code();
        }
        return outcome instanceof Outcome.Waiting waiting ? "waiting " + waiting.reason() : "ready";
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvFileSource(resources = "readiness.psv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '~')
    void judgesEachKindByItsRule(String id, String kind, String yaml, String verdict) {
        assertThat(verdict(object(kind, yaml))).as(id).isEqualTo(verdict);
    }

    @Test
    void w6OnlyTheNewestBuildOfItsOwnCounts() {
        KubeObject config = object("BuildConfig", "{}");
        KubeObject first = build("1", "Complete");
        assertThat(verdict(config)).isEqualTo("waiting BuildNotStarted");
        assertThat(verdict(config, first)).isEqualTo("ready");
        assertThat(verdict(config, build("10", "Running"), first, build("9", "Complete")))
                .isEqualTo("waiting BuildRunning");
        assertThat(verdict(config, first, build("2", "Failed"))).isEqualTo("failed BuildFailed");
        assertThat(verdict(config, build("x", "New"))).isEqualTo("waiting BuildRunning");
    }

    private static KubeObject build(String number, String phase) {
        return object(
                "Build",
                "{metadata: {annotations: {openshift.io/build.number: \"%s\"}}, status: {phase: %s}}"
                        .formatted(number, phase));
    }
}
