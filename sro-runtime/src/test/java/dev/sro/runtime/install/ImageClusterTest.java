package dev.sro.runtime.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.ServiceAccountConfig;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image's files and its entry point on a real API server. Where the test runs as root, the operator runs as the image's user, which
 * can write nowhere but in the folder for temporary files; and, on the base of {@code image/base.sh}, by the image's Java in the image's
 * files, as in a container. Otherwise by the Java that runs the test.
 */
@Tag("image")
@RealControlPlane(needs = {Feature.CONTROLLERS, Feature.SCHEDULER, Feature.NODES})
class ImageClusterTest {
    private static final String NAME = "from-the-image";
    private static final String HOME = "/opt/sro";

    @TempDir
    private Path folder;

    @Test
    void runsWithTheRightsOfTheBaseAndStopsWhenTold(RealCluster cluster) throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        ImageTar image = ImageTar.unpack(folder);
        Path temporary = Files.createDirectories(folder.resolve("tmp"));
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));
        cluster.nodes().create(2, NodeProfile.of(OsRelease.UBUNTU_22));
        KustomizeBase base = new KustomizeBase(cluster);
        base.apply();
        Path kubeconfig = ServiceAccountConfig.write(cluster, KustomizeBase.NAMESPACE, folder.resolve("kubeconfig"));

        try (OperatorProcess operator = OperatorProcess.start(
                command(image, temporary),
                Map.of("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + temporary),
                kubeconfig,
                folder.resolve("operator.log"))) {
            cluster.await("it is ready", Duration.ofMinutes(1), operator::isReady);
            base.applySpecialResource(NAME);
            base.awaitReady(NAME, operator);
            assertThat(operator.log())
                    .contains("Plugin loaded plugin=\"simple-kmod\"")
                    .contains("sha256=\"" + listed(image))
                    .doesNotContain("ERROR", "AccessDenied", "Permission denied", "Read-only");
            base.deleteSpecialResources();

            assertThat(operator.stop()).as("%s", operator.log()).isZero();
            Lease lease = cluster.client()
                    .leases()
                    .inNamespace(KustomizeBase.NAMESPACE)
                    .withName("special-resource-operator")
                    .get();
            assertThat(lease.getSpec().getLeaseDurationSeconds())
                    .as("given back: nobody has to wait for its end")
                    .isEqualTo(1);
        } finally {
            base.delete();
        }
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left).as("temporary files that are left").isEmpty();
        }
    }

    private static String listed(ImageTar image) throws IOException {
        return Files.readString(image.root().resolve("opt/sro/plugins/PLUGINS.sha256"))
                .substring(0, 64);
    }

    /** The image's entry point, with its files where they were unpacked. */
    private List<String> command(ImageTar image, Path temporary) throws IOException {
        if (image.runs()) {
            List<String> inside = image.inside(folder, "JDK_JAVA_OPTIONS=-Djava.io.tmpdir=" + temporary);
            inside.addAll(image.words("Entrypoint"));
            return inside;
        }
        String home = image.root() + HOME;
        Path classPath = folder.resolve("classpath");
        Files.writeString(
                classPath,
                Files.readString(image.root().resolve("opt/sro/jib-classpath-file"))
                        .replace(HOME + "/", home + "/"));
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            String[] user = image.config().path("config").path("User").asText().split(":");
            command.addAll(List.of("setpriv", "--reuid=" + user[0], "--regid=" + user[1], "--clear-groups"));
        }
        for (String word : image.words("Entrypoint")) {
            if (word.equals("java")) {
                command.add(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString());
            } else if (word.startsWith("@")) {
                command.add("@" + classPath);
            } else {
                command.add(word.replace(HOME, home));
            }
        }
        return command;
    }
}
