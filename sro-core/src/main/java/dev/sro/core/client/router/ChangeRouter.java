package dev.sro.core.client.router;

import dev.sro.core.client.cache.NodeCache;
import dev.sro.core.client.cache.ObjectCache;
import dev.sro.core.client.cache.ResourceCache;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.module.Modules;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Turns each change of the known world into the names of those who have to look again. In goes what a cache says has changed, whoever
 * told of it: the answer to a write of ours, an event of a watch, a list; out come requests. There is no other way from a change to a
 * request, and none that is for one origin alone: whoever looks at the moment does not look again for what its own writes brought
 * about, because its controller knows what it has seen. Thread-safe.
 */
final class ChangeRouter {
    private final ResourceCache resources;
    private final ObjectCache objects;
    private final Runnable claimed;
    private final Consumer<String> request;

    /**
     * @param claimed told before everybody is asked because of a special resource
     * @param request asks for a reconcile of a special resource; must not block
     */
    ChangeRouter(ResourceCache resources, ObjectCache objects, Runnable claimed, Consumer<String> request) {
        this.resources = resources;
        this.objects = objects;
        this.claimed = claimed;
        this.request = request;
    }

    /** A special resource changed. */
    void resource(String name, ResourceCache.Change change) {
        switch (change) {
            case CLAIM -> {
                claimed.run();
                request.accept(name);
                everybody();
            }
            case STANDING -> {
                request.accept(name);
                resources.dependents(name).forEach(request);
            }
            case ITSELF -> request.accept(name);
            case NOTHING -> {
                // Nobody can see a difference.
            }
        }
    }

    /** A node changed: those that select it, or did, or hold something on it; a node of no other can make a difference to them. */
    void node(NodeCache.Change change) {
        if (change.isReal()) {
            resources.concernedBy(change).forEach(request);
        }
    }

    /** Operands changed that carry these labels. */
    void operands(Collection<String> labels) {
        labels.forEach(this::labelled);
    }

    /** A pod of an operand changed. */
    void pod(HasMetadata pod) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        String label = labels == null ? null : labels.get(MetadataKeys.SPECIAL_RESOURCE);
        if (label != null) {
            labelled(label);
        } else {
            pod.getMetadata().getOwnerReferences().forEach(owner -> owner(owner.getUid()));
        }
    }

    /** Something changed that the operand with this uid controls. */
    void owner(String uid) {
        objects.byUid(uid).map(this::labelOf).ifPresent(this::labelled);
    }

    private String labelOf(KubeObject operand) {
        return objects.resourceOf(operand);
    }

    /** Everything may be different. */
    void everybody() {
        resources.names().forEach(request);
    }

    private void labelled(String label) {
        if (Modules.isLabel(label)) {
            request.accept(label);
        } else {
            resources.labelled(label).forEach(request);
        }
    }
}
