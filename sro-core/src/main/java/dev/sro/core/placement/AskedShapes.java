package dev.sro.core.placement;

import dev.sro.core.placement.SliceDemand.Shape;
import dev.sro.core.slicing.PreferenceBasis;
import dev.sro.core.slicing.SliceAllocator;
import java.util.HashMap;
import java.util.Map;

/**
 * Small numbers of what was asked for: equal ones have equal answers from whatever carries the same. As policies learn, the same shape gets another number
 * where places would be liked otherwise now. Not thread-safe.
 */
final class AskedShapes {
    private static final int MOST = 1024;

    private record Asked(Shape shape, PreferenceBasis basis) {}

    private final SliceAllocator allocator;
    private final Runnable forget;
    private final Map<Asked, Integer> numbers = new HashMap<>();

    /** @param forget is called before numbers are given anew */
    AskedShapes(SliceAllocator allocator, Runnable forget) {
        this.allocator = allocator;
        this.forget = forget;
    }

    int number(Shape shape) {
        // Of several slices the place of the first one counts.
        Asked asked =
                new Asked(shape, allocator.preferenceBasis(shape.profiles().get(0)));
        Integer known = numbers.get(asked);
        if (known != null) {
            return known;
        }
        if (numbers.size() >= MOST) {
            numbers.clear();
            forget.run();
        }
        int next = numbers.size();
        numbers.put(asked, next);
        return next;
    }
}
