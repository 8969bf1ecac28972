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

/**
 * Why a waiting claim fits on no arrangement of what runs: a weight for each profile, such that one device carries so much weight at most, and
 * what runs together with what is asked for weighs more than all devices carry. {@link CertificateChecker} believes none of it. Immutable.
 *
 * @param model key of the model
 * @param devices devices in service
 * @param counts what runs on them, by profile; slices of others count as well
 * @param wanted the profile that is asked for
 * @param parts weights; more than one where profiles never share a device, so that each part needs devices of its own
 */
public record InfeasibilityCertificate(
        String model, long devices, Map<String, Long> counts, String wanted, List<Part> parts) {
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

        /** What these slices weigh. */
        long weight(Map<String, Long> counts) {
            return counts.entrySet().stream()
                    .mapToLong(entry -> weights.getOrDefault(entry.getKey(), 0L) * entry.getValue())
                    .sum();
        }
    }

    /** Copies the collections. */
    public InfeasibilityCertificate {
        counts = Map.copyOf(counts);
        parts = List.copyOf(parts);
    }

    /** A certificate that one more of a profile fits on no arrangement; empty where that is not proved. */
    public static Optional<InfeasibilityCertificate> of(
            Feasibility feasibility, Map<String, Long> counts, String wanted, long devices) {
        DeviceModel model = feasibility.geometry().model();
        Map<String, Long> more = new LinkedHashMap<>(counts);
        more.merge(wanted, 1L, Long::sum);
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

    /** Devices that what runs and what is asked for need at least, if the weights are right. */
    public long needed() {
        Map<String, Long> more = new LinkedHashMap<>(counts);
        more.merge(wanted, 1L, Long::sum);
        return parts.stream()
                .mapToLong(part -> (part.weight(more) + part.perDevice() - 1) / part.perDevice())
                .sum();
    }

    @Override
    public String toString() {
        return model + ": one more " + wanted + " needs " + needed() + " devices, there are " + devices + " ("
                + String.join("; ", parts.stream().map(Part::meaning).toList()) + ")";
    }
}
