package dev.sro.core.client.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.probe.PodFacts;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodTroubleTest {

    /** A kubelet writes for some seconds that a pod runs whose only container has ended. */
    @ParameterizedTest
    @CsvSource({"Never, Running, ''", "Never, Failed, ''", "OnFailure, Running, CrashLoopBackOff"})
    void onlyAContainerThatIsStartedAgainIsInALoop(String restartPolicy, String phase, String reason) {
        Pod pod = Serialization.unmarshal("""
            apiVersion: v1
            kind: Pod
            metadata: {name: build, namespace: ns, uid: u}
            spec: {restartPolicy: %s, containers: [{name: build}]}
            status:
              phase: %s
              containerStatuses:
              - name: build
                state:
                  terminated: {exitCode: 1, reason: Error, message: "no such board\\n",
                               startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:00:01Z"}
            """.formatted(restartPolicy, phase), Pod.class);

        PodFacts facts = PodProjector.project(pod);

        assertThat(facts.waitingReason()).isEqualTo(reason);
        assertThat(facts.message()).isEqualTo("container build: no such board (exit code 1)");
    }
}
