package dev.sro.runtime.plan;

import dev.sro.api.Outcome;
import dev.sro.core.engine.trip.Preview;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Objects that cannot be shown yet, because something is waited for before it is known what they are. Immutable.
 *
 * @param state id of their state
 * @param pool name of their pool; empty for what serves all
 * @param waiting what is waited for
 */
public record UnshownObjects(String state, String pool, Outcome.Waiting waiting) {

    private static final Set<String> IMAGE = Set.of(Code.LOOKING_FOR_IMAGE.text(), "ImageNotBuilt", "WaitingForImage");

    /** In the order of the recipe. */
    static List<UnshownObjects> in(Preview preview) {
        List<UnshownObjects> all = new ArrayList<>();
        for (DesiredState state : preview.states()) {
            new TreeMap<>(state.waits()).forEach((pool, outcome) -> {
                if (outcome instanceof Outcome.Waiting waiting) {
                    all.add(new UnshownObjects(state.state().id(), pool, waiting));
                }
            });
        }
        return all;
    }

    /** State and pool. */
    public String where() {
        return "state " + state + (pool.isEmpty() ? "" : ", pool " + pool);
    }

    /** What is waited for. */
    public String why() {
        return waiting.reason() + ": " + waiting.on();
    }

    /** How to have it shown; empty when it is as soon as what is waited for has come. */
    public String how() {
        return IMAGE.contains(waiting.reason()) ? ImageOptions.HOW : "";
    }
}
