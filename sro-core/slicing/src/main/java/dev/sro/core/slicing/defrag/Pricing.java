package dev.sro.core.slicing.defrag;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.stream.IntStream;

/**
 * The best that each class of devices can do at given prices: what a place for an instance is worth, and what an emptied
 * device is worth. One pass over the layouts answers for all classes without costs of their own.
 */
final class Pricing {
    private final ExchangeTable table;
    private final Geometry geometry;
    private final DeviceClasses classes;
    private final int[] byFreeUnits;
    /** Most worth that can be added to an occupancy. */
    private final double[] addable;
    /** Most worth that a layout can come to by leaving and coming. */
    private final double[] best;
    /** The placement that leaves next on the way to {@link #best}, or -1. */
    private final int[] leaver;

    private double[] worth = {};
    private double emptied;

    Pricing(ExchangeTable table, DeviceClasses classes) {
        this.table = table;
        this.geometry = table.geometry;
        this.classes = classes;
        this.addable = new double[geometry.occupancies()];
        this.best = new double[geometry.layouts()];
        this.leaver = new int[geometry.layouts()];
        this.byFreeUnits = IntStream.range(0, geometry.occupancies())
                .boxed()
                .sorted((a, b) -> Integer.compare(geometry.freeUnits(a), geometry.freeUnits(b)))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    void prices(double[] worthOfPlace, double worthOfEmptied) {
        worth = worthOfPlace;
        emptied = worthOfEmptied;
        for (int occupancy : byFreeUnits) {
            addable[occupancy] = 0;
            for (long rest = geometry.addable(occupancy); rest != 0; rest &= rest - 1) {
                int k = Long.numberOfTrailingZeros(rest);
                double value = worth[geometry.profileOf(k)] + addable[geometry.add(occupancy, k)];
                addable[occupancy] = Math.max(addable[occupancy], value);
            }
        }
        // What is left of a layout has a lower number than the layout.
        for (int layout = 0; layout < best.length; layout++) {
            best[layout] = addable[geometry.occupancyOf(layout)];
            leaver[layout] = -1;
            for (long rest = geometry.placementsOf(layout); rest != 0; rest &= rest - 1) {
                int k = Long.numberOfTrailingZeros(rest);
                double value = best[geometry.toggle(layout, k)] - 1 - worth[geometry.profileOf(k)];
                if (value > best[layout] + 1e-12) {
                    best[layout] = value;
                    leaver[layout] = k;
                }
            }
        }
    }

    /** The layout that a device of a class becomes; 0 to be emptied. */
    int answer(int c) {
        long all = geometry.placementsOf(classes.layout[c]);
        long keep = keep(c);
        double stay = value(c, keep);
        long price = classes.cost(c, all);
        if (price != Disruption.PINNED && emptied - price - worthOf(all) > stay) {
            return 0;
        }
        int occupancy = geometry.occupancyOf(geometry.layoutOf(keep));
        while (addable[occupancy] > 0) {
            int k = bestAddition(occupancy);
            keep |= 1L << k;
            occupancy = geometry.add(occupancy, k);
        }
        return geometry.layoutOf(keep);
    }

    private int bestAddition(int occupancy) {
        int found = -1;
        double most = -1;
        for (long rest = geometry.addable(occupancy); rest != 0; rest &= rest - 1) {
            int k = Long.numberOfTrailingZeros(rest);
            double value = worth[geometry.profileOf(k)] + addable[geometry.add(occupancy, k)];
            if (value > most) {
                most = value;
                found = k;
            }
        }
        return found;
    }

    private long keep(int c) {
        long all = geometry.placementsOf(classes.layout[c]);
        if (classes.costs[c].length == 0) {
            int layout = classes.layout[c];
            while (leaver[layout] >= 0) {
                layout = geometry.toggle(layout, leaver[layout]);
            }
            return geometry.placementsOf(layout);
        }
        long found = all;
        for (long out = all; out != 0; out = (out - 1) & all) {
            if (classes.cost(c, out) != Disruption.PINNED && value(c, all & ~out) > value(c, found)) {
                found = all & ~out;
            }
        }
        return found;
    }

    private double value(int c, long keep) {
        long out = geometry.placementsOf(classes.layout[c]) & ~keep;
        return addable[geometry.occupancyOf(geometry.layoutOf(keep))] - classes.cost(c, out) - worthOf(out);
    }

    private double worthOf(long placements) {
        double sum = 0;
        for (long rest = placements; rest != 0; rest &= rest - 1) {
            sum += worth[geometry.profileOf(Long.numberOfTrailingZeros(rest))];
        }
        return sum;
    }

    /** What moves on one device of a class that becomes another layout. */
    long cost(int c, int to) {
        return classes.cost(c, geometry.placementsOf(classes.layout[c]) & ~geometry.placementsOf(to));
    }

    /** Places won per profile, and in the last element whether the device is emptied. */
    int[] gain(int c, int to) {
        int[] gain = new int[geometry.profiles() + 1];
        for (long rest = geometry.placementsOf(to); rest != 0; rest &= rest - 1) {
            gain[geometry.profileOf(Long.numberOfTrailingZeros(rest))]++;
        }
        for (long rest = geometry.placementsOf(classes.layout[c]); rest != 0; rest &= rest - 1) {
            gain[geometry.profileOf(Long.numberOfTrailingZeros(rest))]--;
        }
        gain[geometry.profiles()] = to == 0 ? 1 : 0;
        return gain;
    }

    ExchangeTable table() {
        return table;
    }

    DeviceClasses classes() {
        return classes;
    }
}
