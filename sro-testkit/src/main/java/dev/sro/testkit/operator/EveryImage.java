package dev.sro.testkit.operator;

import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.engine.ImageLooks;
import dev.sro.core.image.RegistrySettings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Finds every image, with a digest that is made of its name. Stateless. */
final class EveryImage implements ImageLooks {

    @Override
    public RegistryProbe.Finding look(RegistryProbe.Query query, RegistrySettings settings) {
        return new RegistryProbe.Finding(RegistryProbe.Kind.FOUND, digest(query.image()), "");
    }

    private static String digest(String image) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(image.getBytes(StandardCharsets.UTF_8));
            return "sha256:" + HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public RegistrySettings settings(String namespace, List<String> pullSecrets) {
        return RegistrySettings.NONE;
    }
}
