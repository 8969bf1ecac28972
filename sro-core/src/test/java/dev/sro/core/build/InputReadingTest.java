package dev.sro.core.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.Outcome;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.SignPlan;
import dev.sro.core.build.BuildSources.Absent;
import dev.sro.core.build.BuildSources.Answer;
import dev.sro.core.build.BuildSources.Available;
import dev.sro.core.build.BuildSources.Pending;
import dev.sro.core.build.BuildSources.Unreadable;
import dev.sro.core.image.ToolkitRelease;
import dev.sro.core.model.ImageMirrors;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InputReadingTest {

    private static final String DIGEST = "sha256:" + "d".repeat(64);

    /** Answers the same to all questions. */
    private record Same(Answer answer, List<Toolkits.ToolkitImage> known) implements BuildSources {
        @Override
        public Answer dockerfile(String namespace, String configMap) {
            return answer;
        }

        @Override
        public Answer secret(String namespace, String name) {
            return answer;
        }

        @Override
        public List<Toolkits.ToolkitImage> toolkits(String architecture) {
            return known;
        }
    }

    private final List<String> asked = new ArrayList<>();

    private BuildInputs read(
            Optional<BuildPlan> build,
            Optional<SignPlan> sign,
            ClusterFacts cluster,
            BuildSources sources,
            Answer digest) {
        BuildTarget target = new BuildTarget(
                "acme",
                "acme-ns",
                Builds.pool(Builds.KERNEL),
                cluster,
                ImageMirrors.parse("quay.io/acme=mirror.example.com/acme"));
        return InputReading.read(
                target,
                Builds.request(build, sign),
                sources,
                question -> {
                    asked.add(question.image());
                    return digest;
                },
                Instant.EPOCH);
    }

    private static String word(BuildInputs inputs) {
        Outcome outcome = inputs.obstacle().orElse(Outcome.ready());
        return outcome instanceof Outcome.Waiting waiting
                ? waiting.reason()
                : outcome instanceof Outcome.Failed failed ? failed.problem().code() : "none";
    }

    @Test
    void readsTheBaseImageFromItsMirrorByDigest() {
        BuildInputs inputs = read(
                Optional.of(Builds.plan().build()),
                Optional.empty(),
                Builds.KUBERNETES,
                BuildSources.NONE,
                new Available(DIGEST));
        assertThat(inputs.baseImage()).contains("mirror.example.com/acme/kernel-devel@" + DIGEST);
        assertThat(asked).containsExactly("mirror.example.com/acme/kernel-devel:9");
        assertThat(word(inputs)).isEqualTo("none");
    }

    @Test
    void leavesTheBaseImageOfABuildConfigToOpenShift() {
        read(
                Optional.of(Builds.plan().build()),
                Optional.empty(),
                Builds.OPENSHIFT,
                BuildSources.NONE,
                new Available(DIGEST));
        assertThat(asked).isEmpty();
    }

    @Test
    void asksForNoDigestThatIsGiven() {
        read(
                Optional.of(Builds.plan().baseImage("quay.io/a/b@" + DIGEST).build()),
                Optional.empty(),
                Builds.KUBERNETES,
                BuildSources.NONE,
                new Pending());
        assertThat(asked).isEmpty();
    }

    @Test
    void waitsForWhatIsNotKnownYetAndFailsForWhatCannotBeRead() {
        Optional<BuildPlan> plan = Optional.of(Builds.plan().addSecrets("s").build());
        BuildSources there = new Same(new Available("1"), List.of());
        assertThat(word(read(plan, Optional.empty(), Builds.KUBERNETES, there, new Pending())))
                .isEqualTo("BuildInputsPending");
        assertThat(word(read(plan, Optional.empty(), Builds.KUBERNETES, there, new Absent("401"))))
                .isEqualTo("BuildImageNotReadable");
        BuildSources forbidden = new Same(new Unreadable("403"), List.of());
        assertThat(word(read(plan, Optional.empty(), Builds.KUBERNETES, forbidden, new Available(DIGEST))))
                .as("not that it does not exist")
                .isEqualTo("BuildInputNotReadable");
        BuildSources pending = new Same(new Pending(), List.of());
        assertThat(word(read(plan, Optional.empty(), Builds.KUBERNETES, pending, new Available(DIGEST))))
                .isEqualTo("BuildInputsPending");
        assertThat(read(plan, Optional.empty(), Builds.KUBERNETES, there, new Available(DIGEST))
                        .secrets())
                .containsEntry("s", "1");
    }

    @Test
    void takesTheToolkitOfTheKernelToBuildInAndToSignWith() {
        BuildPlan plan = BuildPlan.builder()
                .dockerfileConfigMap("files")
                .driverToolkit(true)
                .pushTo("registry.example.com/acme/driver:v1")
                .build();
        SignPlan sign = SignPlan.builder()
                .from(Builds.sign())
                .signImage(Optional.empty())
                .build();
        Toolkits.ToolkitImage known = new Toolkits.ToolkitImage(
                "419", "quay.io/dtk@" + DIGEST, Optional.of(new ToolkitRelease(Builds.KERNEL, "", "9.4")), "");
        BuildInputs inputs = read(
                Optional.of(plan),
                Optional.of(sign),
                Builds.OPENSHIFT,
                new Same(new Available("FROM x"), List.of(known)),
                new Available(DIGEST));
        assertThat(inputs.baseImage()).contains("quay.io/dtk@" + DIGEST);
        assertThat(inputs.signImage()).contains("quay.io/dtk@" + DIGEST);
        assertThat(inputs.dockerfile()).contains("FROM x");

        BuildInputs none = read(
                Optional.of(plan),
                Optional.empty(),
                Builds.OPENSHIFT,
                new Same(new Available("FROM x"), List.of()),
                new Available(DIGEST));
        assertThat(word(none)).isEqualTo("DriverToolkitMissing");
    }
}
