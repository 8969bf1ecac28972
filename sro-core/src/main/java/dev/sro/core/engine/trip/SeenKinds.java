package dev.sro.core.engine.trip;

import dev.sro.api.Outcome;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.engine.port.Sight;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.PartitionManifests;
import dev.sro.core.model.Code;
import dev.sro.core.model.KubeObject;
import dev.sro.core.plan.UpgradeInput;
import dev.sro.core.release.Release;
import dev.sro.core.release.ReleaseRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Which kinds have to be seen for a plan, and which of them are not. Stateless. */
final class SeenKinds {

    private SeenKinds() {}

    /**
     * Kinds that cannot be seen, and why.
     *
     * @param sight by whose rights
     * @param skipped kinds that need not be
     */
    static Map<String, Outcome> unseen(
            ClusterReader reader,
            SpecialResource resource,
            Sight.Builder sight,
            List<DesiredState> states,
            Optional<Release> release,
            Optional<UpgradeInput> upgrade,
            Set<String> skipped) {
        Set<String> wanted = Upgrades.kinds(upgrade);
        wanted.add("v1/Namespace");
        wanted.forEach(sight::kind);
        release.ifPresent(known -> {
            wanted.add(ReleaseRecord.KIND_KEY);
            sight.object(ReleaseRecord.ref(known.chart().name(), known.chart().namespace(), 1));
        });
        for (DesiredState state : states) {
            Stream.concat(
                            state.hooks().stream()
                                    .filter(DesiredHook::isAutomatic)
                                    .map(DesiredHook::object),
                            state.objects().map(Desired::object))
                    .map(KubeObject::ref)
                    .forEach(ref -> {
                        wanted.add(ref.kindKey());
                        sight.object(ref);
                    });
        }
        if (resource.getStatus() != null) {
            sight.managed(resource.getStatus());
        }
        // Of what is not served and need not be nobody asks until an event says that it is.
        Map<String, Outcome> unseen =
                new HashMap<>(reader.watch(sight.without(skipped).build()));
        // A kind that is not served any more has no objects left to see.
        unseen.entrySet().removeIf(kind -> !wanted.contains(kind.getKey()) && Code.KIND_NOT_SERVED.is(kind.getValue()));
        return unseen;
    }

    /** What of these states is made where no node is selected. */
    static List<DesiredState> withoutNodes(List<DesiredState> states) {
        return states.stream()
                .filter(state -> state.state().id().equals(PartitionManifests.STATE))
                .toList();
    }

    /** While a cache fills there is nothing to say yet; one that cannot be filled is a problem to report. */
    static Optional<Outcome> filling(Map<String, Outcome> unseen) {
        Outcome base = unseen.get(ClusterReader.BASE);
        return base != null
                ? Optional.of(base)
                : unseen.values().stream()
                        .filter(Outcome.Waiting.class::isInstance)
                        // What is awaited is made by the plan.
                        .filter(outcome -> !Code.ACCOUNT_PENDING.is(outcome))
                        .findFirst();
    }
}
