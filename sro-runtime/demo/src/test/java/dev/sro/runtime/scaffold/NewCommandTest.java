package dev.sro.runtime.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import dev.sro.runtime.SroVersion;
import dev.sro.runtime.VendorJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That the project builds, and gets Ready by its own tests, is seen by .ci/outside.sh. */
class NewCommandTest {

    private static final Pattern LEFT =
            Pattern.compile("__|\\$\\{(groupId|artifactId|version|package|vendor|plugin|pci|resource|sroVersion)}");

    @TempDir
    private Path folder;

    private Cli create(String... more) {
        List<String> args = Stream.concat(
                        Stream.of("new", folder.resolve("nova-plugin").toString()), Stream.of(more))
                .toList();
        return Cli.run(args.toArray(String[]::new));
    }

    @Test
    void putsTheNamesIntoAllFiles() throws IOException {
        Cli cli = create("--vendor", "Nova", "--pci", "10ff", "--resource", "nova.example/card");

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        Path project = folder.resolve("nova-plugin");
        try (Stream<Path> found = Files.walk(project)) {
            List<Path> files = found.filter(Files::isRegularFile).toList();
            assertThat(files)
                    .hasSize(14)
                    .allSatisfy(file ->
                            assertThat(file + "\n" + Files.readString(file)).doesNotContainPattern(LEFT));
        }
        assertThat(Files.readString(project.resolve("pom.xml")))
                .contains("<artifactId>nova-plugin</artifactId>", "<groupId>com.nova</groupId>", "<Plugin-Id>nova<")
                .contains("<version>" + SroVersion.current() + "</version>");
        assertThat(Files.readString(project.resolve("src/main/resources/com/nova/sro/driver.yaml")))
                .as("what SRO replaces is left to it")
                .contains("${driverImage}", "${name}-driver");
    }

    /** Driver with build, validation, device plugin, monitoring, a setting. */
    @Test
    void thePluginHasLessThanAHundredLines() throws IOException {
        create("--vendor", "Nova", "--pci", "10ff", "--resource", "nova.example/card");

        assertThat(folder.resolve("nova-plugin/src/main/java/com/nova/sro/NovaPlugin.java"))
                .content()
                .satisfies(text -> assertThat(text.lines().count()).isLessThan(100));
    }

    @Test
    void thePluginIsTakenAndItsPlanIsWhole() throws IOException {
        create("--vendor", "Nova", "--pci", "10ff", "--resource", "nova.example/card");
        Path project = folder.resolve("nova-plugin");
        Path plugins = Files.createDirectory(folder.resolve("plugins"));
        Path source = project.resolve("src/main/java/com/nova/sro/NovaPlugin.java");
        // Its processor is not here, and the jar names the class without it.
        Files.writeString(source, Files.readString(source).replaceAll("(?m)^.*AutoService.*$", ""));
        VendorJar.write(plugins, "nova", project.resolve("src/main"), "com.nova.sro.NovaPlugin");

        Cli cli = Cli.run(
                "plan",
                "-f",
                project.resolve("deploy/special-resource.yaml").toString(),
                "--nodes",
                project.resolve("deploy/nodes.yaml").toString(),
                "--plugins",
                plugins.toString(),
                "--assume-built");

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        assertThat(cli.out())
                .contains("serves 2 of 2 nodes in 2 pools")
                .containsSubsequence(
                        "+ DaemonSet nova/nova-driver-",
                        "+ DaemonSet nova/nova-validation-",
                        "+ DaemonSet nova/nova-device-plugin",
                        "+ Service nova/nova-exporter");
    }

    @Test
    void writesOverNothing() throws IOException {
        create();
        Files.writeString(folder.resolve("nova-plugin/pom.xml"), "mine");

        Cli cli = create();

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).contains("is not empty; name a new folder");
        assertThat(Files.readString(folder.resolve("nova-plugin/pom.xml"))).isEqualTo("mine");
    }

    @ParameterizedTest
    @CsvSource({
        "--vendor, acme, vendor acme: must match",
        "--pci, 0x1bcd, pci 0x1bcd: must match",
        "--resource, card, resource card: must match",
    })
    void refusesWhatNoProjectCanBeMadeOf(String option, String value, String message) {
        Cli cli = create(option, value);

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).contains(message);
        assertThat(folder.resolve("nova-plugin")).doesNotExist();
    }
}
