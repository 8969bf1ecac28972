package dev.sro.agent.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.controlplane.Binaries;
import dev.sro.testkit.controlplane.Component;
import dev.sro.testkit.controlplane.ControlPlane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A kube-scheduler of the next minor version. */
final class NewerScheduler {
    /** Of k8s.io/kubernetes; {@code .ci/kube-scheduler} builds it. */
    static final String VERSION = "1.37.2";

    /** The minor version of the API server. */
    private static final String EMULATED = "1.36";

    private NewerScheduler() {}

    static boolean isHere() {
        return find().isPresent();
    }

    /**
     * Where {@code sro.kubeScheduler} or SRO_KUBE_SCHEDULER say, which must then be right, or where {@code .ci/kube-scheduler/build.sh} puts
     * it.
     */
    private static Optional<Path> find() {
        String given = System.getProperty("sro.kubeScheduler", System.getenv().getOrDefault("SRO_KUBE_SCHEDULER", ""));
        if (!given.isEmpty()) {
            assertThat(Path.of(given)).as("SRO_KUBE_SCHEDULER").isExecutable();
            return Optional.of(Path.of(given));
        }
        String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path caches = cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        return List.of("amd64", "arm64").stream()
                .map(machine -> caches.resolve(
                        Path.of("sro", "kube-scheduler", VERSION + "-linux-" + machine, "kube-scheduler")))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** A control plane of these programs, with that scheduler. */
    static ControlPlane start(Binaries binaries) {
        Map<Component, Path> files = new EnumMap<>(binaries.files());
        files.put(Component.SCHEDULER, find().orElseThrow());
        return ControlPlane.builder(new Binaries(files))
                // It would wait for a kind that this API server does not have; its code is the newer one all the same.
                .argument(Component.SCHEDULER, "--emulated-version=" + EMULATED)
                .start();
    }
}
