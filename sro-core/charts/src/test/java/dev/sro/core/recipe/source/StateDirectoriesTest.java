package dev.sro.core.recipe.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDirectoriesTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

    @TempDir
    Path root;

    private void write(String file) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, "# " + file);
    }

    private StateFileSet found() {
        return ((SourceAnswer.Found<StateFileSet>)
                        new StateDirectories(CLOCK).read(root.toUri().toString()))
                .value();
    }

    @Test
    void takesTheFilesOfADirectory() throws IOException {
        write("0000-a.yaml");
        write("1000-b.yml");
        write("kustomization.yaml");
        write("README.md");
        write(".hidden.yaml");
        write("folder/2000-c.yaml");

        assertThat(found().files().keySet()).containsExactly("0000-a.yaml", "1000-b.yml", "kustomization.yaml");
        assertThat(found().rerendered()).isTrue();
    }

    @Test
    void thePatchMayBeYaml() throws IOException {
        write("manifests/0000-a.yaml");
        Files.createDirectories(root.resolve("config"));
        Files.writeString(root.resolve("config/patch.yaml"), """
            metadata:
              annotations:
                specialresource.openshift.io/nfd: example.com/card
                specialresource.openshift.io/hardware: "card"
            """);

        assertThat(found()).satisfies(files -> {
            assertThat(files.nodeFeature()).isEqualTo("example.com/card");
            assertThat(files.hardware()).isEqualTo("card");
        });
    }

    @Test
    void manifestsInItAreTheRecipeAndItsPatchSaysTheRest() throws IOException {
        write("0000-cr.yaml");
        write("manifests/0000-a.yaml");
        Files.createDirectories(root.resolve("config"));
        Files.writeString(root.resolve("config/patch.json"), """
            {"metadata": {"annotations": {
              "specialresource.openshift.io/nfd": "example.com/card",
              "specialresource.openshift.io/hardware": "card"}}}
            """);

        assertThat(found())
                .satisfies(files -> assertThat(files.files().keySet()).containsExactly("0000-a.yaml"))
                .satisfies(files -> assertThat(files.nodeFeature()).isEqualTo("example.com/card"))
                .satisfies(files -> assertThat(files.hardware()).isEqualTo("card"))
                .satisfies(files -> assertThat(files.rerendered()).isFalse());
    }

    @Test
    void withoutNumbersEachFolderIsAState() throws IOException {
        write("state-monitoring/0100_b.yaml");
        write("state-driver/0100_a.yaml");
        write("state-driver/0200_b.yml");

        assertThat(found().files().keySet())
                .containsExactly("state-driver/0100_a.yaml", "state-driver/0200_b.yml", "state-monitoring/0100_b.yaml");
    }

    @Test
    void isReadAgainAfterAWhile() throws IOException {
        Instant[] now = {CLOCK.instant()};
        StateDirectories directories = new StateDirectories(new Clock() {
            @Override
            public ZoneOffset getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now[0];
            }
        });
        write("0000-a.yaml");
        String url = root.toUri().toString();
        SourceAnswer<StateFileSet> first = directories.read(url);
        write("1000-b.yaml");
        assertThat(directories.read(url)).isSameAs(first);

        now[0] = now[0].plus(Duration.ofSeconds(11));
        SourceAnswer<StateFileSet> second = directories.read(url);
        assertThat(second).isNotEqualTo(first);
        now[0] = now[0].plus(Duration.ofSeconds(11));
        assertThat(directories.read(url)).as("nothing changed").isSameAs(second);
    }

    @Test
    void whatIsNotUtf8IsRefusedByName() throws IOException {
        write("0000-a.yaml");
        Files.write(root.resolve("1000-b.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe9, '\n'});
        assertThat(((SourceAnswer.Failed<?>)
                                new StateDirectories(CLOCK).read(root.toUri().toString()))
                        .problem()
                        .message())
                .contains("1000-b.yaml", "UTF-8");
    }

    @Test
    void saysWhatIsWrong() {
        StateDirectories directories = new StateDirectories(CLOCK);
        assertThat(((SourceAnswer.Failed<?>) directories.read("https://example.com/a")).problem())
                .satisfies(problem -> assertThat(problem.code()).isEqualTo("RecipeNotFound"))
                .satisfies(
                        problem -> assertThat(problem.message()).contains("spec.recipe.directory", "file:///recipes"));
        assertThat(((SourceAnswer.Failed<?>)
                                directories.read(root.resolve("none").toUri().toString()))
                        .problem()
                        .message())
                .contains("there is no directory");
    }
}
