package dev.sro.core.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.BuildTrigger;
import dev.sro.api.driver.RegistrySecurity;
import dev.sro.core.driver.BuildRequest;
import dev.sro.core.model.ImageMirrors;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BuildHashTest {

    private static final String DIGEST = "quay.io/acme/kernel-devel@sha256:";

    private static BuildPlan.Builder base() {
        return Builds.plan()
                .gitUri("https://git.example.com/a.git")
                .gitReference("main")
                .putArguments("A", "1")
                .addSecrets("one");
    }

    private static String hash(BuildPlan plan, String kernel, String baseDigest, String secret, ClusterFacts cluster) {
        BuildTarget target = new BuildTarget("acme", "ns", Builds.pool(kernel), cluster, ImageMirrors.NONE);
        BuildRequest request = Builds.request(Optional.of(plan), Optional.empty());
        BuildInputs inputs = new BuildInputs(
                Optional.empty(),
                Optional.of(DIGEST + baseDigest.repeat(64)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of("one", secret, "other", "x"));
        return BuildSteps.of(target, request, inputs, BuildSettings.DEFAULTS)
                .steps()
                .get(0)
                .hash();
    }

    private static String hash(BuildPlan plan) {
        return hash(plan, Builds.KERNEL, "a", "v1", Builds.KUBERNETES);
    }

    private static Stream<Arguments> changes() {
        Map<String, Supplier<String>> rebuild = new LinkedHashMap<>();
        rebuild.put("Dockerfile", () -> hash(base().dockerfile("FROM scratch").build()));
        rebuild.put(
                "value of an argument", () -> hash(base().putArguments("B", "2").build()));
        rebuild.put(
                "repository",
                () -> hash(base().gitUri("https://git.example.com/b.git").build()));
        rebuild.put("reference", () -> hash(base().gitReference("v2").build()));
        rebuild.put("directory", () -> hash(base().gitDirectory("sub").build()));
        rebuild.put(
                "name of the image",
                () -> hash(base().pushTo("r.example.com/a:v2").build()));
        rebuild.put("kernel", () -> hash(base().build(), "5.14.0-571.el9.x86_64", "a", "v1", Builds.KUBERNETES));
        rebuild.put(
                "digest of the base image", () -> hash(base().build(), Builds.KERNEL, "b", "v1", Builds.KUBERNETES));
        rebuild.put("content of a Secret", () -> hash(base().build(), Builds.KERNEL, "a", "v2", Builds.KUBERNETES));
        rebuild.put("method", () -> hash(base().build(), Builds.KERNEL, "a", "v1", Builds.OPENSHIFT));
        Map<String, Supplier<String>> keep = new LinkedHashMap<>();
        keep.put("nothing", () -> hash(base().build()));
        keep.put("push secret", () -> hash(base().pushSecret("push").build()));
        keep.put("pull secret", () -> hash(base().addPullSecrets("pull").build()));
        keep.put("secret of the repository", () -> hash(base().gitSecret("git").build()));
        keep.put("time limit", () -> hash(base().timeout(Duration.ofHours(2)).build()));
        keep.put("nodes", () -> hash(base().putNodeSelector("a", "b").build()));
        keep.put("limits", () -> hash(base().putLimits("memory", "1Gi").build()));
        keep.put("TLS", () -> hash(base().pushSecurity(RegistrySecurity.PLAIN).build()));
        keep.put("tag of the builder", () -> hash(base().builderTag("v9").build()));
        keep.put(
                "webhooks",
                () -> hash(base().addTriggers(new BuildTrigger(BuildTrigger.Type.GITHUB, "x"))
                        .build()));
        keep.put(
                "that the method is said",
                () -> hash(base().method(BuildPlan.Method.JOB).build()));
        return Stream.of(Map.entry(true, rebuild), Map.entry(false, keep))
                .flatMap(group -> group.getValue().entrySet().stream()
                        .map(change -> Arguments.of(change.getKey(), group.getKey(), change.getValue())));
    }

    @ParameterizedTest(name = "{0}: builds again {1}")
    @MethodSource("changes")
    void buildsAgainWhenAnInputChangesAndOnlyThen(String what, boolean again, Supplier<String> changed) {
        assertThat(!changed.get().equals(hash(base().build()))).as(what).isEqualTo(again);
    }

    @Test
    void signsAgainWhenTheUnsignedImageIsBuiltAgain() {
        assertThat(signHash("FROM a")).isNotEqualTo(signHash("FROM b")).isEqualTo(signHash("FROM a"));
    }

    private static String signHash(String dockerfile) {
        BuildPlan plan = Builds.plan().dockerfile(dockerfile).build();
        BuildRequest request = Builds.request(Optional.of(plan), Optional.of(Builds.sign()));
        List<BuildStep> steps = BuildSteps.of(
                        Builds.target(Builds.KUBERNETES),
                        request,
                        Builds.inputs(Map.of("signing-key", "1", "signing-cert", "1")),
                        BuildSettings.DEFAULTS)
                .steps();
        return steps.get(1).hash();
    }
}
