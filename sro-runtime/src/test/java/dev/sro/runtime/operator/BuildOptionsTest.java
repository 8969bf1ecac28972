package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.driver.BuildPlan;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.build.ImageGarbage;
import dev.sro.runtime.UnusableInputException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class BuildOptionsTest {

    @Command
    private static final class Parsed {
        @Mixin
        private final BuildOptions builds = new BuildOptions();
    }

    private static BuildSettings settings(String... arguments) {
        Parsed parsed = new Parsed();
        new CommandLine(parsed).parseArgs(arguments);
        return parsed.builds.settings();
    }

    @Test
    void withoutAnyTheyAreTheDefaults() {
        assertThat(settings()).isEqualTo(BuildSettings.DEFAULTS);
    }

    @Test
    void sayAllThatAnOperatorCanBeTold() {
        BuildSettings settings = settings(
                "--build-method=Shipwright",
                "--build-tool=kaniko",
                "--builder-image=mirror.example.com/kaniko:v1.24.0",
                "--sign-image=registry.example.com/sign:1",
                "--build-push-secret=login",
                "--builds=4",
                "--builds-per-resource=1",
                "--build-timeout=600",
                "--base-image-check=900",
                "--delete-images=everywhere",
                "--keep-images=2",
                "--keep-images-days=7",
                "--build-limits=memory=8Gi,cpu=4",
                "--build-requests=");
        assertThat(settings.method()).isEqualTo(BuildPlan.Method.SHIPWRIGHT);
        assertThat(settings.tool()).isEqualTo(BuildSettings.Tool.KANIKO);
        assertThat(settings.builderImage()).isEqualTo("mirror.example.com/kaniko:v1.24.0");
        assertThat(settings.signImage()).contains("registry.example.com/sign:1");
        assertThat(settings.pushSecret()).contains("login");
        assertThat(settings.overall()).isEqualTo(4);
        assertThat(settings.perResource()).isEqualTo(1);
        assertThat(settings.timeout()).isEqualTo(Duration.ofMinutes(10));
        assertThat(settings.baseImageCheck()).isEqualTo(Duration.ofMinutes(15));
        assertThat(settings.garbage())
                .isEqualTo(new ImageGarbage.Policy(ImageGarbage.Reach.EVERYWHERE, 2, Duration.ofDays(7)));
        assertThat(settings.limits()).isEqualTo(Map.of("memory", "8Gi", "cpu", "4"));
        assertThat(settings.requests()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "--build-method=podman, is none of auto",
        "--build-tool=podman, is none of buildkit",
        "--builds=0, must be at least 1",
        "--builds-per-resource=0, must be at least 1",
        "--build-timeout=0, must be at least 1",
        "--base-image-check=5, too often for a registry",
        "--delete-images=all, is none of never",
        "--keep-images=-1, must be at least 0",
        "--builder-image=a b, must be an image",
        "--build-push-secret=A_B, BuildSettings.pushSecret",
        "--build-limits=memory, is not NAME=QUANTITY",
        "--build-limits=memory=much, must be a Kubernetes quantity",
        "--build-requests=cpu=some, must be a Kubernetes quantity",
    })
    void refuseWhatCannotBe(String option, String why) {
        assertThatThrownBy(() -> settings(option))
                .isInstanceOf(UnusableInputException.class)
                .hasMessageContaining(why);
    }
}
