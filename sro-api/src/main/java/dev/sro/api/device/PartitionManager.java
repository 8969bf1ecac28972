package dev.sro.api.device;

import dev.sro.api.NodeFacts;
import dev.sro.api.NotActedOnYet;
import dev.sro.api.Outcome;
import dev.sro.api.RecipeContext;
import java.time.Instant;
import java.util.List;

/** Optional for a plugin: knows how devices are partitioned. */
@NotActedOnYet(until = "put the vendor's own partition manager into a state, and ReadinessRule.nodeLabel on its result")
public interface PartitionManager {

    /** The models that can be partitioned. */
    List<PartitionableModel> models(RecipeContext context);

    /** The label of a node that says which layout it shall have, under the vendor's domain. */
    String layoutLabel();

    /**
     * How a node gets to a layout.
     *
     * @param node the node
     * @param wanted value of the {@link #layoutLabel()}: the name of a layout in the plugin's settings
     * @param present the layout of every device on the node
     * @param context the special resource and the cluster
     */
    PartitionPlan partition(NodeFacts node, String wanted, List<DeviceLayout> present, RecipeContext context);

    /**
     * Whether a node is as planned.
     *
     * @param planned what {@link #partition} answered
     * @param present the layout of every device on the node
     * @param now the current time
     */
    default Outcome verify(PartitionPlan planned, List<DeviceLayout> present, Instant now) {
        return planned.layouts().equals(present)
                ? Outcome.ready()
                : Outcome.waiting("LayoutDiffers", now, "the layout is " + present + ", planned " + planned.layouts());
    }
}
