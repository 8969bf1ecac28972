package dev.sro.core.claim;

import dev.sro.core.dra.PublishedFleet;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which places of a fleet selectors select. A fleet has hundreds of thousands of places and a handful of classes, so each selector is tried on a place
 * once, however many pods ask by it. Thread-safe.
 */
final class Selections {
    private final Map<List<String>, Selection> known = new HashMap<>();
    private long tried;

    /** What is known of some selectors: of each GPU the places that were tried, and those that are selected. */
    private static final class Selection {
        final DeviceMatch match;
        final IdentityHashMap<PublishedFleet.Gpu, BitSet> tried = new IdentityHashMap<>();
        final IdentityHashMap<PublishedFleet.Gpu, BitSet> selected = new IdentityHashMap<>();

        Selection(List<String> selectors) {
            this.match = new DeviceMatch(selectors);
        }
    }

    /** What is wrong with selectors. */
    synchronized List<String> faults(List<String> selectors) {
        return of(selectors).match.faults();
    }

    /** Whether all selectors select a place of a GPU, by its number. */
    synchronized boolean selects(List<String> selectors, PublishedFleet.Gpu gpu, int place) {
        Selection selection = of(selectors);
        BitSet selected = selection.selected.computeIfAbsent(gpu, one -> new BitSet());
        BitSet seen = selection.tried.computeIfAbsent(gpu, one -> new BitSet());
        if (!seen.get(place)) {
            seen.set(place);
            tried++;
            selected.set(
                    place,
                    selection.match.selects(
                            gpu.driver(), gpu.places().get(place).device()));
        }
        return selected.get(place);
    }

    private Selection of(List<String> selectors) {
        return known.computeIfAbsent(selectors, Selection::new);
    }

    /** How often selectors were tried on a place. */
    synchronized long tried() {
        return tried;
    }
}
