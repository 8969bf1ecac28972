package dev.sro.testkit.controlplane;

import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubeapitest.KubeAPITestException;
import io.fabric8.kubeapitest.binary.BinaryManager;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * etcd and kube-apiserver by fabric8's kube-api-test, which downloads them once and keeps them. Only its download is used: its etcd
 * listens to the whole network.
 */
final class Download {
    private Download() {}

    /** Where kube-api-test keeps its files: where it says by default. */
    static Binaries binaries(String version) {
        return binaries(version, null);
    }

    static Binaries binaries(String version, @Nullable Path directory) {
        try {
            return Library.binaries(version, directory);
        } catch (NoClassDefFoundError e) {
            throw new ControlPlaneException(
                    "a download needs io.fabric8:kube-api-test among the dependencies of the test", e);
        }
    }

    /** Loaded only where the library is on the class path. */
    private static final class Library {
        static Binaries binaries(String version, @Nullable Path directory) {
            KubeAPIServerConfigBuilder config =
                    KubeAPIServerConfigBuilder.anAPIServerConfig().withApiServerVersion(version);
            if (directory != null) {
                config.withTestDir(directory.toString()).withOfflineMode(true);
            }
            try {
                BinaryManager manager = new BinaryManager(config.build());
                manager.initAndDownloadIfRequired();
                Path etcd = manager.binaries().getEtcd().toPath();
                Path apiServer = manager.binaries().getApiServer().toPath();
                return new Binaries(Map.of(Component.ETCD, etcd, Component.API_SERVER, apiServer));
            } catch (KubeAPITestException e) {
                throw new ControlPlaneException("Kubernetes " + version + " cannot be downloaded", e);
            }
        }
    }
}
