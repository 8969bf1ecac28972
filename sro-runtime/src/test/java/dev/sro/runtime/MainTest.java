package dev.sro.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {

    @Test
    void listsItsCommands() {
        Cli help = Cli.run("help");

        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("Usage: sro", "plan", "demo", "dev", "Not in this installation");
        assertThat(Cli.run("help", "plan").out()).contains("--nodes", "Exit codes");
    }

    /** As in the container image: their jar is not on the class path of these tests. */
    @ParameterizedTest
    @CsvSource({
        "demo, demo --plain --speed 0",
        "dev, dev -f special-resource.yaml --until-ready",
        "dev, dev",
        "new, new acme-plugin --vendor Acme",
        "install-artifacts, install-artifacts"
    })
    void saysWhereTheCommandsOfAnotherJarAre(String name, String command) {
        Cli absent = Cli.run(command.split(" "));

        assertThat(absent.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(absent.out()).isEmpty();
        assertThat(absent.err())
                .isEqualToIgnoringNewLines(
                        "sro: %1$s: is not in this installation, as in the container image; run sro".formatted(name)
                                + " %1$s of a release's archive, or ./sro %1$s in the repository".formatted(name));
        assertThat(Cli.run(name, "--help").out())
                .startsWith("Usage: sro " + name)
                .contains("container image");
    }

    @Test
    void completesItsCommandsInAShell() {
        assertThat(Cli.run("generate-completion").out())
                .contains("complete -F _complete_sro", "must-gather", "--image-exists");
    }

    @Test
    void saysItsVersion() {
        assertThat(Cli.run("--version").out()).startsWith("sro " + SroVersion.current());
        assertThat(SroVersion.current()).matches("\\d+\\.\\d+\\.\\d+.*");
    }

    @Test
    void printsTheDefinitionsOfItsKinds() {
        assertThat(Cli.run("crd").out())
                .contains("kind: CustomResourceDefinition", "name: specialresources.sro.openshift.io")
                .contains("name: preflightvalidations.sro.openshift.io");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThat(Cli.run().code()).isEqualTo(2);
        Cli unknown = Cli.run("dance");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("dance");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../sro", "src/main/launcher/sro"})
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a shell script")
    void launcherAsksForAJavaThatIsNotThere(String launcher) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(Path.of(launcher).toString(), "help").redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", "/nonexistent");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(said).contains("no Java found", "17 or newer");
    }
}
