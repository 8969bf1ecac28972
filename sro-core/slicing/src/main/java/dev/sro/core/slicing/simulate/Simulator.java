package dev.sro.core.slicing.simulate;

import dev.sro.core.slicing.defrag.Move;
import dev.sro.core.slicing.fleet.ModelFleet;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.policy.Fragmentation;
import dev.sro.core.slicing.policy.PolicyTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Runs a workload against a fleet of one model. For policies that choose the node first, each 8 devices are a node. Time is that of the workload; nothing waits. One instance is one run; not
 * thread-safe.
 */
public final class Simulator {
    private static final int NODE = 8;

    private final Geometry geometry;
    private final @Nullable Feasibility feasibility;
    private final PolicyTable policy;
    private final ModelFleet fleet;
    private final RoomMaker roomMaker;
    private final Workload workload;

    private final PriorityQueue<Departure> departures = new PriorityQueue<>();
    private final Map<Long, Departure> bySlot = new HashMap<>();
    private final Deque<Workload.Arrival> queue = new ArrayDeque<>();
    private final long[] requested;
    private final long[] accepted;
    private long sequence;
    private long infeasible;
    private long fragmented;
    private long moves;
    private long triggers;
    private long calls;
    private long nanos;
    private int fragmentation;
    private double fragmentationSum;
    private long samples;
    private double now;
    private int usedUnits;
    private int usedCompute;
    private double unitTime;
    private double computeTime;

    private Simulator(
            PolicyTable policy,
            @Nullable Feasibility feasibility,
            int devices,
            RoomMaker roomMaker,
            Workload workload) {
        this.geometry = policy.geometry();
        this.feasibility = feasibility;
        this.policy = policy;
        this.fleet = new ModelFleet(policy, devices);
        this.roomMaker = roomMaker;
        this.workload = workload;
        this.requested = new long[geometry.profiles()];
        this.accepted = new long[geometry.profiles()];
    }

    /** Runs {@code workload} on {@code devices} empty devices; {@code roomMaker} is asked when a request does not fit. */
    public static SimulationReport run(
            PolicyTable policy, Feasibility feasibility, int devices, RoomMaker roomMaker, Workload workload) {
        return new Simulator(policy, feasibility, devices, roomMaker, workload).run();
    }

    /** Runs {@code workload} on {@code devices} empty devices, without moves; every refusal counts as fragmented, as no proof is looked for. */
    public static SimulationReport run(PolicyTable policy, int devices, Workload workload) {
        return new Simulator(policy, null, devices, RoomMaker.NONE, workload).run();
    }

    /** A slice that will go; its slot changes when it is moved. */
    private static final class Departure implements Comparable<Departure> {
        final double time;
        final long sequence;
        final int profile;
        long slot;

        Departure(double time, long sequence, int profile, long slot) {
            this.time = time;
            this.sequence = sequence;
            this.profile = profile;
            this.slot = slot;
        }

        @Override
        public int compareTo(Departure other) {
            int byTime = Double.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }

    private SimulationReport run() {
        for (Workload.Arrival arrival : workload.arrivals()) {
            departUntil(arrival.time());
            pass(arrival.time());
            arrive(arrival);
        }
        double measured = Math.max(1e-9, now - workload.measuredFrom());
        List<SimulationReport.Profile> profiles = new ArrayList<>();
        for (int i = 0; i < requested.length; i++) {
            profiles.add(new SimulationReport.Profile(
                    geometry.profile(i).name(), geometry.sizeOf(i), requested[i], accepted[i]));
        }
        int slices = computeSlices();
        return new SimulationReport(
                policy.name(),
                workload.name(),
                profiles,
                infeasible,
                fragmented,
                moves,
                triggers,
                unitTime / measured / Math.max(1, fleet.devices() * geometry.units()),
                computeTime / measured / Math.max(1, fleet.devices() * slices),
                samples == 0 ? 0 : fragmentationSum / samples,
                calls == 0 ? 0 : (double) nanos / calls);
    }

    // A model that does not say how many it has has at least as many as its widest profile.
    private int computeSlices() {
        int most = Math.max(1, geometry.model().computeSlices());
        for (int i = 0; i < geometry.profiles(); i++) {
            most = Math.max(most, geometry.profile(i).computeSlices());
        }
        return most;
    }

    private void departUntil(double time) {
        while (!departures.isEmpty() && departures.peek().time <= time) {
            Departure gone = departures.remove();
            pass(gone.time);
            bySlot.remove(gone.slot);
            change(gone.slot, gone.profile, -1, () -> fleet.release(gone.slot));
            if (workload.waiting()) {
                admitWaiting();
            }
        }
    }

    private void pass(double time) {
        double from = Math.max(now, workload.measuredFrom());
        if (time > from) {
            unitTime += usedUnits * (time - from);
            computeTime += usedCompute * (time - from);
        }
        now = Math.max(now, time);
    }

    private void arrive(Workload.Arrival arrival) {
        boolean counted = arrival.time() >= workload.measuredFrom();
        if (counted) {
            requested[arrival.profile()]++;
            fragmentationSum += (double) fragmentation / fleet.devices();
            samples++;
        }
        long slot = place(arrival, counted);
        if (slot != ModelFleet.NO_SLOT) {
            accepted[arrival.profile()] += counted ? 1 : 0;
        } else if (workload.waiting()) {
            queue.add(arrival);
        } else if (counted) {
            refuse(arrival.profile());
        }
    }

    private void refuse(int profile) {
        if (feasibility == null) {
            fragmented++;
            return;
        }
        long[] counts = new long[requested.length];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = fleet.live(i);
        }
        if (feasibility.feasibleWithOneMore(counts, profile, fleet.usableDevices())) {
            fragmented++;
        } else {
            infeasible++;
        }
    }

    private long place(Workload.Arrival arrival, boolean counted) {
        long started = System.nanoTime();
        long slot = policy.emptiestNodeFirst() ? onEmptiestNode(arrival.profile()) : fleet.allocate(arrival.profile());
        if (slot == ModelFleet.NO_SLOT && roomMaker != RoomMaker.NONE) {
            List<Move> made = roomMaker.makeRoom(fleet, arrival.profile());
            if (!made.isEmpty()) {
                follow(made);
                fragmentation = recount();
                slot = fleet.allocate(arrival.profile());
                moves += counted ? made.size() : 0;
                triggers += counted ? 1 : 0;
            }
        }
        nanos += System.nanoTime() - started;
        calls++;
        if (slot != ModelFleet.NO_SLOT) {
            admitted(arrival, slot);
        }
        return slot;
    }

    private int recount() {
        int sum = 0;
        for (int device = 0; device < fleet.devices(); device++) {
            sum += Fragmentation.measure(geometry, fleet.occupancyOf(device));
        }
        return sum;
    }

    private long onEmptiestNode(int profile) {
        int bestDevice = -1;
        long most = -1;
        for (int node = 0; node < fleet.devices(); node += NODE) {
            int end = Math.min(node + NODE, fleet.devices());
            int device = -1;
            long free = -geometry.sizeOf(profile);
            for (int each = node; each < end; each++) {
                int occupancy = fleet.occupancyOf(each);
                free += geometry.freeUnits(occupancy);
                device = device < 0 && policy.rank(occupancy, profile) != PolicyTable.NONE ? each : device;
            }
            long share = 100 * free / ((long) (end - node) * geometry.units());
            if (device >= 0 && share > most) {
                most = share;
                bestDevice = device;
            }
        }
        if (bestDevice < 0) {
            return ModelFleet.NO_SLOT;
        }
        int placement = policy.placement(fleet.occupancyOf(bestDevice), profile);
        fleet.occupy(bestDevice, placement);
        return ModelFleet.slot(bestDevice, placement);
    }

    // All old slots first: one slice may take the place of another.
    private void follow(List<Move> made) {
        List<@Nullable Departure> moving = new ArrayList<>();
        for (Move move : made) {
            moving.add(bySlot.remove(ModelFleet.slot(move.device(), move.placement())));
        }
        for (int i = 0; i < made.size(); i++) {
            Departure departure = moving.get(i);
            if (departure != null) {
                departure.slot =
                        ModelFleet.slot(made.get(i).toDevice(), made.get(i).toPlacement());
                bySlot.put(departure.slot, departure);
            }
        }
    }

    private void admitted(Workload.Arrival arrival, long slot) {
        // Taken already; the score of the device before is worked out from the layout without the slice.
        int device = ModelFleet.device(slot);
        int before = geometry.occupancyOf(geometry.toggle(fleet.layoutOf(device), ModelFleet.placement(slot)));
        fragmentation +=
                Fragmentation.measure(geometry, fleet.occupancyOf(device)) - Fragmentation.measure(geometry, before);
        usedUnits += geometry.sizeOf(arrival.profile());
        usedCompute += geometry.profile(arrival.profile()).computeSlices();
        if (arrival.holding() < Double.POSITIVE_INFINITY) {
            Departure departure = new Departure(now + arrival.holding(), sequence++, arrival.profile(), slot);
            departures.add(departure);
            bySlot.put(slot, departure);
        }
    }

    private void change(long slot, int profile, int sign, Runnable action) {
        int device = ModelFleet.device(slot);
        int before = Fragmentation.measure(geometry, fleet.occupancyOf(device));
        action.run();
        fragmentation += Fragmentation.measure(geometry, fleet.occupancyOf(device)) - before;
        usedUnits += sign * geometry.sizeOf(profile);
        usedCompute += sign * geometry.profile(profile).computeSlices();
    }

    // In the order of arrival; a profile that has just been refused is not tried again.
    private void admitWaiting() {
        boolean[] refused = new boolean[requested.length];
        queue.removeIf(arrival -> {
            if (refused[arrival.profile()]) {
                return false;
            }
            if (place(arrival, true) == ModelFleet.NO_SLOT) {
                refused[arrival.profile()] = true;
                return false;
            }
            fleet.countWaited();
            accepted[arrival.profile()]++;
            return true;
        });
    }
}
