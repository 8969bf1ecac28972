package dev.sro.testkit.operator;

import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.engine.port.ImageLooks;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.model.Digests;
import dev.sro.testkit.sim.SimRegistry;
import java.util.List;

/** Finds the images that simulated nodes can pull, each with a digest that is made of its name. Thread-safe. */
final class SimulatedLooks implements ImageLooks {

    private final SimRegistry registry;

    SimulatedLooks(SimRegistry registry) {
        this.registry = registry;
    }

    @Override
    public RegistryProbe.Finding look(RegistryProbe.Query query, RegistrySettings settings) {
        String image = query.image();
        return registry.exists(image)
                ? new RegistryProbe.Finding(RegistryProbe.Kind.FOUND, digest(image), "")
                : RegistryProbe.Finding.of(
                        RegistryProbe.Kind.MISSING, image + " is not in the simulated registry, as nobody pushed it");
    }

    private static String digest(String image) {
        return "sha256:" + Digests.sha256(image);
    }

    @Override
    public RegistrySettings settings(String namespace, List<String> pullSecrets) {
        return RegistrySettings.NONE;
    }
}
