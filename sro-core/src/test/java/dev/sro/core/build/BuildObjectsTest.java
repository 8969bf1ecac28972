package dev.sro.core.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.ProxySettings;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.BuildTrigger;
import dev.sro.api.driver.RegistrySecurity;
import dev.sro.core.driver.BuildRequest;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.KubeObject;
import dev.sro.core.yaml.YamlWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made, word for word. {@code -Dsro.builds.update=true} writes the files anew. */
class BuildObjectsTest {

    private static final ProxySettings PROXY =
            new ProxySettings("http://proxy.example.com:3128", "", ".cluster.local,10.0.0.0/8", "");

    private static final BuildSettings KANIKO =
            BuildSettings.builder().tool(BuildSettings.Tool.KANIKO).build();

    private static BuildPlan.Builder full() {
        return Builds.plan()
                .gitUri("https://git.example.com/acme/driver")
                .gitReference("v1.2")
                .gitDirectory("kernel")
                .gitSecret("git-login")
                .putArguments("FLAGS", "-O2 -g")
                .addSecrets("license", "repo.credentials")
                .pushSecret("push")
                .addPullSecrets("pull")
                .pushSecurity(RegistrySecurity.PLAIN)
                .baseImageSecurity(RegistrySecurity.UNCHECKED)
                .addTriggers(
                        new BuildTrigger(BuildTrigger.Type.GITHUB, "hook"),
                        new BuildTrigger(BuildTrigger.Type.GITLAB, "hook"),
                        new BuildTrigger(BuildTrigger.Type.GENERIC, "hook"))
                .putNodeSelector("build", "yes")
                .putLimits("memory", "8Gi")
                .timeout(Duration.ofMinutes(20));
    }

    private record Case(
            BuildPlan plan, ClusterFacts cluster, BuildSettings settings, ProxySettings proxy, int attempt) {}

    private static Case of(String file) {
        return switch (file) {
            case "job-buildkit" ->
                new Case(Builds.plan().build(), Builds.KUBERNETES, BuildSettings.DEFAULTS, ProxySettings.NONE, 1);
            case "job-buildkit-full" -> new Case(full().build(), Builds.KUBERNETES, BuildSettings.DEFAULTS, PROXY, 2);
            case "job-kaniko" -> new Case(Builds.plan().build(), Builds.KUBERNETES, KANIKO, ProxySettings.NONE, 1);
            case "job-kaniko-full" -> new Case(full().build(), Builds.KUBERNETES, KANIKO, PROXY, 1);
            case "build-config" ->
                new Case(
                        Builds.plan()
                                .pushTo(StreamTag.OPENSHIFT_REGISTRY + "acme-ns/driver:v1")
                                .build(),
                        Builds.OPENSHIFT,
                        BuildSettings.DEFAULTS,
                        ProxySettings.NONE,
                        1);
            case "build-config-full" -> new Case(full().build(), Builds.OPENSHIFT, BuildSettings.DEFAULTS, PROXY, 1);
            case "shipwright" ->
                new Case(full().build(), Builds.SHIPWRIGHT, BuildSettings.DEFAULTS, ProxySettings.NONE, 1);
            default -> throw new IllegalArgumentException(file);
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "job-buildkit",
                "job-buildkit-full",
                "job-kaniko",
                "job-kaniko-full",
                "build-config",
                "build-config-full",
                "shipwright"
            })
    void makesTheseObjects(String file) throws IOException {
        Case one = of(file);
        BuildStep step = Builds.step(one.plan, one.cluster);
        check(file, BuildObjects.render(step, one.attempt, one.settings, one.proxy));
    }

    @Test
    void signsInABuildOfItsOwn() throws IOException {
        BuildRequest request = Builds.request(Optional.of(Builds.plan().build()), Optional.of(Builds.sign()));
        BuildInputs inputs = Builds.inputs(Map.of("signing-key", "1", "signing-cert", "1"));
        List<BuildStep> steps = BuildSteps.of(Builds.target(Builds.KUBERNETES), request, inputs, BuildSettings.DEFAULTS)
                .steps();

        assertThat(steps).extracting(BuildStep::kind).containsExactly(BuildStep.Kind.BUILD, BuildStep.Kind.SIGN);
        check("sign", BuildObjects.render(steps.get(1), 1, BuildSettings.DEFAULTS, ProxySettings.NONE));
    }

    private static void check(String file, List<KubeObject> objects) throws IOException {
        String text =
                objects.stream().map(object -> YamlWriter.write(object.tree())).collect(Collectors.joining("---\n"));
        String resource = "dev/sro/core/build/" + file + ".yaml";
        if (Boolean.getBoolean("sro.builds.update")) {
            Files.writeString(Path.of("src/test/resources", resource), text);
        }
        try (InputStream golden = BuildObjectsTest.class.getClassLoader().getResourceAsStream(resource)) {
            assertThat(golden)
                    .as(resource + "; write it with -Dsro.builds.update=true")
                    .isNotNull();
            assertThat(text).isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void namesFitWhatBuildersAppend() {
        BuildTarget target = new BuildTarget(
                "a-very-long-name.of-a-special-resource.that-nobody-would-write-by-hand.example.com",
                "ns",
                Builds.pool(Builds.KERNEL),
                Builds.OPENSHIFT,
                ImageMirrors.NONE);
        BuildRequest request = Builds.request(Optional.of(Builds.plan().build()), Optional.empty());
        BuildStep step = BuildSteps.of(target, request, Builds.inputs(Map.of()), BuildSettings.DEFAULTS)
                .steps()
                .get(0);

        assertThat(step.name(1)).hasSizeLessThanOrEqualTo(50).matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
        assertThat(step.name(12)).isEqualTo(step.name(1) + "-12");
        assertThat(step.name(1000) + "-1000-build").hasSizeLessThanOrEqualTo(63);
    }
}
