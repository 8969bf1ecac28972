package dev.sro.core.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Outcome;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.SignPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BuildStepsTest {

    private static BuildSteps of(BuildPlan plan, ClusterFacts cluster, BuildInputs inputs) {
        return BuildSteps.of(
                Builds.target(cluster),
                Builds.request(Optional.of(plan), Optional.empty()),
                inputs,
                BuildSettings.DEFAULTS);
    }

    private static String code(BuildSteps steps) {
        return steps.obstacle().orElseThrow() instanceof Outcome.Failed failed
                ? failed.problem().code()
                : "none";
    }

    @Test
    void takesWhatTheClusterHasInThisOrder() {
        ClusterFacts all = ClusterFacts.builder()
                .addServedKinds("build.openshift.io/v1/BuildConfig", "shipwright.io/v1beta1/BuildRun")
                .build();
        BuildPlan plan = Builds.plan().build();
        assertThat(List.of(all, Builds.OPENSHIFT, Builds.SHIPWRIGHT, Builds.KUBERNETES).stream()
                        .map(cluster -> Builds.step(plan, cluster).method()))
                .containsExactly(
                        BuildPlan.Method.BUILD_CONFIG,
                        BuildPlan.Method.BUILD_CONFIG,
                        BuildPlan.Method.SHIPWRIGHT,
                        BuildPlan.Method.JOB);
        BuildPlan job = Builds.plan().method(BuildPlan.Method.JOB).build();
        assertThat(Builds.step(job, Builds.OPENSHIFT).method()).isEqualTo(BuildPlan.Method.JOB);
    }

    @Test
    void forcesTheArgumentsOfKernelModuleManagement() {
        BuildPlan plan = Builds.plan()
                .putArguments("KERNEL_VERSION", "mine")
                .putArguments("OTHER", "x")
                .build();
        assertThat(Builds.step(plan, Builds.KUBERNETES).plan().arguments())
                .containsEntry("KERNEL_VERSION", Builds.KERNEL)
                .containsEntry("KERNEL_FULL_VERSION", Builds.KERNEL)
                .containsEntry("MOD_NAME", "acme")
                .containsEntry("MOD_NAMESPACE", "acme-ns")
                .containsEntry("OTHER", "x")
                .containsEntry("BASE_IMAGE", "quay.io/acme/kernel-devel@sha256:" + "a".repeat(64));
    }

    @Test
    void givesTheDriverToolkitByItsDigest() {
        BuildPlan plan = BuildPlan.builder()
                .dockerfile("ARG DTK_AUTO\nFROM $DTK_AUTO")
                .driverToolkit(true)
                .pushTo("r.example.com/a:b")
                .build();
        assertThat(Builds.step(plan, Builds.OPENSHIFT).plan().arguments())
                .containsEntry("DTK_AUTO", "quay.io/acme/kernel-devel@sha256:" + "a".repeat(64))
                .containsKey("BASE_IMAGE");
    }

    @Test
    void takesTheDockerfileOfAConfigMap() {
        BuildPlan plan = BuildPlan.builder()
                .dockerfileConfigMap("files")
                .pushTo("r.example.com/a:b")
                .build();
        BuildInputs there = new BuildInputs(
                Optional.of("FROM x"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of());
        assertThat(of(plan, Builds.KUBERNETES, there).steps().get(0).plan().dockerfile())
                .isEqualTo("FROM x");
        assertThat(code(of(plan, Builds.KUBERNETES, BuildInputs.NONE))).isEqualTo("DockerfileMissing");
    }

    @Test
    void saysWhatIsMissing() {
        BuildPlan secret = Builds.plan().addSecrets("license").build();
        assertThat(code(of(secret, Builds.KUBERNETES, Builds.inputs(Map.of())))).isEqualTo("BuildSecretMissing");
        BuildPlan config = Builds.plan().method(BuildPlan.Method.BUILD_CONFIG).build();
        assertThat(code(of(config, Builds.KUBERNETES, Builds.inputs(Map.of())))).isEqualTo("BuildMethodNotServed");
        SignPlan other = SignPlan.builder()
                .from(Builds.sign())
                .unsignedImage("registry.example.com/other:1")
                .build();
        assertThat(code(sign(Builds.plan().build(), other, BuildSettings.DEFAULTS)))
                .isEqualTo("UnsignedImageMismatch");
        SignPlan nobody = SignPlan.builder()
                .from(Builds.sign())
                .signImage(Optional.empty())
                .build();
        assertThat(code(sign(Builds.plan().build(), nobody, BuildSettings.DEFAULTS)))
                .isEqualTo("SignImageMissing");
        BuildSettings settings =
                BuildSettings.builder().signImage("quay.io/acme/signer:2").build();
        assertThat(sign(Builds.plan().build(), nobody, settings)
                        .steps()
                        .get(1)
                        .plan()
                        .arguments())
                .containsEntry("SIGN_IMAGE", "quay.io/acme/signer:2");
    }

    @Test
    void signsWhatIsThereByItsDigest() {
        BuildInputs inputs = new BuildInputs(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of("sha256:1"),
                Optional.empty(),
                Map.of("signing-key", "1", "signing-cert", "1"));
        BuildSteps steps = BuildSteps.of(
                Builds.target(Builds.KUBERNETES),
                Builds.request(Optional.empty(), Optional.of(Builds.sign())),
                inputs,
                BuildSettings.DEFAULTS);
        assertThat(steps.steps())
                .singleElement()
                .satisfies(step -> assertThat(step.plan().arguments())
                        .containsEntry("UNSIGNED_IMAGE", "registry.example.com/acme/driver@sha256:1"));
    }

    private static BuildSteps sign(BuildPlan plan, SignPlan sign, BuildSettings settings) {
        return BuildSteps.of(
                Builds.target(Builds.KUBERNETES),
                Builds.request(Optional.of(plan), Optional.of(sign)),
                Builds.inputs(Map.of("signing-key", "1", "signing-cert", "1")),
                settings);
    }
}
