package dev.sro.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/sro} of the archive, with a Java that only writes down how it was called. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a shell script")
class LauncherTest {

    private static final String JAVA = """
        #!/bin/sh
        echo "$@" >> "%1$s/calls"
        for argument in "$@"; do
            case "$argument" in
                -Xshare:dump) dumps=yes ;;
                -XX:SharedArchiveFile=*) file=${argument#*=} ;;
            esac
        done
        if [ "${dumps:-}" = yes ]; then
            [ ! -e "%1$s/broken" ] || exit 1
            echo classes > "$file"
        fi
        """;

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void unpack() throws IOException {
        Path app = Files.createDirectories(folder.resolve("app with blanks"));
        Files.createDirectories(app.resolve("bin"));
        executable(app.resolve("bin/sro"), Files.readString(Path.of("src/main/launcher/sro")));
        Files.writeString(Files.createDirectories(app.resolve("lib")).resolve("a.jar"), "a");
        Files.writeString(app.resolve("classes.lst"), "dev/sro/runtime/Main\n");

        Path java = folder.resolve("java");
        executable(Files.createDirectories(java.resolve("bin")).resolve("java"), JAVA.formatted(folder));
        Files.writeString(java.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        Files.writeString(Files.createDirectories(java.resolve("lib")).resolve("classlist"), "java/lang/Object\n");
    }

    private Path app() {
        return folder.resolve("app with blanks");
    }

    private static void executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private void start(String... environment) throws IOException, InterruptedException {
        start(app().resolve("bin/sro"), environment);
    }

    private void start(Path launcher, String... environment) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(launcher.toString(), "plan", "-f", "a b.yaml")
                .redirectErrorStream(true)
                .directory(folder.toFile());
        builder.environment().put("JAVA_HOME", folder.resolve("java").toString());
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        builder.environment().remove("SRO_NO_CLASS_ARCHIVE");
        for (String variable : environment) {
            builder.environment().put(variable, "1");
        }
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).isEmpty();
    }

    private List<String> calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls"));
    }

    private long dumps() throws IOException {
        return calls().stream().filter(call -> call.contains("-Xshare:dump")).count();
    }

    private List<Path> files(String end) throws IOException {
        try (Stream<Path> files = Files.list(app())) {
            return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
        }
    }

    @Test
    void makesTheClassArchiveAtTheFirstStartAlone() throws Exception {
        start();
        start();

        assertThat(dumps()).isEqualTo(1);
        Path archive = files(".jsa").get(0);
        assertThat(archive.getFileName().toString()).startsWith("classes-25.0.1-");
        assertThat(calls().subList(1, 3))
                .allMatch(call -> call.contains("-XX:SharedArchiveFile=" + archive))
                .allMatch(call -> call.contains("-Dsro.home=" + app()))
                .allMatch(call -> call.endsWith("plan -f a b.yaml"));
        assertThat(files(".lst")).containsExactly(app().resolve("classes.lst"));
    }

    @Test
    void doesNotTryAgainWhatFailed() throws Exception {
        Files.createFile(folder.resolve("broken"));
        start();
        start();

        assertThat(dumps()).isEqualTo(1);
        assertThat(calls().get(2)).doesNotContain("SharedArchiveFile").endsWith("plan -f a b.yaml");
    }

    @Test
    void makesAnotherForOtherJarsAndForAnotherPlace() throws Exception {
        start();
        Files.writeString(app().resolve("lib/a.jar"), "another one");
        start();
        assertThat(dumps()).isEqualTo(2);

        Path moved = Files.move(app(), folder.resolve("moved"));
        start(moved.resolve("bin/sro"));
        assertThat(dumps()).isEqualTo(3);
    }

    @Test
    void startsByALinkAsKrewMakesOne() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("kubectl-sro"), app().resolve("bin/sro"));
        start(link);

        assertThat(calls().get(calls().size() - 1)).contains("-Dsro.home=" + app());
    }

    @Test
    void makesNoneWhereThatIsNotWantedOrThereIsNoList() throws Exception {
        start("SRO_NO_CLASS_ARCHIVE");
        Files.delete(app().resolve("classes.lst"));
        start();

        assertThat(dumps()).isZero();
        assertThat(calls()).noneMatch(call -> call.contains("SharedArchiveFile"));
    }
}
