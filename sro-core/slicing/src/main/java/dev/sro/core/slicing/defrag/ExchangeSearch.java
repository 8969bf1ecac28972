package dev.sro.core.slicing.defrag;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds a place for every instance in hand, displacing others within limits of cost and moves: depth first over exchanges
 * of single devices. Complete: where it finds nothing and did not run out of steps, there is nothing within the limits.
 */
final class ExchangeSearch {
    /** Plans without a legal order after which the search is content with one. */
    private static final int UNORDERED = 20;

    private final LeavingCandidates candidates;
    private final ExchangeTable table;
    private final DeviceClasses classes;
    private final int request;
    private final int[] hand;
    private final int[] byWidth;
    private int handSize;

    private int[] kind = new int[8];
    private int[] comes = new int[8];
    private int exchanges;

    private final List<Integer> emptied = new ArrayList<>();
    private final int[] used;

    private long costLeft;
    private int movesLeft;
    private long nextCost = Long.MAX_VALUE;
    private long steps;
    private int unordered;
    private final int plans;
    private int plansLeft;
    private Sequencer.@Nullable Order found;
    private Sequencer.@Nullable Order fallback;

    /**
     * @param request profile that is in hand from the start, or -1
     * @param plans plans within the same limits to compare; the one that leaves the devices worth most is found
     * @param steps nodes to look at before giving up
     */
    ExchangeSearch(LeavingCandidates candidates, int request, int plans, long steps) {
        this.candidates = candidates;
        this.table = candidates.table;
        this.classes = candidates.classes;
        this.request = request;
        this.plans = plans;
        this.steps = steps;
        this.hand = new int[table.geometry.profiles()];
        this.used = new int[classes.size];
        this.byWidth = new int[hand.length];
        Integer[] order = new Integer[hand.length];
        Arrays.setAll(order, p -> p);
        Arrays.sort(order, (a, b) -> Integer.compare(table.geometry.sizeOf(b), table.geometry.sizeOf(a)));
        Arrays.setAll(byWidth, i -> order[i]);
    }

    /** Looks for a plan of at most this cost and number of moves, {@code toEmpty} devices being emptied on the way. */
    boolean run(long cost, int moves, int toEmpty) {
        costLeft = cost;
        movesLeft = moves;
        unordered = 0;
        plansLeft = plans;
        nextCost = Long.MAX_VALUE;
        found = null;
        candidates.load(moves);
        Arrays.fill(hand, 0);
        handSize = 0;
        exchanges = 0;
        emptied.clear();
        if (request >= 0) {
            hand[request]++;
            handSize++;
        }
        return empty(toEmpty, 0) || found != null;
    }

    /** Moves in a legal order; null if there is no plan or none with such an order. */
    @Nullable List<Move> found() {
        return found == null ? null : found.moves();
    }

    /** Moves for which all instances must be stopped before the first is started. */
    @Nullable List<Move> fallback() {
        return fallback == null ? null : fallback.moves();
    }

    /** By how much the limit of cost has to rise before the last run could have found more. */
    long nextCost() {
        return nextCost;
    }

    /** Whether nothing was cut off for lack of steps, but perhaps plans as cheap as the one that was found. */
    boolean complete() {
        return steps > 0 || found != null;
    }

    private boolean empty(int left, int from) {
        if (left == 0) {
            return place();
        }
        for (int c = from; c < classes.size && steps > 0; c++) {
            long all = table.geometry.placementsOf(classes.layout[c]);
            long price = classes.cost(c, all);
            if (price == Disruption.PINNED || used[c] == classes.count[c]) {
                continue;
            }
            if (price > costLeft || Long.bitCount(all) > movesLeft) {
                cut(price);
                continue;
            }
            int set = table.multiset(all);
            used[c]++;
            emptied.add(c);
            take(set, price, 1);
            boolean good = empty(left - 1, c);
            take(set, price, -1);
            emptied.remove(emptied.size() - 1);
            used[c]--;
            if (good) {
                return true;
            }
        }
        return false;
    }

    private void cut(long price) {
        nextCost = price > costLeft ? Math.min(nextCost, price - costLeft) : nextCost;
    }

    private void take(int set, long price, int sign) {
        for (int p = 0; p < hand.length; p++) {
            hand[p] += sign * table.sets.count(set, p);
        }
        handSize += sign * table.size[set];
        movesLeft -= sign * table.size[set];
        costLeft -= sign * price;
    }

    private boolean place() {
        if (handSize == 0) {
            return assign(0, true);
        }
        if (--steps <= 0 || candidates.kinds == 0 || unordered >= UNORDERED) {
            return false;
        }
        int profile = widest();
        hand[profile]--;
        handSize--;
        boolean good = placeOne(profile);
        hand[profile]++;
        handSize++;
        return good;
    }

    private int widest() {
        for (int p : byWidth) {
            if (hand[p] > 0) {
                return p;
            }
        }
        throw new IllegalStateException("nothing in hand");
    }

    private boolean placeOne(int profile) {
        int single = table.single[profile];
        if (single < 0) {
            return false;
        }
        // With more clean devices than a plan can ever touch, taking one of them is never a mistake.
        int touched = exchanges + handSize + 1 + 2 * movesLeft + emptied.size();
        if (candidates.atLeast(0, single, touched) >= touched) {
            return exchange(0, single);
        }
        for (int i = 0; i < exchanges; i++) {
            int more = table.next[comes[i]][profile];
            if (more >= 0 && candidates.possible(kind[i], more)) {
                int before = comes[i];
                comes[i] = more;
                boolean good = assign(0, false) && place();
                comes[i] = before;
                if (good) {
                    return true;
                }
            }
        }
        for (int k = 0; k < candidates.kinds && steps > 0; k++) {
            if (table.size[candidates.set[k]] > movesLeft || !candidates.possible(k, single)) {
                continue;
            }
            if (candidates.cost[k] > costLeft) {
                cut(candidates.cost[k]);
            } else if (exchange(k, single)) {
                return true;
            }
        }
        return false;
    }

    private boolean exchange(int of, int single) {
        if (exchanges == kind.length) {
            kind = Arrays.copyOf(kind, 2 * exchanges);
            comes = Arrays.copyOf(comes, 2 * exchanges);
        }
        kind[exchanges] = of;
        comes[exchanges++] = single;
        take(candidates.set[of], candidates.cost[of], 1);
        boolean good = assign(0, false) && place();
        take(candidates.set[of], candidates.cost[of], -1);
        exchanges--;
        return good;
    }

    /** Whether each exchange can have a device of its own; if {@code last}, whether that can also be put in order. */
    private boolean assign(int at, boolean last) {
        int need = exchanges + emptied.size();
        if (!last) {
            boolean plenty = true;
            for (int i = 0; i < exchanges && plenty; i++) {
                plenty = candidates.atLeast(kind[i], comes[i], need) >= need;
            }
            if (plenty) {
                return true;
            }
        }
        int[][] options = new int[exchanges][];
        steps -= exchanges;
        for (int i = 0; i < exchanges; i++) {
            options[i] = candidates.classes(kind[i], comes[i]);
        }
        return match(at, options, new int[exchanges], last);
    }

    private boolean match(int at, int[][] options, int[] chosen, boolean last) {
        if (at == exchanges) {
            return !last || order(chosen);
        }
        for (int c : options[at]) {
            steps--;
            if (steps > 0 && used[c] < classes.count[c] && unordered < UNORDERED) {
                used[c]++;
                chosen[at] = c;
                boolean good = match(at + 1, options, chosen, last);
                used[c]--;
                if (good) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean order(int[] chosen) {
        List<Sequencer.Slot> slots = new ArrayList<>();
        for (int i = 0; i < exchanges; i++) {
            slots.add(slot(slots, chosen[i], candidates.set[kind[i]], candidates.cost[kind[i]], comes[i]));
        }
        for (int c : emptied) {
            long all = table.geometry.placementsOf(classes.layout[c]);
            slots.add(slot(slots, c, table.multiset(all), classes.cost(c, all), 0));
        }
        Sequencer.Order order = Sequencer.best(table, classes, slots, request, false);
        if (order == null) {
            unordered++;
            fallback = fallback == null ? Sequencer.best(table, classes, slots, request, true) : fallback;
            return false;
        }
        found = found == null || order.worth() > found.worth() ? order : found;
        return --plansLeft == 0;
    }

    // The lowest device of the class that the plan does not use yet.
    private Sequencer.Slot slot(List<Sequencer.Slot> slots, int c, int leaves, long cost, int arrives) {
        int device = classes.first(c);
        for (boolean again = true; again; ) {
            again = false;
            for (Sequencer.Slot other : slots) {
                if (other.device == device) {
                    device = classes.next(c, device + 1);
                    again = true;
                }
            }
        }
        return new Sequencer.Slot(device, classes.layout[c], leaves, cost, arrives, c);
    }
}
