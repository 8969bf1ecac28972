package dev.sro.core.slicing.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.fixture.Peers;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.PolicyTable;
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
        assertThat(compared).isEqualTo(300 * 7);
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
