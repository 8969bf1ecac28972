package dev.sro.runtime.plan;

import dev.sro.api.ClusterFacts;
import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.plugin.Plugins;
import dev.sro.runtime.plan.access.Access;
import java.util.List;

/** Where special resources and nodes come from. Confined to one thread; closed by who opened it. */
public interface PreviewSource extends AutoCloseable {

    /** What takes its time there. */
    String WORK = "asking plugins, rendering charts, looking up images";

    /**
     * What a reconcile of each special resource would do now.
     *
     * @throws dev.sro.runtime.UnusableInputException if that cannot be told, with the reason
     */
    List<PreviewedResource> previews();

    /** What the cluster is and serves. */
    ClusterFacts facts();

    /** What looks wrong in the input and stops nothing. */
    List<String> warnings();

    /** The plugins that are known. */
    Plugins plugins();

    /** Who answers what the accounts of recipes may. */
    Access access();

    /** Between objects and trees. */
    Fabric8Codec codec();

    @Override
    void close();
}
