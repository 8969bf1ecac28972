package dev.sro.core.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.SignPlan;
import dev.sro.core.driver.BuildRequest;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BuildSettingsTest {

    private static final BuildSettings SET = BuildSettings.builder()
            .method(BuildPlan.Method.JOB)
            .pushSecret("common")
            .build();

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        nothing said              | ANY          | -   | registry.example.com/acme/driver:v1 | JOB          | common
        all said                  | BUILD_CONFIG | own | registry.example.com/acme/driver:v1 | BUILD_CONFIG | own
        the cluster's own registry | ANY         | -   | image-registry.openshift-image-registry.svc:5000/acme/driver:v1 | JOB | -
        """)
    void sayWhatPlansDoNot(
            String id, BuildPlan.Method method, String secret, String image, BuildPlan.Method used, String login) {
        BuildPlan plan = Builds.plan()
                .method(method)
                .pushTo(image)
                .pushSecret(Optional.ofNullable(secret))
                .build();
        BuildRequest completed = SET.completed(Builds.request(Optional.of(plan), Optional.empty()));
        assertThat(completed.build()).as(id).hasValueSatisfying(build -> {
            assertThat(build.method()).isEqualTo(used);
            assertThat(build.pushSecret()).isEqualTo(Optional.ofNullable(login));
        });
    }

    @Test
    void whatIsOnlySignedIsPushedAndMadeByThem() {
        BuildRequest completed = SET.completed(Builds.request(Optional.empty(), Optional.of(Builds.sign())));
        assertThat(completed.sign().flatMap(SignPlan::pushSecret)).contains("common");
        BuildSteps steps = BuildSteps.of(
                Builds.target(Builds.OPENSHIFT),
                completed,
                Builds.inputs(Map.of("signing-key", "1", "signing-cert", "1")),
                SET);
        assertThat(steps.steps()).extracting(BuildStep::method).containsExactly(BuildPlan.Method.JOB);
    }

    @Test
    void aMethodThatTheClusterDoesNotServeIsRefused() {
        BuildSettings settings =
                BuildSettings.builder().method(BuildPlan.Method.SHIPWRIGHT).build();
        BuildRequest request =
                settings.completed(Builds.request(Optional.of(Builds.plan().build()), Optional.empty()));
        assertThat(BuildSteps.of(Builds.target(Builds.OPENSHIFT), request, Builds.inputs(Map.of()), settings)
                        .obstacle())
                .hasValueSatisfying(
                        obstacle -> assertThat(obstacle.toString()).contains("BuildMethodNotServed", "shipwright.io"));
    }
}
