package dev.sro.core.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Outcome;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadyWhenTest {

    private static KubeObject object(Map<String, Object> metadata) {
        Map<String, Object> all = new HashMap<>(metadata);
        all.put("name", "x");
        return KubeObject.of(Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Widget",
                "metadata",
                all,
                "status",
                Map.of("count", 3, "share", 0.5, "phase", "Up", "list", java.util.List.of(1, 2))));
    }

    private static String verdict(KubeObject live) {
        Outcome outcome = ReadyWhen.evaluate(live, Instant.EPOCH).orElseThrow();
        if (outcome instanceof Outcome.Failed failed) {
            return failed.problem().code() + ": " + failed.problem().message();
        }
        return outcome instanceof Outcome.Waiting waiting ? waiting.reason() + ": " + waiting.on() : "ready";
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "object.status.count == 3 && self.status.share < 1.0|ready",
                "object.status.list == [1, 2]|ready",
                "object.status.count == 4|ReadyWhenFalse: Widget x: it is not true yet that object.status.count == 4",
                "object.status.ready|ReadyWhenNoValue: Widget x: sro.dev/ready-when has no value yet: no such key:"
                        + " ready",
                "object.status.phase|ReadyWhenInvalid: Widget x: annotation sro.dev/ready-when: its value is of type"
                        + " string, not bool",
                "object.status.phase = 'a'|ReadyWhenInvalid: Widget x: annotation sro.dev/ready-when: character 21:"
                        + " Syntax error",
                "status.phase == 'a'|ReadyWhenInvalid: Widget x: annotation sro.dev/ready-when: character 1:"
                        + " undeclared reference to 'status'",
            })
    void judgesByTheExpression(String expression, String verdict) {
        assertThat(verdict(object(Map.of("annotations", Map.of(MetadataKeys.READY_WHEN, expression)))))
                .startsWith(verdict);
    }

    @Test
    void saysTheLineOfAFault() {
        assertThat(ReadyWhen.fault("true &&\n  nothing"))
                .hasValueSatisfying(fault ->
                        assertThat(fault).startsWith("line 2, character 3: undeclared reference to 'nothing'"));
    }

    @Test
    void anObjectThatGoesIsNotReady() {
        assertThat(verdict(object(
                        Map.of("deletionTimestamp", "now", "annotations", Map.of(MetadataKeys.READY_WHEN, "true")))))
                .startsWith("Terminating");
    }

    @Test
    void nothingIsSaidWithoutTheAnnotation() {
        assertThat(ReadyWhen.evaluate(object(Map.of()), Instant.EPOCH)).isEmpty();
    }
}
