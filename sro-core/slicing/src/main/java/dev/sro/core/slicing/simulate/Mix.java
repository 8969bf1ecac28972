package dev.sro.core.slicing.simulate;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Frequencies with which profiles are asked for.
 *
 * @param name for reports
 * @param weights share per profile name or alias, in any unit; positive in sum
 */
public record Mix(String name, Map<String, Double> weights) {
    /** Keeps the order of the weights. */
    public Mix {
        weights = Collections.unmodifiableMap(new LinkedHashMap<>(weights));
    }

    /**
     * The mixes of Zambianco et al. (arXiv 2511.18906) by name, over the six profiles without media extensions of MIG devices of
     * seven slices, smallest first. The names are theirs; the weights are a reconstruction.
     */
    public static List<Mix> published(Geometry geometry) {
        return List.of(
                of("uniform", geometry, 1, 1, 1, 1, 1, 1),
                of("skew-small", geometry, 0.30, 0.25, 0.20, 0.10, 0.10, 0.05),
                of("skew-big", geometry, 0.05, 0.10, 0.10, 0.20, 0.25, 0.30),
                of("bimodal", geometry, 0.30, 0.15, 0.05, 0.05, 0.15, 0.30));
    }

    /** Every profile of a model equally often. */
    public static Mix uniform(Geometry geometry) {
        Map<String, Double> weights = new LinkedHashMap<>();
        geometry.model().profiles().forEach(profile -> weights.put(profile.name(), 1.0));
        return new Mix("uniform", weights);
    }

    /** Weights of the first profiles of a model that take no media engine, in the order of the model. */
    static Mix of(String name, Geometry geometry, double... weights) {
        Map<String, Double> named = new LinkedHashMap<>();
        List<String> plain = geometry.model().profiles().stream()
                .map(profile -> profile.name())
                .filter(profile -> !profile.contains("+") && !profile.contains("-me"))
                .toList();
        for (int i = 0; i < weights.length; i++) {
            named.put(plain.get(i), weights[i]);
        }
        return new Mix(name, named);
    }

    /**
     * Shares per profile index of a model, with sum 1.
     *
     * @throws IllegalArgumentException naming the profile that the model does not have, or the weight that is not a share
     */
    double[] shares(Geometry geometry) {
        double[] shares = new double[geometry.profiles()];
        double sum = 0;
        for (Map.Entry<String, Double> weight : weights.entrySet()) {
            int profile = geometry.model().indexOf(weight.getKey());
            if (profile < 0) {
                throw new IllegalArgumentException(
                        "mix " + name + ": " + geometry.model().key() + " has no profile "
                                + weight.getKey() + "; it has "
                                + geometry.model().profiles().stream()
                                        .map(each -> each.name())
                                        .toList());
            }
            if (!(weight.getValue() >= 0) || weight.getValue().isInfinite()) {
                throw new IllegalArgumentException(
                        "mix " + name + ": the weight of " + weight.getKey() + " is " + weight.getValue());
            }
            shares[profile] += weight.getValue();
            sum += weight.getValue();
        }
        if (!(sum > 0)) {
            throw new IllegalArgumentException("mix " + name + ": no profile has a positive weight");
        }
        for (int i = 0; i < shares.length; i++) {
            shares[i] /= sum;
        }
        return shares;
    }
}
