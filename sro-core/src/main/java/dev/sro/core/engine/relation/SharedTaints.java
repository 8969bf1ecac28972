package dev.sro.core.engine.relation;

import dev.sro.api.resource.SpecialResource;
import dev.sro.core.engine.roster.ResourcePrecedence;
import dev.sro.core.pool.ReadinessTaints;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One readiness taint of several special resources: a node has one taint of each key and effect, so that what is ready would take away
 * what another one puts there, for ever. The oldest has it; the others leave it alone and tolerate it. Stateless.
 */
public final class SharedTaints {

    private SharedTaints() {}

    /**
     * What becomes of a special resource's taint.
     *
     * @param own the taint, unless another special resource has it
     * @param foreign taints of older ones; each {@code key=value:Effect}
     * @param warnings what the user should know
     */
    public record Shared(Optional<ReadinessTaints.Wanted> own, List<String> foreign, List<String> warnings) {}

    public static Shared share(
            SpecialResource resource, Optional<ReadinessTaints.Wanted> wanted, List<SpecialResource> all) {
        List<String> foreign = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        Optional<ReadinessTaints.Wanted> own = wanted;
        for (SpecialResource other : all) {
            if (ResourcePrecedence.isUnmanaged(other) || ResourcePrecedence.AGE.compare(other, resource) >= 0) {
                continue;
            }
            // What goes takes its taints away and puts none any more.
            List<String> theirs = ResourcePrecedence.isLeaving(other)
                    ? DependentTaints.recorded(other)
                    : DependentTaints.taints(other);
            foreign.addAll(theirs);
            if (own.isPresent() && isAmong(own.get(), theirs)) {
                warnings.add("spec.readinessTaint: " + own.get().key() + " is the taint of special resource "
                        + other.getMetadata().getName()
                        + ", too, which is older and alone puts it on nodes and takes it"
                        + " away; choose another key");
                own = Optional.empty();
            }
        }
        return new Shared(own, List.copyOf(foreign), List.copyOf(warnings));
    }

    private static boolean isAmong(ReadinessTaints.Wanted wanted, List<String> taints) {
        return taints.stream().anyMatch(taint -> ReadinessTaints.isSame(wanted.text(), taint));
    }
}
