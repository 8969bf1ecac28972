package dev.sro.testkit.operator;

import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.engine.port.ImageLooks;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.model.Digests;
import java.util.List;

/** Finds every image, with a digest that is made of its name. Stateless. */
final class EveryImage implements ImageLooks {

    @Override
    public RegistryProbe.Finding look(RegistryProbe.Query query, RegistrySettings settings) {
        return new RegistryProbe.Finding(RegistryProbe.Kind.FOUND, digest(query.image()), "");
    }

    private static String digest(String image) {
        return "sha256:" + Digests.sha256(image);
    }

    @Override
    public RegistrySettings settings(String namespace, List<String> pullSecrets) {
        return RegistrySettings.NONE;
    }
}
