package dev.sro.core.allocation;

import dev.sro.core.slicing.fleet.UsageMeter;
import dev.sro.core.slicing.fleet.UsageMeter.Judgement;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.Regime;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The standard policy for each model, as it learns: from what claims get, give back, and are refused, as a {@link
 * dev.sro.core.slicing.SliceAllocator} does it. Nothing of it is written down; who leads next learns anew. Not thread-safe.
 */
final class PlacementPolicies {
    /** So many that a load that drifts finds its way back, so few that nobody misses the memory. */
    private static final int MOST_LEARNED = 128;

    /** Claims that are known to wait at most. */
    private static final int MOST_WAITING = 10_000;

    /** What a model is used for. */
    private static final class Usage {
        final UsageMeter meter;
        final Map<Judgement, PlacementPolicy> learned = new HashMap<>();
        PlacementPolicy policy;

        Usage(Geometry geometry) {
            this.meter = new UsageMeter(geometry);
            this.policy = Policies.standard().specialise(geometry, Regime.FILLING);
        }
    }

    /** The devices of one model, at one moment. */
    record Stock(int devices, double usedShare) {}

    private final Function<Geometry, Stock> stock;
    private final Map<Geometry, Usage> models = new HashMap<>();
    /** By the UIDs of claims that wait, how much had come free when they were refused last. */
    private final Map<String, Long> waiting = new LinkedHashMap<>();

    private long released;

    /** @param stock asked now and then */
    PlacementPolicies(Function<Geometry, Stock> stock) {
        this.stock = stock;
    }

    PlacementPolicy of(Geometry geometry) {
        return usage(geometry).policy;
    }

    private Usage usage(Geometry geometry) {
        return models.computeIfAbsent(geometry, Usage::new);
    }

    /**
     * Counts that a claim has got a place.
     *
     * @return whether places are chosen otherwise from now on
     */
    boolean came(String claim, Geometry geometry, int placement) {
        Usage usage = usage(geometry);
        boolean due = usage.meter.granted(geometry.profileOf(placement));
        if (waiting.remove(claim) != null) {
            usage.meter.waited();
        }
        return due && judge(geometry, usage);
    }

    /** Counts that a place is free again; the answer likewise. */
    boolean went(Geometry geometry) {
        released++;
        Usage usage = usage(geometry);
        return usage.meter.released() && judge(geometry, usage);
    }

    /** Whether it is to be counted that a claim gets nothing: asking again before something came free is no news. */
    boolean isNews(String claim) {
        Long before = waiting.get(claim);
        return before == null || before != released;
    }

    /**
     * Counts that a claim gets nothing now, which {@link #isNews}; the answer likewise.
     *
     * @param profiles what it asks for, of each model that has it
     */
    boolean refused(String claim, Map<Geometry, Integer> profiles) {
        Long before = waiting.get(claim);
        wait(claim);
        boolean other = false;
        for (Map.Entry<Geometry, Integer> asked : profiles.entrySet()) {
            Usage usage = usage(asked.getKey());
            if (before != null) {
                usage.meter.refusedAgain();
            } else if (usage.meter.refused(asked.getValue())) {
                other |= judge(asked.getKey(), usage);
            }
        }
        return other;
    }

    private void wait(String claim) {
        if (waiting.size() >= MOST_WAITING && !waiting.containsKey(claim)) {
            Iterator<String> oldest = waiting.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        waiting.put(claim, released);
    }

    private boolean judge(Geometry geometry, Usage usage) {
        Stock now = stock.apply(geometry);
        Judgement judgement = usage.meter.judge(now.devices(), now.usedShare());
        if (usage.learned.size() >= MOST_LEARNED) {
            usage.learned.clear();
        }
        PlacementPolicy wanted = usage.learned.computeIfAbsent(judgement, fresh -> policy(geometry, fresh));
        boolean other = wanted != usage.policy;
        usage.policy = wanted;
        return other;
    }

    private static PlacementPolicy policy(Geometry geometry, Judgement judgement) {
        PlacementPolicy standard = Policies.standard();
        return judgement
                .usage()
                .map(usage -> standard.specialise(geometry, usage))
                .orElseGet(() -> standard.specialise(geometry, judgement.regime()));
    }
}
