package dev.sro.testkit.simulation;

import dev.sro.core.driver.RegistryProbe.Finding;
import dev.sro.core.driver.RegistryProbe.Kind;
import dev.sro.core.driver.RegistryProbe.Query;
import dev.sro.core.engine.ImageLooks;
import dev.sro.core.image.RegistrySettings;
import java.util.List;

/** A registry of which a history decides whether it has images. Confined to one thread. */
final class OracleImages implements ImageLooks {

    private static final String DIGEST = "sha256:" + "0123456789abcdef".repeat(4);

    private Kind answer = Kind.FOUND;
    private boolean throwing;

    void answer(Kind kind) {
        answer = kind;
        throwing = false;
    }

    void fail() {
        throwing = true;
    }

    @Override
    public Finding look(Query query, RegistrySettings settings) {
        if (throwing) {
            throw new IllegalStateException("the probe has a bug");
        }
        return answer == Kind.FOUND
                ? new Finding(Kind.FOUND, DIGEST, "")
                : Finding.of(answer, "registry.example says so");
    }

    @Override
    public RegistrySettings settings(String namespace, List<String> pullSecrets) {
        return RegistrySettings.NONE;
    }
}
