package dev.sro.core.engine.session;

import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.upgrade.cluster.DriverRevisions;
import dev.sro.core.upgrade.machine.Journal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an upgrade was worked out of last: as long as nothing of it changes, the same objects are compared in no time. Not thread-safe.
 */
public final class UpgradeMemo {

    private @Nullable List<DesiredState> from;
    private String how = "";
    private List<DesiredState> made = List.of();
    private @Nullable KubeObject journalObject;
    private Journal.@Nullable Parsed journal;
    private @Nullable KubeObject revisionsObject;
    private @Nullable DriverRevisions revisions;

    // Identity is the point: caches hand out the same object until it changes.
    @SuppressWarnings("ReferenceEquality")
    public Journal.Parsed journal(Optional<KubeObject> live) {
        Journal.Parsed known = journal;
        if (known == null || journalObject != live.orElse(null)) {
            Map<String, String> text = new HashMap<>();
            live.ifPresent(object -> object.map("data").forEach((key, value) -> text.put(key, String.valueOf(value))));
            known = Journal.parse(text);
            journal = known;
            journalObject = live.orElse(null);
        }
        return known;
    }

    @SuppressWarnings("ReferenceEquality")
    public DriverRevisions revisions(Optional<KubeObject> live) {
        DriverRevisions known = revisions;
        if (known == null || revisionsObject != live.orElse(null)) {
            known = DriverRevisions.read(live);
            revisions = known;
            revisionsObject = live.orElse(null);
        }
        return known;
    }

    @SuppressWarnings("ReferenceEquality")
    public List<DesiredState> made(
            List<DesiredState> states, String key, Function<List<DesiredState>, List<DesiredState>> make) {
        if (from != states || !how.equals(key)) {
            made = make.apply(states);
            from = states;
            how = key;
        }
        return made;
    }
}
