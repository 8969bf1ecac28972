package dev.sro.core.slicing.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.fixture.Peers;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.Feasibility;
import dev.sro.core.slicing.pack.Packer;
import dev.sro.core.slicing.pack.Packing;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** 300 request sequences whose outcome under each policy was worked out by another program. */
class ReferenceSequencesTest {
    private static final Geometry A100 = Geometry.of(Models.a100());

    @Test
    void placesAsTheReferenceForEveryPolicy() {
        Map<String, PolicyTable> tables = new HashMap<>();
        for (PlacementPolicy policy : List.of(
                Policies.firstFit(),
                Policies.bestFit(),
                Policies.bestFitBestIndex(),
                Policies.worstFitBestIndex(),
                Policies.longestRun(),
                Policies.minimumFragmentation(),
                Peers.potential(0),
                Peers.hami())) {
            tables.put(policy.name(), PolicyTable.of(A100, policy));
        }
        int compared = 0;
        for (String line : Peers.lines("static-sequences.csv")) {
            String[] fields = line.split(",", -1);
            for (int i = 2; i < fields.length; i++) {
                PolicyTable table = tables.get(fields[i].substring(0, fields[i].indexOf('=')));
                if (table != null) {
                    String outcome = run(table, Integer.parseInt(fields[0]), fields[1]);
                    assertThat(table.name() + "=" + outcome).as(line).isEqualTo(fields[i]);
                    compared++;
                }
            }
        }
        assertThat(compared).isEqualTo(300 * 8);
    }

    @Test
    void certificateAcceptsWhatTheReferencePacks() {
        Feasibility certificate = Feasibility.of(A100);
        int compared = 0;
        for (String line : Peers.lines("static-sequences.csv")) {
            String[] fields = line.split(",", -1);
            int devices = Integer.parseInt(fields[0]);
            long[] counts = new long[A100.profiles()];
            int accepted = 0;
            for (int i = 0; i < fields[1].length(); i++) {
                int profile = fields[1].charAt(i) - '0';
                if (certificate.feasibleWithOneMore(counts, profile, devices)) {
                    counts[profile]++;
                    accepted++;
                }
            }
            String outcome = accepted + ":" + units(counts) + ":";
            assertThat("repack=" + outcome).as(line).isEqualTo(fields[fields.length - 2]);
            Packing packing = Packer.of(certificate).pack(counts);
            assertThat(packing.devices()).isLessThanOrEqualTo(devices);
            assertThat(packing.placed()).isEqualTo(counts);
            compared++;
        }
        assertThat(compared).isEqualTo(300);
    }

    @Test
    void noChoiceOfRequestsThatTheCertificateAllowsBeatsTheProvedOptimum() {
        Feasibility certificate = Feasibility.of(A100);
        for (String line : Peers.lines("static-sequences.csv")) {
            String[] fields = line.split(",", -1);
            long[] asked = new long[A100.profiles()];
            fields[1].chars().forEach(digit -> asked[digit - '0']++);
            long[] best = new long[2];
            choose(certificate, Integer.parseInt(fields[0]), asked, new long[asked.length], asked.length - 1, best);
            assertThat("offline=" + best[0] + ":" + best[1] + ":").as(line).isEqualTo(fields[fields.length - 1]);
        }
    }

    /** Most instances and most units, over all counts that are feasible; of the last profile as many as go. */
    private static void choose(
            Feasibility certificate, int devices, long[] asked, long[] taken, int profile, long[] best) {
        for (taken[profile] = 0; taken[profile] <= asked[profile]; taken[profile]++) {
            if (!certificate.feasible(taken, devices)) {
                break;
            }
            if (profile > 1) {
                choose(certificate, devices, asked, taken, profile - 1, best);
            } else {
                small(certificate, devices, asked, taken, best);
            }
        }
        taken[profile] = 0;
    }

    // The smallest profile takes no more of anything than another, so as many as fit are best.
    private static void small(Feasibility certificate, int devices, long[] asked, long[] taken, long[] best) {
        long low = 0;
        long high = asked[0];
        while (low < high) {
            taken[0] = low + (high - low + 1) / 2;
            boolean fits = certificate.feasible(taken, devices);
            low = fits ? taken[0] : low;
            high = fits ? high : taken[0] - 1;
        }
        taken[0] = low;
        best[0] = Math.max(best[0], Arrays.stream(taken).sum());
        best[1] = Math.max(best[1], units(taken));
        taken[0] = 0;
    }

    private static long units(long[] counts) {
        long units = 0;
        for (int profile = 0; profile < counts.length; profile++) {
            units += counts[profile] * A100.sizeOf(profile);
        }
        return units;
    }

    private static String run(PolicyTable table, int devices, String requests) {
        ModelFleet fleet = new ModelFleet(table, devices);
        int accepted = 0;
        int units = 0;
        for (int i = 0; i < requests.length(); i++) {
            int profile = requests.charAt(i) - '0';
            if (fleet.allocate(profile) != ModelFleet.NO_SLOT) {
                accepted++;
                units += A100.sizeOf(profile);
            }
        }
        StringBuilder masks = new StringBuilder();
        for (int device = 0; device < devices; device++) {
            masks.append("%02x".formatted(A100.maskOf(fleet.occupancyOf(device))));
        }
        return accepted + ":" + units + ":" + masks;
    }
}
