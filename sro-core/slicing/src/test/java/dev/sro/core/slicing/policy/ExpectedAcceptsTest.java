package dev.sro.core.slicing.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.fixture.Peers;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How many of 1 to 14 random requests one device accepts, exactly, against the numbers of another program. */
class ExpectedAcceptsTest {
    private static final Geometry A100 = Geometry.of(Models.a100());
    private static final int MOST = 14;

    private static final Map<String, double[]> MIXES = Map.of(
            "uniform", new double[] {1, 1, 1, 1, 1, 1},
            "skew-small", new double[] {0.30, 0.25, 0.20, 0.10, 0.10, 0.05},
            "skew-big", new double[] {0.05, 0.10, 0.10, 0.20, 0.25, 0.30},
            "bimodal", new double[] {0.30, 0.15, 0.05, 0.05, 0.15, 0.30},
            "classic5", new double[] {0.35, 0, 0.25, 0.20, 0.10, 0.10},
            "migbench", new double[] {35, 0, 25, 25, 0, 5});

    private static final Map<String, PolicyTable> TABLES = new HashMap<>();

    static {
        for (PlacementPolicy policy : List.of(
                Policies.firstFit(),
                Policies.bestFit(),
                Policies.bestFitBestIndex(),
                Policies.worstFitBestIndex(),
                Policies.longestRun(),
                Policies.minimumFragmentation(),
                Peers.hami(),
                Peers.potential(0))) {
            TABLES.put(policy.name(), PolicyTable.of(A100, policy));
        }
    }

    @Test
    void everyPolicyAcceptsWhatItShould() {
        List<String> lines = Peers.lines("single-device-expectations.csv");
        for (String line : lines) {
            String[] fields = line.split(",", -1);
            double[] weights = MIXES.getOrDefault(fields[0], new double[0]);
            double[] expected = expectations(fields[1], weights);
            assertThat(fields).hasSize(MOST + 2);
            for (int requests = 1; requests <= MOST; requests++) {
                assertThat(expected[requests])
                        .as("%s, %s, %s requests", fields[0], fields[1], requests)
                        .isCloseTo(Double.parseDouble(fields[requests + 1]), within(2e-9));
            }
        }
        assertThat(lines).hasSize(6 * 10);
    }

    /** For an empty device, by number of requests. */
    private static double[] expectations(String policy, double[] weights) {
        double sum = 0;
        for (double weight : weights) {
            sum += weight;
        }
        double[] of = new double[A100.occupancies()];
        double[] result = new double[MOST + 1];
        for (int requests = 1; requests <= MOST; requests++) {
            double[] next = new double[of.length];
            for (int occupancy = 0; occupancy < of.length; occupancy++) {
                for (int profile = 0; profile < weights.length; profile++) {
                    next[occupancy] += weights[profile] / sum * one(policy, of, occupancy, profile);
                }
            }
            of = next;
            result[requests] = of[0];
        }
        return result;
    }

    private static double one(String policy, double[] of, int occupancy, int profile) {
        PolicyTable table = TABLES.get(policy);
        if (table != null) {
            int placement = table.placement(occupancy, profile);
            return placement == PolicyTable.NONE ? of[occupancy] : 1 + of[A100.add(occupancy, placement)];
        }
        assertThat(policy).isIn("optimum", "optimum-without-refusing");
        double best = -1;
        for (int k = A100.firstPlacement(profile); k < A100.firstPlacement(profile + 1); k++) {
            if ((A100.addable(occupancy) >>> k & 1) != 0) {
                best = Math.max(best, 1 + of[A100.add(occupancy, k)]);
            }
        }
        return best < 0 ? of[occupancy] : policy.equals("optimum") ? Math.max(best, of[occupancy]) : best;
    }

    @Test
    void aPotentialPlusAConstantIsTheSamePolicy() {
        PolicyTable table = PolicyTable.of(A100, Peers.potential(0));
        for (double constant : new double[] {-7, 0.5, 1000}) {
            PolicyTable other = PolicyTable.of(A100, Peers.potential(constant));
            for (int profile = 0; profile < A100.profiles(); profile++) {
                for (int occupancy = 0; occupancy < A100.occupancies(); occupancy++) {
                    assertThat(other.placement(occupancy, profile)).isEqualTo(table.placement(occupancy, profile));
                    if (table.placement(occupancy, profile) != PolicyTable.NONE) {
                        assertThat(tie(other, occupancy, profile)).isEqualTo(tie(table, occupancy, profile));
                    }
                }
            }
        }
    }

    /** Where the group of equally good occupancies ends. */
    private static int tie(PolicyTable table, int occupancy, int profile) {
        return table.tieEnd(profile, table.rank(occupancy, profile));
    }
}
