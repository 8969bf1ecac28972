package dev.sro.core.client.source;

import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.engine.port.ImageLooks;
import dev.sro.core.image.RegistrySettings;
import java.io.IOException;
import java.util.Collection;
import java.util.List;

/** Looks for images in the registries that a cluster reaches. Thread-safe. */
public final class ClientImages implements ImageLooks {

    private final RegistryProbe probe;
    private final ClusterRegistries registries;

    public ClientImages(RegistryProbe probe, ClusterRegistries registries) {
        this.probe = probe;
        this.registries = registries;
    }

    @Override
    public RegistryProbe.Finding look(RegistryProbe.Query query, RegistrySettings settings) {
        return probe.look(query, settings);
    }

    @Override
    public RegistryProbe.Finding remove(
            RegistryProbe.Query query, Collection<String> staying, RegistrySettings settings) {
        return probe.remove(query, staying, settings);
    }

    @Override
    public RegistrySettings settings(String namespace, List<String> pullSecrets) throws IOException {
        return registries.read(namespace, pullSecrets);
    }
}
