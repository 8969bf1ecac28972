package dev.sro.core.slicing.pack;

import java.util.List;

/**
 * A rule that every set of instances on a fleet obeys: the sum of {@code coefficients.get(p)} times the number of
 * instances of profile {@code p} is at most {@code perDevice} times the number of devices. Immutable.
 *
 * @param coefficients one number per profile of the model, none negative
 * @param perDevice what one device has; positive
 * @param meaning the same in words, such as {@code 7 compute slices per device}
 */
public record Inequality(List<Long> coefficients, long perDevice, String meaning) {
    /** Copies the list. */
    public Inequality {
        coefficients = List.copyOf(coefficients);
    }

    /** The sum that instances take: coefficients times counts. */
    public long load(long[] counts) {
        long sum = 0;
        for (int p = 0; p < counts.length; p++) {
            sum += coefficients.get(p) * counts[p];
        }
        return sum;
    }
}
