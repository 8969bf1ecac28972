package dev.sro.core.dra;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The placements of a GPU as they are published. Immutable.
 *
 * @param order in which they are listed
 * @param lossClasses that they are listed with
 */
record ListedPlacements(List<Integer> order, Map<Integer, Integer> lossClasses) {
    private static final int NONE = -1;

    ListedPlacements {
        order = List.copyOf(order);
        lossClasses = Map.copyOf(lossClasses);
    }

    static ListedPlacements of(List<String> devices, Map<String, Integer> byName, PublishedPool published) {
        List<Integer> order = new ArrayList<>();
        Map<Integer, Integer> lossClasses = new LinkedHashMap<>();
        for (String device : devices) {
            Integer placement = byName.get(device);
            if (placement != null) {
                order.add(placement);
                lossClasses.put(placement, published.lossClass(device, NONE));
            }
        }
        return new ListedPlacements(order, lossClasses);
    }

    int lossClass(int placement) {
        return lossClasses.getOrDefault(placement, NONE);
    }
}
