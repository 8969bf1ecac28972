package dev.sro.core.slicing.simulate;

import dev.sro.core.slicing.Decision;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.SliceRequest;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.policy.PlacementPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;

/**
 * Devices of several models under a load: requests name a profile and no model, so several models may offer it. Immutable and
 * thread-safe.
 *
 * @param models models of the fleet, each once
 * @param devices devices of each model
 */
public record MixedFleet(List<DeviceModel> models, int devices) {
    /** Copies the list. */
    public MixedFleet {
        models = List.copyOf(models);
    }

    private record Departure(double time, String claim) implements Comparable<Departure> {
        @Override
        public int compareTo(Departure other) {
            return Double.compare(time, other.time);
        }
    }

    /**
     * The accepted share of what was asked for, each request counting the smallest share of a device that it could take. A loss system as
     * {@link Workload#lossSystem}: 3 holding times of warm-up, 12 measured. Equal seeds give every policy the same requests.
     *
     * @param weight how often a profile is asked for, by the smallest share of a device that it takes
     * @param load what is asked for, as a share of all devices
     */
    public double accepted(PlacementPolicy policy, DoubleUnaryOperator weight, double load, long seed) {
        return accepted(new Allocated(allocator(policy)), weight, load, seed);
    }

    /**
     * The part of the same requests that would be accepted if everything on the devices could be moved at no cost before each decision.
     *
     * @param policy which model comes first, see {@link PlacementPolicy#modelCost}
     * @param across whether slices may be moved to other models too, so that the choice of the model costs nothing either
     */
    public double repacked(PlacementPolicy policy, boolean across, DoubleUnaryOperator weight, double load, long seed) {
        return accepted(new Repacking(this, policy, across), weight, load, seed);
    }

    /** An allocator from which slices are taken and to which they are given back. */
    interface Slices {
        boolean take(String claim, String profile);

        void release(String claim);
    }

    private record Allocated(SliceAllocator allocator) implements Slices {
        @Override
        public boolean take(String claim, String profile) {
            return allocator.allocate(SliceRequest.of(claim, profile)) instanceof Decision.Granted;
        }

        @Override
        public void release(String claim) {
            allocator.release(claim);
        }
    }

    private double accepted(Slices slices, DoubleUnaryOperator weight, double load, long seed) {
        Map<String, Double> shares = shares();
        double[] weights =
                shares.values().stream().mapToDouble(weight::applyAsDouble).toArray();
        List<String> names = List.copyOf(shares.keySet());
        double sum = 0;
        double mean = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i];
            mean += weights[i] * shares.getOrDefault(names.get(i), 0.0);
        }
        double rate = load * models.size() * devices / (mean / sum);
        PriorityQueue<Departure> departures = new PriorityQueue<>();
        SplittableRandom random = new SplittableRandom(seed);
        double asked = 0;
        double accepted = 0;
        int number = 0;
        for (double time = exponential(random) / rate; time < 15; time += exponential(random) / rate) {
            while (!departures.isEmpty() && departures.peek().time() <= time) {
                slices.release(departures.remove().claim());
            }
            String profile = names.get(draw(random, weights, sum));
            double end = time + exponential(random);
            double share = time < 3 ? 0 : shares.getOrDefault(profile, 0.0);
            asked += share;
            String claim = "claim-" + number++;
            if (slices.take(claim, profile)) {
                accepted += share;
                departures.add(new Departure(end, claim));
            }
        }
        return asked == 0 ? 1 : accepted / asked;
    }

    /** The smallest share of a device per profile name, in the order of models and profiles. */
    private Map<String, Double> shares() {
        Map<String, Double> shares = new LinkedHashMap<>();
        for (DeviceModel model : models) {
            for (SliceProfile profile : model.profiles()) {
                shares.merge(profile.name(), (double) profile.size() / model.memoryUnits(), Math::min);
            }
        }
        return shares;
    }

    private SliceAllocator allocator(PlacementPolicy policy) {
        SliceAllocator allocator = SliceAllocator.create(policy);
        for (DeviceModel model : models) {
            for (int device = 0; device < devices; device++) {
                allocator.addDevice(SliceDevice.builder()
                        .id(model.key() + "/" + device)
                        .node(model.key() + "-" + device / 8)
                        .model(model)
                        .build());
            }
        }
        return allocator;
    }

    private static double exponential(SplittableRandom random) {
        return -Math.log(1 - random.nextDouble());
    }

    private static int draw(SplittableRandom random, double[] weights, double sum) {
        double left = random.nextDouble() * sum;
        for (int i = 0; i < weights.length - 1; i++) {
            left -= weights[i];
            if (left < 0) {
                return i;
            }
        }
        return weights.length - 1;
    }
}
