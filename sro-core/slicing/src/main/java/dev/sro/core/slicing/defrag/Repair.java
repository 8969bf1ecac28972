package dev.sro.core.slicing.defrag;

import dev.sro.core.slicing.defrag.LayoutFlows.Flow;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.pack.Inequality;
import dev.sro.core.slicing.pack.Multisets;
import dev.sro.core.slicing.pack.Packer;
import dev.sro.core.slicing.pack.Packing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Makes rounded flows consistent: as many places as instances, and the wanted number of devices emptied. What rounding
 * left without a place is packed anew together with the few devices that have room where it is short.
 */
final class Repair {
    private static final int MOST = 3000;

    private final ExchangeTable table;
    private final Geometry geometry;
    private final Feasibility feasibility;
    private final Pricing pricing;
    private final DeviceClasses classes;
    private final List<Flow> flows;
    private final long[] homeless;
    private final List<Flow> pool = new ArrayList<>();
    private long spare;

    private Repair(Feasibility feasibility, Pricing pricing, List<Flow> flows) {
        this.table = pricing.table();
        this.geometry = table.geometry;
        this.feasibility = feasibility;
        this.pricing = pricing;
        this.classes = pricing.classes();
        this.flows = new ArrayList<>(flows);
        this.homeless = new long[geometry.profiles()];
    }

    /** Consistent flows; empty if that takes too many devices. */
    static List<Flow> repair(Feasibility feasibility, Pricing pricing, List<Flow> flows, long toEmpty) {
        Repair repair = new Repair(feasibility, pricing, flows);
        for (int p = 0; p < repair.homeless.length; p++) {
            repair.trim(p);
        }
        return repair.run(toEmpty) ? repair.flows : List.of();
    }

    private long surplus(int profile) {
        long sum = 0;
        for (Flow flow : flows) {
            sum += (long) pricing.gain(flow.deviceClass(), flow.to())[profile] * flow.devices();
        }
        return sum;
    }

    // Places that nothing needs are given up, so that what devices are said to carry is what they carry.
    private void trim(int profile) {
        long left = surplus(profile);
        homeless[profile] = Math.max(0, -left);
        for (int i = 0; i < flows.size() && left > 0; i++) {
            Flow flow = flows.get(i);
            long come = geometry.placementsOf(flow.to())
                    & ~geometry.placementsOf(classes.layout[flow.deviceClass()])
                    & repair(profile);
            int each = (int) Math.min(Long.bitCount(come), left);
            if (each == 0) {
                continue;
            }
            int devices = (int) Math.min(flow.devices(), left / each);
            long out = 0;
            for (long rest = come; Long.bitCount(out) < each; rest &= rest - 1) {
                out |= Long.lowestOneBit(rest);
            }
            int trimmed = geometry.layoutOf(geometry.placementsOf(flow.to()) & ~out);
            flows.set(i, new Flow(flow.deviceClass(), trimmed, devices));
            if (devices < flow.devices()) {
                flows.add(i + 1, new Flow(flow.deviceClass(), flow.to(), flow.devices() - devices));
            }
            left -= (long) each * devices;
        }
    }

    private long repair(int profile) {
        return (1L << geometry.firstPlacement(profile + 1)) - (1L << geometry.firstPlacement(profile));
    }

    private boolean run(long toEmpty) {
        long missing = toEmpty;
        for (Flow flow : flows) {
            missing -= flow.to() == 0 ? flow.devices() : 0;
        }
        // Emptied devices beyond the wanted number may be used again.
        spare = Math.max(0, -missing);
        missing = Math.max(0, missing);
        long[] content = homeless.clone();
        while (feasibility.minDevices(content) > pool.size() - missing) {
            int next = pool.size() >= MOST ? -1 : choose(content, pool.size() - missing);
            if (next < 0) {
                return false;
            }
            Flow flow = flows.get(next);
            Flow one = new Flow(flow.deviceClass(), flow.to(), 1);
            pool.add(one);
            spare -= one.to() == 0 ? 1 : 0;
            count(content, one.to(), 1);
            if (flow.devices() > 1) {
                flows.set(next, new Flow(flow.deviceClass(), flow.to(), flow.devices() - 1));
            } else {
                flows.remove(next);
            }
        }
        return pool.isEmpty() || repack(content);
    }

    private void count(long[] counts, int layout, int sign) {
        int[] each = Multisets.countsOf(geometry, layout);
        for (int p = 0; p < each.length; p++) {
            counts[p] += (long) sign * each[p];
        }
    }

    /** The flow of which a device helps most where room is short; -1 if none is left. */
    private int choose(long[] content, long devices) {
        int best = -1;
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < flows.size(); i++) {
            Flow flow = flows.get(i);
            if ((flow.to() == 0 && spare == 0) || pinned(flow.deviceClass())) {
                continue;
            }
            long[] with = content.clone();
            count(with, flow.to(), 1);
            double gain = shortage(content, devices) - shortage(with, devices + 1);
            // Of equal help, the one with less on it.
            gain -= 1e-6 * Long.bitCount(geometry.placementsOf(flow.to()));
            if (gain > most) {
                most = gain;
                best = i;
            }
        }
        return best;
    }

    private boolean pinned(int c) {
        return classes.cost(c, geometry.placementsOf(classes.layout[c])) == Disruption.PINNED;
    }

    private double shortage(long[] content, long devices) {
        double sum = 0;
        double need = 0;
        for (List<Inequality> block : feasibility.inequalities()) {
            double most = 0;
            for (Inequality inequality : block) {
                double load = (double) inequality.load(content) / inequality.perDevice();
                sum += Math.max(0, load - devices);
                most = Math.max(most, load);
            }
            need += most;
        }
        return feasibility.inequalities().size() == 1 ? sum : need - devices;
    }

    private boolean repack(long[] content) {
        Packing packing = Packer.of(feasibility).pack(content);
        List<Integer> layouts = new ArrayList<>();
        for (long device = 0; device < packing.devices(); device++) {
            layouts.add(packing.layoutOf(device));
        }
        if (layouts.size() > pool.size()) {
            return false;
        }
        while (layouts.size() < pool.size()) {
            layouts.add(0);
        }
        pool.sort(Comparator.comparingInt(
                flow -> -Long.bitCount(geometry.placementsOf(classes.layout[flow.deviceClass()]))));
        for (Flow flow : pool) {
            int pick = 0;
            int to = nearest(flow.deviceClass(), layouts.get(0));
            for (int i = 1; i < layouts.size(); i++) {
                int other = nearest(flow.deviceClass(), layouts.get(i));
                if (pricing.cost(flow.deviceClass(), other) < pricing.cost(flow.deviceClass(), to)) {
                    pick = i;
                    to = other;
                }
            }
            layouts.remove(pick);
            flows.add(new Flow(flow.deviceClass(), to, 1));
        }
        return true;
    }

    /** Of the layouts with equal contents, the one that leaves most in place. */
    private int nearest(int c, int like) {
        int multiset = table.multiset(geometry.placementsOf(like));
        int best = like;
        for (int layout = 0; layout < geometry.layouts(); layout++) {
            if (table.multisetOf[layout] == multiset && pricing.cost(c, layout) < pricing.cost(c, best)) {
                best = layout;
            }
        }
        return best;
    }
}
