package dev.sro.testkit.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The registry of a cluster, with the rig's images, on the loopback interface. Machines have it under the same name. */
final class Registry implements AutoCloseable {
    /** Known to the images of the rig, too. */
    static final int PORT = 32_000;

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private final RigProcess process;

    private Registry(RigProcess process) {
        this.process = process;
    }

    static Registry start(Rig rig, Path home) {
        if (answers()) {
            throw new RealNodeException(
                    "port " + PORT
                            + " of the loopback interface is taken; the registry of the machines needs it. Does another run use it?");
        }
        Path files = home.resolve("registry");
        RigProcess.run(
                List.of("cp", "-r", rig.file("registry").toAbsolutePath() + "/.", files.toString()),
                home,
                "copy",
                Duration.ofMinutes(5));
        Path settings = home.resolve("registry.yml");
        try {
            Files.writeString(settings, """
                    version: 0.1
                    log: {level: warn, accesslog: {disabled: true}}
                    storage: {filesystem: {rootdirectory: "%s"}, delete: {enabled: true}}
                    http: {addr: "127.0.0.1:%d"}
                    """.formatted(files, PORT));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        RigProcess process =
                RigProcess.start(List.of("docker-registry", "serve", settings.toString()), home, "docker-registry");
        Pause.until(LIMIT, Registry::answers, () -> "the registry does not start: " + process.tail());
        return new Registry(process);
    }

    private static boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), PORT)) {
            return socket.isConnected();
        } catch (IOException nobody) {
            return false;
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
