package dev.sro.core.placement;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Small numbers for names: a hash table with open addressing. A scheduler asks about thousands of names for each pod, so that what a look costs is how many
 * lines of memory it needs: here hash, name and its letters, where a map of objects needs three more. Not thread-safe.
 */
final class NodeNames {
    static final int NONE = -1;

    private static final int SMALLEST = 16;

    /** Numbers where their names hash to, or behind; {@link #NONE} where there is none. Half of it is empty. */
    private int[] slots = filled(SMALLEST);

    private int[] hashes = new int[SMALLEST / 2];
    private @Nullable String[] names = new String[SMALLEST / 2];
    private final Deque<Integer> free = new ArrayDeque<>();
    private int used;

    private static int[] filled(int length) {
        int[] slots = new int[length];
        Arrays.fill(slots, NONE);
        return slots;
    }

    /** The number of a name; {@link #NONE} if it has none. */
    int of(String name) {
        int hash = mixed(name);
        for (int at = hash & slots.length - 1; slots[at] != NONE; at = at + 1 & slots.length - 1) {
            int number = slots[at];
            if (hashes[number] == hash && name.equals(names[number])) {
                return number;
            }
        }
        return NONE;
    }

    /** The number of a name, a new one if it has none: the lowest that is not in use, or was never. */
    int add(String name) {
        int known = of(name);
        if (known != NONE) {
            return known;
        }
        int number = free.isEmpty() ? used++ : free.pop();
        if (number == names.length) {
            hashes = Arrays.copyOf(hashes, 2 * number);
            names = Arrays.copyOf(names, 2 * number);
        }
        names[number] = name;
        hashes[number] = mixed(name);
        if (2 * used > slots.length) {
            rebuild(2 * slots.length);
        } else {
            place(number);
        }
        return number;
    }

    /** Gives the number of a name back. O(names), as nodes go seldom. */
    void remove(String name) {
        int number = of(name);
        if (number != NONE) {
            names[number] = null;
            free.push(number);
            rebuild(slots.length);
        }
    }

    private void rebuild(int length) {
        slots = filled(length);
        for (int number = 0; number < used; number++) {
            if (names[number] != null) {
                place(number);
            }
        }
    }

    private void place(int number) {
        int at = hashes[number] & slots.length - 1;
        while (slots[at] != NONE) {
            at = at + 1 & slots.length - 1;
        }
        slots[at] = number;
    }

    /** All that have a number, in the order of numbers. */
    List<String> all() {
        List<String> all = new ArrayList<>();
        for (String name : names) {
            if (name != null) {
                all.add(name);
            }
        }
        return all;
    }

    /** Names that count up hash to numbers that lie side by side, so that their slots would be one long run. */
    private static int mixed(String name) {
        int hash = name.hashCode() * 0x9E3779B9;
        return hash ^ hash >>> 16;
    }
}
