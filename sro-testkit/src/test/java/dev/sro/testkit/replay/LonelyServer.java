package dev.sro.testkit.replay;

import dev.sro.testkit.controlplane.Binaries;
import dev.sro.testkit.controlplane.Component;
import dev.sro.testkit.controlplane.ControlPlane;
import dev.sro.testkit.controlplane.RealCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A real API server without controllers, so that nobody but the test writes. */
final class LonelyServer implements AutoCloseable {
    private final ControlPlane alone;

    private LonelyServer(ControlPlane alone) {
        this.alone = alone;
    }

    static LonelyServer start(RealCluster cluster) {
        Map<Component, Path> files = new EnumMap<>(Component.class);
        Binaries all = cluster.controlPlane().binaries();
        for (Component component : List.of(Component.ETCD, Component.API_SERVER)) {
            files.put(component, Objects.requireNonNull(all.files().get(component)));
        }
        return new LonelyServer(ControlPlane.start(new Binaries(files)));
    }

    Endpoint endpoint() throws GeneralSecurityException, IOException {
        Config config = alone.config();
        HttpClient trusting = HttpClient.newBuilder()
                .sslContext(SSLUtils.sslContext(config))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        String token = config.getAutoOAuthToken() == null ? config.getOauthToken() : config.getAutoOAuthToken();
        return Endpoint.real(trusting, URI.create(config.getMasterUrl()), token == null ? "" : token);
    }

    @Override
    public void close() {
        alone.close();
    }
}
