package dev.sro.core.slicing.pack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.fixture.OtherModels;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.MixedPacking.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How far the packer is from its own lower bound on random problems of two to four models, prices up to 2,000 and up to 15,000 instances. */
class MixedPackerGapTest {
    private static final List<Feasibility> MODELS = List.of(
            Feasibility.of(Geometry.of(Models.a100())),
            Feasibility.of(Geometry.of(OtherModels.a30())),
            Feasibility.of(Geometry.of(OtherModels.modes())),
            Feasibility.of(Geometry.of(OtherModels.rtxPro6000())));
    private static final int DEAREST = 2_000;

    @Test
    void closesTheGapOnAThousandRandomProblems() {
        int infeasible = 0;
        for (int seed = 0; seed < 1_000; seed++) {
            MixedPacking packing = packed(seed);
            assertThat(packing.verdict()).as("seed " + seed).isIn(Verdict.OPTIMAL, Verdict.INFEASIBLE);
            infeasible += packing.verdict() == Verdict.INFEASIBLE ? 1 : 0;
        }
        assertThat(infeasible).isBetween(10, 100);
    }

    @Tag("slow")
    @Test
    void staysWithinAThirdOfADeviceOnMany() {
        int open = 0;
        for (int seed = 1_000; seed < 20_000; seed++) {
            MixedPacking packing = packed(seed);
            assertThat(packing.verdict()).as("seed " + seed).isNotEqualTo(Verdict.NOT_FOUND);
            assertThat(packing.gap()).as("seed " + seed).isLessThan(DEAREST / 3);
            open += packing.gap() > 0 ? 1 : 0;
        }
        assertThat(open).isLessThan(20);
    }

    private static MixedPacking packed(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Feasibility> models = new ArrayList<>(MODELS);
        while (models.size() > 2 + random.nextInt(3)) {
            models.remove(random.nextInt(models.size()));
        }
        MixedPacker.Builder builder = MixedPacker.builder();
        for (Feasibility model : models) {
            int price = 1 + random.nextInt(DEAREST);
            if (random.nextInt(3) == 0) {
                builder.add(model, price, 1 + random.nextInt(2_000));
            } else {
                builder.add(model, price);
            }
        }
        List<MixedDemand> demands = new ArrayList<>();
        for (int left = 1 + random.nextInt(5); left > 0; left--) {
            Map<String, String> profiles = new HashMap<>();
            for (Feasibility model : models) {
                if (random.nextInt(4) > 0 || (profiles.isEmpty() && model == models.get(models.size() - 1))) {
                    Geometry geometry = model.geometry();
                    profiles.put(
                            geometry.model().key(),
                            geometry.profile(random.nextInt(geometry.profiles()))
                                    .name());
                }
            }
            demands.add(new MixedDemand(1 + random.nextInt(random.nextBoolean() ? 30 : 3_000), profiles));
        }
        return builder.build().pack(demands);
    }
}
