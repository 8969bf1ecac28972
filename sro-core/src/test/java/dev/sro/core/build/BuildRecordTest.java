package dev.sro.core.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Problem;
import dev.sro.core.build.BuildRecord.Phase;
import dev.sro.core.model.KubeObject;
import dev.sro.core.yaml.Yaml;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BuildRecordTest {

    private static KubeObject object(String apiVersion, String kind, String status) {
        return KubeObject.of(
                Yaml.documents("test", """
                    apiVersion: %s
                    kind: %s
                    metadata:
                      name: acme-build-1
                      namespace: ns
                      uid: u1
                      annotations: {sro.dev/build-inputs: h, sro.dev/build-attempt: "3", sro.dev/pool: a}
                    status: %s
                    """.formatted(apiVersion, kind, status)).get(0));
    }

    private static KubeObject build(int number, String status) {
        return KubeObject.of(
                Yaml.documents("test", """
                    apiVersion: build.openshift.io/v1
                    kind: Build
                    metadata: {name: acme-build-1-%1$d, namespace: ns, annotations: {openshift.io/build.number: "%1$d"}}
                    status: %2$s
                    """.formatted(number, status)).get(0));
    }

    private static BuildRecord of(KubeObject live, KubeObject... builds) {
        return BuildRecord.of(live, List.of(builds)).orElseThrow();
    }

    @Test
    void readsJobs() {
        assertThat(of(object("batch/v1", "Job", "{active: 1}")))
                .returns(Phase.RUNNING, BuildRecord::phase)
                .returns(3, BuildRecord::attempt)
                .returns("a", BuildRecord::pool)
                .returns("h", BuildRecord::hash);
        assertThat(of(object(
                        "batch/v1",
                        "Job",
                        "{conditions: [{type: FailureTarget, status: 'True'}, {type: Failed, status: 'False'}]}")))
                .returns(Phase.RUNNING, BuildRecord::phase);
        assertThat(of(object(
                        "batch/v1",
                        "Job",
                        "{conditions: [{type: Complete, status: 'True', lastTransitionTime:"
                                + " '2026-01-01T00:00:00Z'}]}")))
                .returns(Phase.DONE, BuildRecord::phase)
                .returns(Instant.parse("2026-01-01T00:00:00Z"), BuildRecord::ended);
        BuildRecord late = of(object(
                "batch/v1",
                "Job",
                "{conditions: [{type: Failed, status: 'True', reason: DeadlineExceeded, message: too long}]}"));
        assertThat(late.phase()).isEqualTo(Phase.FAILED);
        assertThat(late.problem("it", "", "soon")).satisfies(problem -> {
            assertThat(problem.code()).isEqualTo("BuildTimedOut");
            assertThat(problem.owner()).isEqualTo(Problem.Owner.PLATFORM);
        });
    }

    @Test
    void readsTheNewestBuildOfABuildConfigWithItsLog() {
        KubeObject config = object("build.openshift.io/v1", "BuildConfig", "{lastVersion: 10}");
        assertThat(of(config).phase()).isEqualTo(Phase.RUNNING);
        BuildRecord record = of(
                config,
                build(10, "{phase: Failed, reason: DockerBuildFailed, message: it broke, logSnippet: \"make: ***\"}"),
                build(9, "{phase: Complete}"));
        assertThat(record.phase()).isEqualTo(Phase.FAILED);
        assertThat(record.problem("it", "", "soon").message()).contains("DockerBuildFailed", "it broke", "make: ***");
        assertThat(record.problem("it", "", "soon").owner()).isEqualTo(Problem.Owner.VENDOR);
        assertThat(of(config, build(1, "{phase: New, reason: InvalidOutputReference, message: no stream}")))
                .returns(Phase.RUNNING, BuildRecord::phase)
                .returns("InvalidOutputReference", BuildRecord::reason);
    }

    @Test
    void readsBuildRuns() {
        String api = "shipwright.io/v1beta1";
        assertThat(of(object(api, "BuildRun", "{conditions: [{type: Succeeded, status: Unknown, reason: Running}]}")))
                .returns(Phase.RUNNING, BuildRecord::phase);
        assertThat(of(object(api, "BuildRun", "{conditions: [{type: Succeeded, status: 'True'}]}")))
                .returns(Phase.DONE, BuildRecord::phase);
        BuildRecord failed = of(object(
                api,
                "BuildRun",
                "{completionTime: '2026-01-01T00:00:00Z', failureDetails: {message: step failed}, conditions:"
                        + " [{type: Succeeded, status: 'False', reason: BuildRunTimeout, message: m}]}"));
        assertThat(failed)
                .returns(Phase.FAILED, BuildRecord::phase)
                .returns("m\nstep failed", BuildRecord::message)
                .returns(Instant.parse("2026-01-01T00:00:00Z"), BuildRecord::ended);
    }

    @Test
    void saysThatTheRegistryRefused() {
        BuildRecord failed = of(object("batch/v1", "Job", "{conditions: [{type: Failed, status: 'True', reason: x}]}"));
        Problem problem = failed.problem("it", "push r.example.com/a: 401 Unauthorized: unauthorized", "soon");
        assertThat(problem.code()).isEqualTo("BuildRegistryRefused");
        assertThat(problem.owner()).isEqualTo(Problem.Owner.PLATFORM);
    }

    @Test
    void readsNothingInOtherObjects() {
        assertThat(BuildRecord.of(object("v1", "ConfigMap", "{}"), List.of())).isEmpty();
        assertThat(BuildRecord.of(
                        KubeObject.of(Yaml.documents("test", "apiVersion: batch/v1\nkind: Job\nmetadata: {name: other}")
                                .get(0)),
                        List.of()))
                .isEqualTo(Optional.empty());
    }
}
