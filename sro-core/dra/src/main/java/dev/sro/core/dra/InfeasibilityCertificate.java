package dev.sro.core.dra;

import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.pack.Inequality;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Why a waiting claim fits on no arrangement of what runs: a weight for each profile, such that one device carries so much weight at most, and
 * what runs together with what is asked for weighs more than all devices carry. {@link CertificateChecker} believes none of it. Immutable.
 *
 * @param model key of the model
 * @param devices devices in service
 * @param counts what runs on them, by profile; slices of others count as well
 * @param wanted how many slices of each profile are asked for, all at the same time
 * @param parts weights; more than one where profiles never share a device, so that each part needs devices of its own
 */
public record InfeasibilityCertificate(
        String model, long devices, Map<String, Long> counts, Map<String, Long> wanted, List<Part> parts) {
    /**
     * Weights of profiles that share devices.
     *
     * @param weights by profile; those that weigh nothing are left out
     * @param perDevice what a device carries at most
     * @param meaning the same in words
     */
    public record Part(Map<String, Long> weights, long perDevice, String meaning) {
        /** Copies the map. */
        public Part {
            weights = Map.copyOf(weights);
        }

        /**
         * What these slices weigh.
         *
         * @throws ArithmeticException if that is no number of 64 bits: whoever wrote it, it is no certificate
         */
        long weight(Map<String, Long> counts) {
            return counts.entrySet().stream()
                    .mapToLong(entry -> Math.multiplyExact(weights.getOrDefault(entry.getKey(), 0L), entry.getValue()))
                    .reduce(0, Math::addExact);
        }

        /** Devices that carry so much weight at least. */
        private long devices(Map<String, Long> counts) {
            return Math.addExact(weight(counts), perDevice - 1) / perDevice;
        }
    }

    /** Copies the collections. */
    public InfeasibilityCertificate {
        counts = Map.copyOf(counts);
        wanted = Map.copyOf(wanted);
        parts = List.copyOf(parts);
    }

    /** A certificate that one more of a profile fits on no arrangement; empty where that is not proved. */
    public static Optional<InfeasibilityCertificate> of(
            Feasibility feasibility, Map<String, Long> counts, String wanted, long devices) {
        return of(feasibility, counts, Map.of(wanted, 1L), devices);
    }

    /**
     * A certificate that some slices fit on no arrangement together; empty where that is not proved.
     *
     * @param wanted how many of each profile
     */
    public static Optional<InfeasibilityCertificate> of(
            Feasibility feasibility, Map<String, Long> counts, Map<String, Long> wanted, long devices) {
        DeviceModel model = feasibility.geometry().model();
        Map<String, Long> more = sum(counts, wanted);
        List<Part> parts = new ArrayList<>();
        for (List<Inequality> block : feasibility.inequalities()) {
            block.stream()
                    .map(inequality -> part(model, inequality))
                    .max(Comparator.comparingDouble((Part part) -> (double) part.weight(more) / part.perDevice()))
                    .filter(part -> part.weight(more) > 0)
                    .ifPresent(parts::add);
        }
        InfeasibilityCertificate certificate =
                new InfeasibilityCertificate(model.key(), devices, counts, wanted, parts);
        return Optional.of(certificate).filter(made -> made.needed() > devices);
    }

    private static Part part(DeviceModel model, Inequality inequality) {
        Map<String, Long> weights = new LinkedHashMap<>();
        for (int profile = 0; profile < model.profiles().size(); profile++) {
            if (inequality.coefficients().get(profile) > 0) {
                weights.put(
                        model.profiles().get(profile).name(),
                        inequality.coefficients().get(profile));
            }
        }
        return new Part(weights, inequality.perDevice(), inequality.meaning());
    }

    /**
     * Devices that what runs and what is asked for need at least, if the weights are right.
     *
     * @throws ArithmeticException if the numbers are too large, or a part says that a device carries nothing
     */
    public long needed() {
        return devices(sum(counts, wanted));
    }

    /** Devices that what runs needs at least, without what is asked for. */
    long occupied() {
        return devices(counts);
    }

    private long devices(Map<String, Long> slices) {
        return parts.stream().mapToLong(part -> part.devices(slices)).reduce(0, Math::addExact);
    }

    /** The same weights for the same question, among other devices. */
    public InfeasibilityCertificate among(long devices, Map<String, Long> counts) {
        return new InfeasibilityCertificate(model, devices, counts, wanted, parts);
    }

    private static Map<String, Long> sum(Map<String, Long> counts, Map<String, Long> wanted) {
        Map<String, Long> sum = new LinkedHashMap<>(counts);
        wanted.forEach((profile, count) -> sum.merge(profile, count, Math::addExact));
        return sum;
    }

    /** What is asked for, such as {@code 2 x 3g.20gb and 1g.5gb}. */
    public String wantedText() {
        return String.join(
                " and ",
                new TreeMap<>(wanted)
                        .entrySet().stream()
                                .map(entry -> (entry.getValue() == 1 ? "" : entry.getValue() + " x ") + entry.getKey())
                                .toList());
    }

    @Override
    public String toString() {
        boolean one = wanted.values().stream().mapToLong(Long::longValue).sum() == 1;
        return model + ": " + (one ? "one more " + wantedText() + " needs " : wantedText() + " more need ") + needed()
                + " devices, there are " + devices + " ("
                + String.join("; ", parts.stream().map(Part::meaning).toList()) + ")";
    }
}
