package dev.sro.core.runtimehook;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script in a real shell, on a directory that looks like a node. */
class PlaceScriptTest {

    private static final String CDI = "/var/run/cdi/vendor.example-nic.json";
    private static final String HOOK = "/etc/containers/oci/hooks.d/nic.json";
    private static final String RECORD = "/var/lib/sro/runtime/nic";

    @TempDir
    Path root;

    private record Result(int code, String out) {}

    private Path files(String name, Map<String, String> contentByPath) throws IOException {
        Path directory = Files.createDirectories(root.resolve(name));
        Files.writeString(directory.resolve("place.sh"), PlacerObjects.script());
        StringBuilder targets = new StringBuilder();
        int number = 0;
        for (Map.Entry<String, String> file : new TreeMap<>(contentByPath).entrySet()) {
            Files.writeString(directory.resolve("file-" + number), file.getValue());
            targets.append("file-")
                    .append(number++)
                    .append(' ')
                    .append(file.getKey())
                    .append('\n');
        }
        Files.writeString(directory.resolve("targets"), targets);
        return directory;
    }

    private Process start(Path files, String owner, String task) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder("/bin/sh", files.resolve("place.sh").toString(), task);
        Path out = root.resolve("out-" + owner + "-" + task);
        builder.environment()
                .putAll(Map.of(
                        "SRO_HOST",
                        root.resolve("host").toString(),
                        "SRO_FILES",
                        files.toString(),
                        "SRO_NAME",
                        "nic",
                        "SRO_OWNER",
                        owner,
                        "SRO_HANDOVER",
                        "2",
                        "SRO_EVERY",
                        "1"));
        return builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
    }

    private Result run(Path files, String owner, String task) throws Exception {
        Process process = start(files, owner, task);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Result(process.exitValue(), Files.readString(root.resolve("out-" + owner + "-" + task)));
    }

    private Path host(String path) {
        return root.resolve("host" + path);
    }

    private List<String> onHost() throws IOException {
        try (Stream<Path> all = Files.walk(root.resolve("host"))) {
            return new ArrayList<>(all.filter(Files::isRegularFile)
                    .map(file -> "/" + root.resolve("host").relativize(file))
                    .sorted()
                    .toList());
        }
    }

    private void until(String what, java.util.concurrent.Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.call()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    @Test
    void placesAgainAndAgainAndRemovesExactlyWhatItPlaced() throws Exception {
        Path files = files("a", Map.of(CDI, "{\"kind\": \"$HOME `id` \\\\ é\"}\n", HOOK, "{}\n"));
        Files.createDirectories(host("/var/run/cdi"));
        Files.writeString(host("/var/run/cdi/other.json"), "theirs");

        assertThat(run(files, "pod-1", "place").code()).isZero();
        assertThat(Files.readString(host(CDI))).isEqualTo("{\"kind\": \"$HOME `id` \\\\ é\"}\n");
        assertThat(run(files, "pod-1", "check").code()).isZero();
        Result again = run(files, "pod-1", "place");
        assertThat(again.code()).isZero();
        assertThat(again.out()).as("nothing to do").isEmpty();

        assertThat(run(files, "pod-1", "remove").code()).isZero();
        assertThat(onHost()).containsExactly("/var/run/cdi/other.json");
    }

    @Test
    void leavesForeignFilesAloneAndSaysSo() throws Exception {
        Path files = files("a", Map.of(CDI, "ours\n", HOOK, "{}\n"));
        Files.createDirectories(host("/var/run/cdi"));
        Files.writeString(host(CDI), "theirs");

        Result refused = run(files, "pod-1", "place");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out())
                .isEqualTo(CDI + " is on the node and was not put there by SRO for nic; move it away\n");
        assertThat(onHost()).containsExactly(CDI);
        assertThat(Files.readString(host(CDI))).isEqualTo("theirs");
    }

    @Test
    void theNextVariantReplacesTheOneBefore() throws Exception {
        Path before = files("a", Map.of(CDI, "one\n", HOOK, "{}\n"));
        Path after = files("b", Map.of(CDI, "two\n"));
        run(before, "pod-1", "place");

        assertThat(run(after, "pod-2", "place").out()).isEqualTo("placed " + CDI + "\nremoved " + HOOK + "\n");
        assertThat(onHost()).containsExactly(RECORD, CDI);
        assertThat(Files.readString(host(RECORD))).isEqualTo("pod-2\n" + CDI + "\n");

        assertThat(run(before, "pod-1", "check").out()).contains("another pod has placed the files of nic");
        run(before, "pod-1", "remove");
        assertThat(Files.readString(host(CDI))).as("not its own any more").isEqualTo("two\n");
    }

    @Test
    void aPodThatStopsAloneTakesItsFilesAlong() throws Exception {
        Path files = files("a", Map.of(CDI, "one\n"));
        Process pod = start(files, "pod-1", "run");
        until("placed", () -> run(files, "pod-1", "check").code() == 0);
        // Somebody changes it, and it is put right.
        Files.writeString(host(CDI), "changed");
        until("mended", () -> Files.readString(host(CDI)).equals("one\n"));

        pod.destroy();

        assertThat(pod.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(pod.exitValue()).isZero();
        assertThat(onHost()).isEmpty();
    }

    @Test
    void filesStayWhileOnePodFollowsAnother() throws Exception {
        Path files = files("a", Map.of(CDI, "one\n"));
        Process first = start(files, "pod-1", "run");
        until("placed", () -> run(files, "pod-1", "check").code() == 0);
        first.destroy();
        Process second = start(files, "pod-2", "run");

        assertThat(first.waitFor(30, TimeUnit.SECONDS)).isTrue();
        until("taken over", () -> run(files, "pod-2", "check").code() == 0);
        assertThat(onHost()).containsExactly(RECORD, CDI);

        second.destroy();
        assertThat(second.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(onHost()).isEmpty();
    }

    @Test
    void whatWasKilledInBetweenIsStillKnown() throws Exception {
        Path files = files("a", Map.of(CDI, "one\n"));
        // As after a kill between the record and the first file.
        Files.createDirectories(host("/var/lib/sro/runtime"));
        Files.writeString(host(RECORD), "pod-0\n" + HOOK + "\n" + CDI + "\n");

        assertThat(run(files, "pod-1", "place").code()).isZero();
        assertThat(onHost()).containsExactly(RECORD, CDI);
    }
}
