package dev.sro.core.placement;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Small numbers for names: a hash table with open addressing. A scheduler asks about thousands of names for each pod, so that what a look costs is how many
 * lines of memory it needs: here hash, name and its letters, where a map of objects needs three more. Not thread-safe.
 */
final class NodeNames {
    static final int NONE = -1;

    private static final int SMALLEST = 16;
    /** Slots for each name at least: the fewer stand in the way of others, the fewer are looked at in vain. */
    private static final int SLOTS = 4;
    /** Stands where there is no name. */
    private static final byte[] GONE = new byte[0];

    /** Numbers where their names hash to, or behind; {@link #NONE} where there is none. Three of four are empty. */
    private int[] slots = filled(SMALLEST);

    private int[] hashes = new int[SMALLEST / SLOTS];
    private byte[][] names = none(SMALLEST / SLOTS);
    private final Deque<Integer> free = new ArrayDeque<>();
    private int used;

    private static int[] filled(int length) {
        int[] slots = new int[length];
        Arrays.fill(slots, NONE);
        return slots;
    }

    private static byte[][] none(int length) {
        byte[][] names = new byte[length][];
        Arrays.fill(names, GONE);
        return names;
    }

    /** The number of a name; {@link #NONE} if it has none. */
    int of(String name) {
        return of(NodeNameList.of(List.of(name)), 0);
    }

    /** The number of a name of a list; {@link #NONE} if it has none. */
    int of(NodeNameList list, int i) {
        int hash = list.hash(i);
        for (int at = hash & slots.length - 1; slots[at] != NONE; at = at + 1 & slots.length - 1) {
            int number = slots[at];
            if (hashes[number] == hash && list.is(i, names[number])) {
                return number;
            }
        }
        return NONE;
    }

    /**
     * The number of a name, a new one if it has none: the lowest that is not in use, or was never.
     *
     * @throws IllegalArgumentException if the name is empty
     */
    int add(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a node without a name: metadata.name is empty, give it one");
        }
        NodeNameList one = NodeNameList.of(List.of(name));
        int known = of(one, 0);
        if (known != NONE) {
            return known;
        }
        int number = free.isEmpty() ? used++ : free.pop();
        if (number == names.length) {
            hashes = Arrays.copyOf(hashes, 2 * number);
            names = Arrays.copyOf(names, 2 * number);
            Arrays.fill(names, number, names.length, GONE);
        }
        names[number] = name.getBytes(StandardCharsets.UTF_8);
        hashes[number] = one.hash(0);
        if (SLOTS * used > slots.length) {
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
            names[number] = GONE;
            free.push(number);
            rebuild(slots.length);
        }
    }

    private void rebuild(int length) {
        slots = filled(length);
        for (int number = 0; number < used; number++) {
            if (names[number].length > 0) {
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
        for (byte[] name : names) {
            if (name.length > 0) {
                all.add(new String(name, StandardCharsets.UTF_8));
            }
        }
        return all;
    }
}
