package dev.sro.core.client.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sro.core.apply.WriteException;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which answers of an API server are whose fault. */
class ErrorsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "500 | failed to create typed patch object (kmod/a; apps/v1, Kind=DaemonSet): .spec: expected map, got"
                        + " &{x} | INVALID",
                "500 | failed to convert new object (kmod/a; v1, Kind=Pod) to proper version: strict decoding | INVALID",
                "500 | failed to create typed patch object: .spec.a: field not declared in schema | UNDECLARED",
                "500 | etcdserver: leader changed | UNAVAILABLE",
                "503 | apiserver is shutting down | UNAVAILABLE",
                "422 | DaemonSet is invalid | INVALID",
                "403 | forbidden | FORBIDDEN",
            })
    void aRefusalForEverIsNoOutage(int code, String message, WriteException.Kind kind) {
        KubernetesClientException answer = new KubernetesClientException(
                message,
                code,
                new StatusBuilder().withCode(code).withMessage(message).build());

        assertThat(catchThrowableOfType(
                                WriteException.class,
                                () -> Errors.translate(() -> {
                                    throw answer;
                                }))
                        .kind())
                .isEqualTo(kind);
    }
}
