package dev.sro.core.engine.port;

import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.driver.RegistryProbe.Finding;
import dev.sro.core.driver.RegistryProbe.Query;
import dev.sro.core.image.RegistrySettings;
import java.io.IOException;
import java.util.Collection;
import java.util.List;

/** Port: how registries are reached when images of drivers are looked for. Blocks; implementations are thread-safe. */
public interface ImageLooks {

    /** Nothing can be looked for. */
    ImageLooks NONE = new ImageLooks() {
        @Override
        public Finding look(Query query, RegistrySettings settings) {
            return Finding.of(RegistryProbe.Kind.UNREACHABLE, "SRO was started without access to registries");
        }

        @Override
        public RegistrySettings settings(String namespace, List<String> pullSecrets) {
            return RegistrySettings.NONE;
        }
    };

    /**
     * Looks for an image.
     *
     * @param settings as {@link #settings} gave them
     */
    Finding look(Query query, RegistrySettings settings);

    /**
     * Deletes an image that SRO built and nobody needs.
     *
     * @param staying images that must not go with it
     * @return {@link RegistryProbe.Kind#MISSING} when it is gone; else why it is not
     */
    default Finding remove(Query query, Collection<String> staying, RegistrySettings settings) {
        return Finding.of(RegistryProbe.Kind.UNREACHABLE, "SRO was started without access to registries");
    }

    /**
     * The cluster's mirrors and logins with those of these Secrets; may ask the API server. Looks that follow each other
     * within seconds share them; each later one has them read anew, so that what was mended counts.
     *
     * @throws IOException if one of the Secrets is not there or may not be read; the message says what to do
     */
    RegistrySettings settings(String namespace, List<String> pullSecrets) throws IOException;
}
