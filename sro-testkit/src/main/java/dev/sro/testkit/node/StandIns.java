package dev.sro.testkit.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Images with a shell, a device plugin and scripts, which stand in for others. Stateless. */
final class StandIns {
    private static final String LINKS =
            "cd root/bin && for name in $(./busybox --list); do [ -e $name ] || ln -s busybox $name; done";

    private StandIns() {}

    static void add(
            KubeletPrograms programs, ImageRegistry images, Map<String, String> scripts, Map<String, StandIn> entries) {
        try {
            Path folder = images.folder();
            Path root = folder.resolve("root");
            for (String each : List.of("bin", "dev", "etc", "proc", "run", "sys", "tmp", "usr/bin", "var")) {
                Files.createDirectories(root.resolve(each));
            }
            for (String program : List.of("busybox", "devices")) {
                Files.copy(programs.file(program), root.resolve("bin").resolve(program));
            }
            RigProcess.run(List.of("sh", "-c", LINKS), folder, "links", Duration.ofMinutes(1));
            for (Map.Entry<String, String> script : scripts.entrySet()) {
                Path file = root.resolve(script.getKey().substring(1));
                Files.createDirectories(Objects.requireNonNull(file.getParent()));
                Files.writeString(file, script.getValue());
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            Path layer = images.layer(root);
            for (Map.Entry<String, StandIn> image : entries.entrySet()) {
                images.addLayer(layer, image.getKey(), image.getValue(), List.of());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no images " + entries.keySet(), e);
        }
    }
}
