package dev.sro.core.slicing.defrag;

import dev.sro.core.slicing.fleet.FleetView;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Orders the moves of many devices so that each is legal when its turn comes. Instances of a profile stand in for each
 * other: a place that is free takes the one that others wait for. Where all wait for each other, one goes by way of an
 * empty device.
 */
final class MoveOrder {
    private final FleetView view;
    private final Geometry geometry;
    private final List<Move> moves = new ArrayList<>();
    private int[] device = new int[1024];
    private int[] now = new int[1024];
    private long[] waiting = new long[1024];
    private long[] leaving = new long[1024];
    private int touched;
    private final Ints[] open;
    private final Ints[] urgent;
    private final Ints[] patient;
    private int stopFirst;

    /** A growing stack of ints. */
    private static final class Ints {
        int[] values = new int[16];
        int size;

        void push(int value) {
            values = size == values.length ? Arrays.copyOf(values, 2 * size) : values;
            values[size++] = value;
        }

        int pop() {
            return values[--size];
        }
    }

    MoveOrder(FleetView view) {
        this.view = view;
        this.geometry = view.geometry();
        this.open = stacks();
        this.urgent = stacks();
        this.patient = stacks();
    }

    private Ints[] stacks() {
        Ints[] stacks = new Ints[geometry.profiles()];
        Arrays.setAll(stacks, p -> new Ints());
        return stacks;
    }

    /** A device that becomes another layout. */
    void change(int id, int to) {
        int at = touch(id, view.layoutOf(id));
        long before = geometry.placementsOf(now[at]);
        leaving[at] = before & ~geometry.placementsOf(to);
        waiting[at] = geometry.placementsOf(to) & ~before;
    }

    private int touch(int id, int layout) {
        if (touched == device.length) {
            device = Arrays.copyOf(device, 2 * touched);
            now = Arrays.copyOf(now, 2 * touched);
            waiting = Arrays.copyOf(waiting, 2 * touched);
            leaving = Arrays.copyOf(leaving, 2 * touched);
        }
        device[touched] = id;
        now[touched] = layout;
        return touched++;
    }

    List<Move> moves() {
        return moves;
    }

    int stopFirst() {
        return stopFirst;
    }

    void run() {
        for (int t = touched - 1; t >= 0; t--) {
            offer(t);
            for (long rest = leaving[t]; rest != 0; rest &= rest - 1) {
                int k = Long.numberOfTrailingZeros(rest);
                (waiting[t] != 0 ? urgent : patient)[geometry.profileOf(k)].push(t << 6 | k);
            }
        }
        do {
            fill();
        } while (inPlace() || detour());
        stopAll();
    }

    // Places of a device that can be taken as it is now.
    private void offer(int t) {
        for (long rest = waiting[t]; rest != 0; rest &= rest - 1) {
            int k = Long.numberOfTrailingZeros(rest);
            if (geometry.toggle(now[t], k) != Geometry.ILLEGAL) {
                waiting[t] &= ~(1L << k);
                open[geometry.profileOf(k)].push(t << 6 | k);
            }
        }
    }

    private void fill() {
        for (boolean again = true; again; ) {
            again = false;
            for (int p = 0; p < open.length; p++) {
                while (open[p].size > 0 && urgent[p].size + patient[p].size > 0) {
                    int place = open[p].pop();
                    int t = place >> 6;
                    if (geometry.toggle(now[t], place & 63) == Geometry.ILLEGAL) {
                        waiting[t] |= 1L << (place & 63);
                        continue;
                    }
                    move(urgent[p].size > 0 ? urgent[p].pop() : patient[p].pop(), place);
                    again = true;
                }
            }
        }
    }

    private void move(int from, int place) {
        int source = from >> 6;
        int target = place >> 6;
        moves.add(new Move(device[source], from & 63, device[target], place & 63));
        now[source] = geometry.toggle(now[source], from & 63);
        now[target] = geometry.toggle(now[target], place & 63);
        leaving[source] &= ~(1L << (from & 63));
        offer(source);
    }

    // An instance whose own place is all that another place of its device waits for.
    private boolean inPlace() {
        boolean moved = false;
        for (Ints stack : urgent) {
            for (int i = stack.size - 1; i >= 0; i--) {
                int from = stack.values[i];
                int t = from >> 6;
                int without = geometry.toggle(now[t], from & 63);
                for (long rest = waiting[t]; rest != 0; rest &= rest - 1) {
                    int k = Long.numberOfTrailingZeros(rest);
                    if (geometry.profileOf(k) == geometry.profileOf(from & 63)
                            && geometry.toggle(without, k) != Geometry.ILLEGAL) {
                        waiting[t] &= ~(1L << k);
                        stack.values[i] = stack.values[--stack.size];
                        move(from, t << 6 | k);
                        moved = true;
                        break;
                    }
                }
            }
        }
        return moved;
    }

    private boolean detour() {
        int buffer = -1;
        for (Ints stack : urgent) {
            for (int i = stack.size - 1; i >= 0; i--) {
                int t = stack.values[i] >> 6;
                if (waiting[t] == 0) {
                    continue;
                }
                buffer = buffer < 0 ? buffer() : buffer;
                int p = geometry.profileOf(stack.values[i] & 63);
                for (int k = geometry.firstPlacement(p); buffer >= 0 && k < geometry.firstPlacement(p + 1); k++) {
                    if (!geometry.holds(now[buffer], k) && geometry.toggle(now[buffer], k) != Geometry.ILLEGAL) {
                        int from = stack.values[i];
                        stack.values[i] = stack.values[--stack.size];
                        leaving[buffer] |= 1L << k;
                        move(from, buffer << 6 | k);
                        patient[p].push(buffer << 6 | k);
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private int buffer() {
        for (int t = 0; t < touched; t++) {
            if (now[t] == 0 && waiting[t] == 0 && leaving[t] == 0 && !offered(t)) {
                return t;
            }
        }
        int id = view.next(0, 0);
        return id < 0 ? -1 : touch(id, 0);
    }

    private boolean offered(int t) {
        for (Ints stack : open) {
            for (int i = 0; i < stack.size; i++) {
                if (stack.values[i] >> 6 == t) {
                    return true;
                }
            }
        }
        return false;
    }

    // What is left can only be stopped together and started together.
    private void stopAll() {
        Ints[] places = stacks();
        for (int t = 0; t < touched; t++) {
            for (long rest = waiting[t]; rest != 0; rest &= rest - 1) {
                int k = Long.numberOfTrailingZeros(rest);
                places[geometry.profileOf(k)].push(t << 6 | k);
            }
        }
        for (int p = 0; p < open.length; p++) {
            while (urgent[p].size + patient[p].size > 0) {
                int from = urgent[p].size > 0 ? urgent[p].pop() : patient[p].pop();
                int place = open[p].size > 0 ? open[p].pop() : places[p].pop();
                moves.add(new Move(device[from >> 6], from & 63, device[place >> 6], place & 63));
                stopFirst++;
            }
        }
    }
}
