package dev.sro.core.engine.trip;

import dev.sro.api.Outcome;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.engine.port.ClusterReader;
import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.Code;
import dev.sro.core.plan.UpgradeInput;
import dev.sro.core.release.Release;
import dev.sro.core.release.ReleaseRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which kinds have to be seen for a plan, and which of them are not. Stateless. */
final class SeenKinds {

    private SeenKinds() {}

    /**
     * Kinds that cannot be seen, and why.
     *
     * @param skipped kinds that need not be
     */
    static Map<String, Outcome> unseen(
            ClusterReader reader,
            SpecialResource resource,
            List<DesiredState> states,
            Optional<Release> release,
            Optional<UpgradeInput> upgrade,
            Set<String> skipped) {
        Set<String> wanted = Upgrades.kinds(upgrade);
        wanted.add("v1/Namespace");
        release.ifPresent(unused -> wanted.add(ReleaseRecord.KIND_KEY));
        for (DesiredState state : states) {
            state.hooks().stream()
                    .filter(DesiredHook::isAutomatic)
                    .forEach(hook -> wanted.add(hook.object().ref().kindKey()));
            state.shared().forEach(object -> wanted.add(object.object().ref().kindKey()));
            state.byPool()
                    .values()
                    .forEach(own -> own.forEach(
                            object -> wanted.add(object.object().ref().kindKey())));
        }
        Set<String> all = new HashSet<>(wanted);
        if (resource.getStatus() != null) {
            all.addAll(resource.getStatus().getManagedKinds());
        }
        // Of what is not served and need not be nobody asks until an event says that it is.
        all.removeAll(skipped);
        Map<String, Outcome> unseen = new HashMap<>(reader.watch(all));
        // A kind that is not served any more has no objects left to see.
        unseen.entrySet().removeIf(kind -> !wanted.contains(kind.getKey()) && Code.KIND_NOT_SERVED.is(kind.getValue()));
        return unseen;
    }

    /** While a cache fills there is nothing to say yet; one that cannot be filled is a problem to report. */
    static Optional<Outcome> filling(Map<String, Outcome> unseen) {
        Outcome base = unseen.get(ClusterReader.BASE);
        return base != null
                ? Optional.of(base)
                : unseen.values().stream()
                        .filter(Outcome.Waiting.class::isInstance)
                        .findFirst();
    }
}
