package dev.sro.core.engine.roster;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.model.ManagementState;
import dev.sro.core.model.MetadataKeys;
import java.util.Comparator;
import java.util.Set;

/** The standing of one special resource among others: who is older, who leaves, who is left alone, who has which node. Stateless. */
public final class ResourcePrecedence {

    /** The oldest first. */
    public static final Comparator<SpecialResource> AGE = Comparator.comparing(
                    (SpecialResource r) -> String.valueOf(r.getMetadata().getCreationTimestamp()))
            .thenComparing(r -> r.getMetadata().getName());

    private ResourcePrecedence() {}

    /** Whether it is being deleted, or everything of it is to be removed. */
    public static boolean isLeaving(SpecialResource resource) {
        return resource.getMetadata().getDeletionTimestamp() != null
                || ManagementState.of(resource) == ManagementState.REMOVED;
    }

    /** Whether SRO keeps its hands off. */
    public static boolean isUnmanaged(SpecialResource resource) {
        return ManagementState.of(resource) == ManagementState.UNMANAGED;
    }

    /** Whether the manager's special resource has reached a state on the node. */
    public static boolean holdsState(ObservedNode node, String manager) {
        return node.appliedLabels().getOrDefault(manager, Set.of()).stream()
                .anyMatch(label -> label.startsWith(MetadataKeys.STATE_LABEL_PREFIX));
    }
}
