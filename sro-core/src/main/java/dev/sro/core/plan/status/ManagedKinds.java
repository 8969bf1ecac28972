package dev.sro.core.plan.status;

import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.Operands;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a status records of the kinds of objects that a special resource may have, and of where they are. Not thread-safe. */
public final class ManagedKinds {

    private final String namespace;
    private final SortedSet<String> kinds = new TreeSet<>();
    private final SortedSet<String> outside = new TreeSet<>();

    /**
     * @param namespace of the operands
     */
    ManagedKinds(String namespace) {
        this.namespace = namespace;
    }

    /** Of these objects of a special resource. */
    public static ManagedKinds of(SpecialResource resource, Collection<KubeObject> objects) {
        ManagedKinds kinds = new ManagedKinds(Operands.namespace(resource));
        objects.forEach(object -> kinds.add(object.ref()));
        return kinds;
    }

    void add(ObjectRef ref) {
        kinds.add(ref.kindKey());
        if (!ref.namespace().isEmpty() && !ref.namespace().equals(namespace)) {
            outside.add(ref.namespace() + "/" + ref.kindKey());
        }
    }

    /** All that another one has. */
    void addAll(SpecialResourceStatus other) {
        kinds.addAll(other.getManagedKinds());
        outside.addAll(other.getManagedOutside());
    }

    /** A kind, if another one has it. */
    void keep(String kind, SpecialResourceStatus other) {
        if (other.getManagedKinds().contains(kind)) {
            kinds.add(kind);
            other.getManagedOutside().stream()
                    .filter(each -> each.substring(each.indexOf('/') + 1).equals(kind))
                    .forEach(outside::add);
        }
    }

    /** Whether another one has no more than this. */
    public boolean containsAll(@Nullable SpecialResourceStatus other) {
        return other == null
                || (kinds.containsAll(other.getManagedKinds()) && outside.containsAll(other.getManagedOutside()));
    }

    /** Whether this has more than another one. */
    boolean addsTo(SpecialResourceStatus other) {
        return !other.getManagedKinds().containsAll(kinds)
                || !other.getManagedOutside().containsAll(outside);
    }

    void tell(SpecialResourceStatus status) {
        status.setManagedKinds(List.copyOf(kinds));
        status.setManagedOutside(outside.isEmpty() ? null : List.copyOf(outside));
    }
}
