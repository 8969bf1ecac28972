package dev.sro.testkit.controlplane;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Clock;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The cluster of all tests of a JVM, or why there is none. Thread-safe. */
final class SharedCluster implements AutoCloseable {
    private final ClusterFinder.ControlPlaneSource found;
    private final RunId run = RunId.ofThisProcess();
    private @Nullable ControlPlane controlPlane;
    private @Nullable KubernetesClient client;

    private SharedCluster(ClusterFinder.ControlPlaneSource found) {
        this.found = found;
    }

    /** Starts nothing yet: the first test that can run does. */
    static SharedCluster of(ClusterFinder finder) {
        return new SharedCluster(finder.find());
    }

    /** Around one that is somebody else's to close. */
    static SharedCluster of(ControlPlane controlPlane) {
        SharedCluster shared = new SharedCluster(new ClusterFinder.Programs(controlPlane.binaries()));
        shared.controlPlane = controlPlane;
        shared.client = controlPlane.client();
        return shared;
    }

    /** Why a test with these needs cannot run here; empty if it can. */
    String missing(Set<Feature> needs) {
        if (found instanceof ClusterFinder.Nothing nothing) {
            return nothing.reason();
        }
        Set<Feature> lacking = new TreeSet<>(needs);
        lacking.removeAll(features());
        return lacking.isEmpty() ? "" : "the test needs " + lacking + ", which " + description() + " does not have";
    }

    /** What a cluster of somebody else's offers is taken on trust; its nodes are no toys, and its servers are not ours. */
    Set<Feature> features() {
        return found instanceof ClusterFinder.Programs programs
                ? programs.binaries().features()
                : EnumSet.of(Feature.CONTROLLERS, Feature.SCHEDULER);
    }

    String description() {
        if (found instanceof ClusterFinder.Kubeconfig kubeconfig) {
            return "the cluster of " + kubeconfig.file();
        }
        return found instanceof ClusterFinder.Programs programs
                ? "the control plane of " + programs.binaries().files().values()
                : "no control plane";
    }

    RunId run() {
        return run;
    }

    synchronized Optional<ControlPlane> controlPlane() {
        if (controlPlane == null && found instanceof ClusterFinder.Programs programs) {
            controlPlane = ControlPlane.start(programs.binaries());
        }
        return Optional.ofNullable(controlPlane);
    }

    /** What a client of the administrator needs. */
    Config config() {
        if (found instanceof ClusterFinder.Kubeconfig kubeconfig) {
            return Config.fromKubeconfig(kubeconfig.file().toFile());
        }
        return controlPlane().map(ControlPlane::config).orElseThrow(() -> new IllegalStateException(missing(Set.of())));
    }

    /** The administrator's client. The first call cleans up after killed runs. */
    synchronized KubernetesClient client() {
        KubernetesClient known = client;
        if (known == null) {
            known = newClient("sro-test", "default");
            client = known;
            StaleRunCleanup.remove(known, run, Clock.systemUTC().instant());
        }
        return known;
    }

    KubernetesClient newClient(String userAgent, String namespace) {
        return new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(config())
                        .withUserAgent(userAgent)
                        .withNamespace(namespace)
                        .build())
                .build();
    }

    /** Ends what was started. */
    @Override
    public synchronized void close() {
        if (client != null) {
            client.close();
        }
        if (controlPlane != null) {
            controlPlane.close();
        }
    }
}
