package dev.sro.testkit.simulation;

import static dev.sro.testkit.preflight.FakeRegistry.OCI_MANIFEST;
import static dev.sro.testkit.preflight.FakeRegistry.gzip;
import static dev.sro.testkit.preflight.FakeRegistry.layer;

import dev.sro.core.image.Images;
import dev.sro.core.module.VersionResolver;
import dev.sro.core.outgoing.OutgoingGate;
import dev.sro.core.outgoing.OutgoingRules;
import dev.sro.core.outgoing.ProxyRules;
import dev.sro.core.recipe.source.HttpClients;
import dev.sro.core.recipe.source.Registries;
import dev.sro.core.recipe.source.WebTexts;
import dev.sro.testkit.preflight.FakeRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A registry of images and the update service of OpenShift, over HTTP, for all random histories: what is there is always the same,
 * and each of them decides whether it answers. Confined to one thread.
 */
final class OracleRegistry implements AutoCloseable {

    /** Versions of OpenShift that there are, and one that there is not. */
    static final List<String> VERSIONS = List.of("4.12.3", "4.12.9", "4.12.77");

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final FakeRegistry registry = new FakeRegistry();
    private final Images images;
    private final VersionResolver resolver;
    private final Path mirrors;

    OracleRegistry(Path folder) throws IOException {
        HttpClients clients = new HttpClients(new OutgoingGate(
                OutgoingRules.parse("test", "localhost"), () -> ProxyRules.NONE, OracleRegistry::here));
        images = new Images(new Registries(clients, LIMIT));
        resolver = new VersionResolver(images, new WebTexts(clients, LIMIT)::get);
        mirrors = folder.resolve("registries.conf");
        Files.writeString(mirrors, """
            [[registry]]
              prefix = "registry.example"
              location = "registry.example"
              [[registry.mirror]]
                location = "%s"
            """.formatted(registry.host()));
        String first = registry.release(VERSIONS.get(0), OracleWorld.KERNELS.get(0), "", "9.4");
        String second = registry.release(VERSIONS.get(1), OracleWorld.KERNELS.get(1), "", "9.4");
        registry.graph("stable-4.12", Map.of(VERSIONS.get(0), first));
        registry.graph("fast-4.12", Map.of());
        registry.graph("candidate-4.12", Map.of(VERSIONS.get(0), first, VERSIONS.get(1), second));
        registry.push("drv", OracleWorld.KERNELS.get(0), OCI_MANIFEST, gzip(layer(Map.of("etc/driver", "x"))));
    }

    /** Other machines are not asked: what is not here is nowhere. */
    private static List<InetAddress> here(String host) throws UnknownHostException {
        if (!host.equals("localhost")) {
            throw new UnknownHostException(host);
        }
        return List.of(InetAddress.getLoopbackAddress());
    }

    Images images() {
        return images;
    }

    VersionResolver resolver() {
        return resolver;
    }

    /** The file of mirrors. */
    Path mirrors() {
        return mirrors;
    }

    /** The image of a release of OpenShift. */
    String release(String version) {
        return registry.host() + "/ocp/release:" + version;
    }

    /** The address of the update service. */
    String graph() {
        return "http://" + registry.host() + "/graph";
    }

    void away(boolean on) {
        registry.away(on);
    }

    @Override
    public void close() {
        registry.close();
    }
}
