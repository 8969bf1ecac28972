package dev.sro.runtime.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import dev.sro.runtime.Repository;
import dev.sro.runtime.SroVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That projects build with what it installs is seen by .ci/outside.sh. */
class InstallArtifactsCommandTest {

    private static final Path ROOT = Repository.file("");

    @TempDir
    private Path folder;

    private String before = "";

    @BeforeEach
    void remember() {
        before = System.getProperty("sro.home", "");
    }

    @AfterEach
    void restore() {
        if (before.isEmpty()) {
            System.clearProperty("sro.home");
        } else {
            System.setProperty("sro.home", before);
        }
    }

    private Cli install(Path home) {
        System.setProperty("sro.home", home.toString());
        return Cli.run(
                "install-artifacts",
                "--repository",
                folder.resolve("repository").toString());
    }

    private Path home() throws IOException {
        Path home = Files.createDirectories(folder.resolve("home"));
        jar(home.resolve("lib"), "sro-api", "sro-api/pom.xml");
        jar(home.resolve("artifacts"), "sro-josdk", "sro-core/josdk/pom.xml");
        Files.writeString(home.resolve("lib/other-1.jar"), "no jar");
        return home;
    }

    private static void jar(Path folder, String artifact, String pom) throws IOException {
        Path file = Files.createDirectories(folder).resolve(artifact + "-1.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
            jar.putNextEntry(new JarEntry("META-INF/maven/dev.sro/" + artifact + "/pom.xml"));
            jar.write(Files.readAllBytes(ROOT.resolve(pom)));
        }
    }

    @Test
    void putsJarsAndPomsWhereMavenLooks() throws IOException {
        Cli cli = install(home());

        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        assertThat(cli.out()).contains("4 artifacts of dev.sro, version " + SroVersion.current());
        String version = SroVersion.current();
        Path repository = folder.resolve("repository/dev/sro");
        assertThat(repository.resolve("sro-api").resolve(version)).isDirectoryContaining("glob:**/sro-api-*.jar");
        assertThat(repository.resolve("sro-api/%1$s/sro-api-%1$s.pom".formatted(version)))
                .hasSameTextualContentAs(ROOT.resolve("sro-api/pom.xml"));
        assertThat(repository.resolve("sro-josdk").resolve(version))
                .as("nothing of the command line runs it")
                .isDirectoryContaining("glob:**/sro-josdk-*.jar");
        assertThat(repository.resolve("sro/%1$s/sro-%1$s.pom".formatted(version)))
                .as("the parent")
                .hasSameTextualContentAs(ROOT.resolve("pom.xml"));
        assertThat(repository.resolve("sro-bom/%1$s/sro-bom-%1$s.pom".formatted(version)))
                .hasSameTextualContentAs(ROOT.resolve("sro-api/bom/pom.xml"));
    }

    @Test
    void saysWhatCannotBeInstalled() throws IOException {
        assertThat(install(Files.createDirectories(folder.resolve("empty"))).err())
                .contains("has no jars of SRO in lib and plugins");
        Files.writeString(folder.resolve("repository"), "a file");
        Cli cli = install(home());
        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).contains("repository: cannot be written", "--repository");
        System.clearProperty("sro.home");
        assertThat(Cli.run("install-artifacts").err()).contains("runs from the launcher");
    }

    @Test
    void theBomHasEveryArtifactInTheVersionOfTheBuild() throws IOException {
        List<String> modules = found(ROOT.resolve("pom.xml"), "<module>(sro-[^<]+)</module>");
        List<String> artifacts = modules.stream()
                .filter(module -> !module.equals("sro-api/bom") && !module.equals("sro-runtime/release"))
                .map(module -> artifact(ROOT.resolve(module).resolve("pom.xml")))
                .toList();
        Path bom = ROOT.resolve("sro-api/bom/pom.xml");

        assertThat(found(bom, "<artifactId>([^<]+)<").subList(1, artifacts.size() + 1))
                .containsExactlyInAnyOrderElementsOf(artifacts);
        assertThat(found(bom, "<version>([^<]+)</version>\\s+</dependency>"))
                .hasSize(artifacts.size())
                .containsOnly(SroVersion.current());
    }

    private static String artifact(Path pom) {
        try {
            return found(pom, "<artifactId>([^<]+)<").get(1);
        } catch (IOException e) {
            throw new AssertionError(pom.toString(), e);
        }
    }

    private static List<String> found(Path file, String pattern) throws IOException {
        return Pattern.compile(pattern)
                .matcher(Files.readString(file))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }
}
