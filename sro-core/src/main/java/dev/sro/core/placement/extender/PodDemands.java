package dev.sro.core.placement.extender;

import dev.sro.core.placement.SliceDemand;
import java.util.Optional;

/** Says what pods ask for. Has to be thread-safe. */
public interface PodDemands {
    /**
     * What a pod asks for that somebody watches; empty if it is not known in that version.
     *
     * @param version its {@code metadata.resourceVersion}
     */
    Optional<SliceDemand> known(String uid, String version);

    /**
     * What a pod asks for; empty if it asks for no slices.
     *
     * @param json as the scheduler sent it
     * @throws IllegalArgumentException if it asks for what nobody can give, naming pod, field and fix
     */
    Optional<SliceDemand> read(String json);
}
