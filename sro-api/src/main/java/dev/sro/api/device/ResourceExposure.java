package dev.sro.api.device;

import dev.sro.api.Experimental;
import dev.sro.api.NodeFacts;
import dev.sro.api.RecipeContext;
import java.util.Optional;

/**
 * Optional for a plugin: says how pods ask for the device. SRO asks where {@code spec.partitioning} asks for it: pods that ask for
 * one of these get tolerations and priority classes. Whatever offers the devices, a device plugin or a DRA driver with its
 * DeviceClasses, is in states of the plugin; SRO brings none of it. Where nodes differ, {@link #handover} says which of them go over.
 *
 * @since 0.1.0
 */
@Experimental("slices that are made on demand will be offered by it")
public interface ResourceExposure {

    /** The way in which pods ask for it. */
    Exposure exposure(RecipeContext context);

    /**
     * A node that is to go over from one way to another, as its labels say; empty where it stays as it is. Until then it has the labels
     * of {@link dev.sro.api.NodeClassifier#nodeLabels}, which are those of the old way.
     */
    default Optional<Handover> handover(NodeFacts node, RecipeContext context) {
        return Optional.empty();
    }
}
