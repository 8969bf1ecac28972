package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.runtime.Cli;
import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class OperatorCommandTest {
    @TempDir
    private Path folder;

    @AfterEach
    void giveLogBack() {
        HttpCluster.giveLogBack();
    }

    @ParameterizedTest
    @CsvSource({
        "--bind-address, 8080, is not HOST:PORT",
        "--bind-address, host:99999, is not HOST:PORT",
        "--webhook-address, 9443, is not HOST:PORT",
        "--workers, 0, must be at least 1",
        "--request-burst, 0, must be at least 1",
        "--requests-per-second, 0, must be more than 0",
        "--log-level, loud, 'is none of error, warn, info'",
        "--lease-duration, 5, longer than the renew deadline",
        "--retry-period, 10, longer than the retry period",
        "--plugin-deadline, 0, must be at least 1",
        "--runtime-image, busybox, must be an image with a tag or digest",
        "--kubeconfig, /none, there is no such file",
    })
    void refusesWhatCannotBe(String option, String value, String why) {
        Cli cli = Cli.run("operator", "--plugins", Cli.plugins(folder).toString(), option, value);

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).startsWith("sro: --").contains(why);
    }

    @Test
    void refusesAContextThatIsNotThere() throws IOException {
        Path kubeconfig = Files.writeString(folder.resolve("config"), """
            apiVersion: v1
            kind: Config
            current-context: here
            contexts: [{name: here, context: {cluster: c, user: u}}]
            clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
            users: [{name: u, user: {token: t}}]
            """);
        Cli cli = Cli.run(
                "operator",
                "--plugins",
                Cli.plugins(folder).toString(),
                "--kubeconfig",
                kubeconfig.toString(),
                "--context",
                "there");

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).isEqualTo("sro: --context there: the kubeconfig has no such context\n");
    }

    @ParameterizedTest
    @CsvSource({"'',", "--runtime-image=registry.example/shell:1,registry.example/shell:1", "--runtime-image=,"})
    void filesForContainerRuntimesArePlacedByTheImageThatIsNamed(String option, @Nullable String image) {
        OperatorCommand operator = new OperatorCommand();
        CommandLine command = new CommandLine(operator).setCaseInsensitiveEnumValuesAllowed(true);

        command.parseArgs(option.isEmpty() ? new String[0] : new String[] {option});

        assertThat(operator.settings().runtimeImage()).isEqualTo(Optional.ofNullable(image));
    }

    @Test
    void saysItsOptionsAndExitCodes() {
        assertThat(Cli.run("operator", "--help").out())
                .contains("--[no-]leader-elect", "--log-level-file", "SRO_LEASE_NAME", "Exit codes: 0");
    }

    @ParameterizedTest
    @CsvSource({"'',true", "--leader-elect,true", "--no-leader-elect,false", "--leader-elect=false,false"})
    void takesPartInTheElectionUnlessTold(String option, boolean expected) {
        CommandLine command = new CommandLine(new OperatorCommand()).setCaseInsensitiveEnumValuesAllowed(true);

        command.parseArgs(option.isEmpty() ? new String[0] : new String[] {option});

        boolean leaderElect =
                command.getCommandSpec().findOption("--leader-elect").getValue();
        assertThat(leaderElect).isEqualTo(expected);
    }

    @Test
    void imagesOfTheEnvironmentReplaceThoseOfManifestsBeforeMirrorsDo() {
        String digest = "@sha256:" + "1".repeat(64);
        Map<String, String> environment =
                Map.of("RELATED_IMAGE_QUAY_IO_ACME_DRIVER_1_0", "quay.io/acme/driver" + digest);

        assertThat(OperatorCommand.mirrors("quay.io=mirror.example", environment)
                        .of("quay.io/acme/driver:1.0"))
                .isEqualTo("mirror.example/acme/driver" + digest);
        assertThatThrownBy(() -> OperatorCommand.mirrors("", Map.of("RELATED_IMAGE_X", "x")))
                .isInstanceOf(UnusableInputException.class)
                .hasMessageStartingWith("environment: RELATED_IMAGE_X: \"x\" is no image");
    }
}
