package dev.sro.runtime.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** The Java and the few files of a system that {@code image/base.sh} puts under the image. */
@Tag("image")
class ImageJavaTest {

    private static final Path SCRIPT = Path.of("image", "base.sh");

    /** What is named in the class path and not reached: beans, pictures, databases, and the compiler's side of PF4J. */
    private static final Set<String> LEFT_OUT = Set.of("java.compiler", "java.desktop", "java.sql");

    /** What no class names: found by name, or what libraries look for. */
    private static final Set<String> BY_NAME = Set.of(
            "jdk.crypto.ec", "jdk.naming.dns", "jdk.net", "jdk.zipfs", "java.logging", "java.management", "java.xml");

    @TempDir
    private static Path folder = Path.of("");

    private static ImageTar image;

    @BeforeAll
    static void unpack() throws Exception {
        image = ImageTar.unpack(folder);
    }

    @Test
    void hasTheModulesOfTheClassPathAndNoOthers() throws IOException {
        String libraries = image.files("opt/sro/libs").stream()
                .map(name -> image.root().resolve("opt/sro/libs/" + name).toString())
                .collect(Collectors.joining(File.pathSeparator));
        String own = image.root()
                .resolve("opt/sro/classpath/" + image.files("opt/sro/classpath").get(0))
                .toString();
        StringWriter said = new StringWriter();
        int code = ToolProvider.findFirst("jdeps")
                .orElseThrow()
                .run(
                        new PrintWriter(said),
                        new PrintWriter(said),
                        "--multi-release",
                        "17",
                        "--ignore-missing-deps",
                        "--print-module-deps",
                        "-cp",
                        libraries,
                        own);
        assertThat(code).as(said.toString()).isZero();
        Set<String> named = new TreeSet<>(List.of(said.toString().strip().split(",")));
        assertThat(named).containsAll(LEFT_OUT);
        named.removeAll(LEFT_OUT);
        named.addAll(BY_NAME);

        Matcher list = Pattern.compile("(?m)^modules=(\\S+)$").matcher(Files.readString(SCRIPT));
        assertThat(list.find()).isTrue();
        assertThat(Set.of(list.group(1).split(","))).containsExactlyInAnyOrderElementsOf(named);
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "SRO_IMAGE_BASE", matches = ".+", disabledReason = "no base with a Java here")
    void trustsWhatTheJdkTrustsAndNothingOfTheMachine() throws Exception {
        String inside = keytool("/opt/java/lib/security/cacerts");
        Path local = Path.of("/usr/local/share/ca-certificates");

        assertThat(inside).contains("trustedCertEntry");
        if (Files.isDirectory(local)) {
            try (var files = Files.list(local)) {
                for (Path file :
                        files.filter(f -> f.toString().endsWith(".crt")).toList()) {
                    assertThat(inside).doesNotContain(fingerprint(file));
                }
            }
        }
    }

    private static String keytool(String store) throws IOException, InterruptedException {
        List<String> command = image.inside(folder);
        command.addAll(List.of("keytool", "-list", "-keystore", store, "-storepass", "changeit"));
        return output(command);
    }

    /** As keytool prints it. */
    private static String fingerprint(Path certificate) throws IOException, InterruptedException {
        String said = output(List.of("keytool", "-printcert", "-file", certificate.toString()));
        Matcher found = Pattern.compile("SHA256: ([0-9A-F:]+)").matcher(said);
        assertThat(found.find()).as(said).isTrue();
        return found.group(1);
    }

    private static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    @Test
    @EnabledIfEnvironmentVariable(named = "SRO_IMAGE_BASE", matches = ".+", disabledReason = "no base with a Java here")
    void hasNoShellAndNoFileThatMakesSomebodyRoot() {
        assertThat(image.entries())
                .noneMatch(entry -> entry.matches("\\S*[sS]\\S* .*") && !entry.startsWith("d"))
                .noneMatch(entry -> entry.matches(".*/(sh|bash|dash|busybox|apt|dpkg)"));
    }
}
