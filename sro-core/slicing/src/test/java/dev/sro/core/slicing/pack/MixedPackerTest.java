package dev.sro.core.slicing.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.slicing.fixture.Models;
import dev.sro.core.slicing.fixture.OtherModels;
import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.pack.MixedPacking.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class MixedPackerTest {
    private static final List<Feasibility> MODELS = List.of(
            Feasibility.of(Geometry.of(Models.a100())),
            Feasibility.of(Geometry.of(OtherModels.a30())),
            Feasibility.of(Geometry.of(OtherModels.modes())),
            Feasibility.of(Geometry.of(OtherModels.rtxPro6000())));
    private static final Feasibility A100 = MODELS.get(0);
    private static final Feasibility A30 = MODELS.get(1);

    private static MixedDemand one(long count, String a100, String a30) {
        return new MixedDemand(count, Map.of("A100-40GB", a100, "A30-24GB", a30));
    }

    @Example
    void takesTheModelThatIsCheaperForWhatIsAsked() {
        // Seven quarters fill an A100; the last one is not worth another, and an A30 carries four for less.
        MixedPacker packer = MixedPacker.builder().add(A100, 10).add(A30, 7).build();
        MixedPacking packing = packer.pack(List.of(one(11, "1g.5gb", "1g.6gb")));
        assertThat(packing.verdict()).isEqualTo(Verdict.OPTIMAL);
        assertThat(packing.cost()).isEqualTo(17);
        assertThat(packing.lowerBound()).isEqualTo(17);
        assertThat(packing.gap()).isZero();
        assertThat(packing.shares()).containsExactly(List.of(7L, 4L));
        assertThat(packing.packings()).extracting(Packing::devices).containsExactly(1L, 1L);
        assertThat(packer.pack(List.of(one(12, "1g.5gb", "1g.6gb"))).cost()).isEqualTo(20);
    }

    @Example
    void takesNoMoreThanThereIs() {
        MixedPacker packer =
                MixedPacker.builder().add(A100, 10, 2).add(A30, 100, 1).build();
        MixedPacking packing = packer.pack(List.of(one(16, "1g.5gb", "1g.6gb")));
        assertThat(packing.cost()).isEqualTo(120);
        assertThat(packing.packings()).extracting(Packing::devices).containsExactly(2L, 1L);
        MixedPacking tooMany = packer.pack(List.of(one(19, "1g.5gb", "1g.6gb")));
        assertThat(tooMany.verdict()).isEqualTo(Verdict.INFEASIBLE);
        assertThat(tooMany.found()).isFalse();
    }

    @Example
    void provesThatThereIsNothingWhereTheRelaxationGoesBeyondALimit() {
        MixedPacker packer = MixedPacker.builder()
                .add(MODELS.get(2), 1, 1)
                .add(MODELS.get(3), 1, 1)
                .build();
        MixedPacking packing = packer.pack(List.of(
                new MixedDemand(1, Map.of("RTXPRO6000-96GB", "2g.48gb+me.all", "modes", "spx")),
                new MixedDemand(1, Map.of("RTXPRO6000-96GB", "1g.24gb", "modes", "spx")),
                new MixedDemand(1, Map.of("RTXPRO6000-96GB", "2g.48gb+me.all", "modes", "dpx"))));
        assertThat(packing.verdict()).isEqualTo(Verdict.INFEASIBLE);
    }

    @Example
    void costOfAMillionDevicesIsProvedOrNearlySo() {
        MixedPacker packer = MixedPacker.builder()
                .add(A100, 1000)
                .add(A30, 437, 300_000)
                .add(MODELS.get(3), 1290)
                .build();
        MixedPacking packing = packer.pack(List.of(
                new MixedDemand(
                        3_000_001, Map.of("A100-40GB", "1g.5gb", "A30-24GB", "1g.6gb", "RTXPRO6000-96GB", "1g.24gb")),
                new MixedDemand(
                        900_007, Map.of("A100-40GB", "2g.10gb", "A30-24GB", "2g.12gb", "RTXPRO6000-96GB", "2g.48gb")),
                new MixedDemand(
                        100_003, Map.of("A100-40GB", "3g.20gb", "A30-24GB", "4g.24gb", "RTXPRO6000-96GB", "4g.96gb")),
                new MixedDemand(50_021, Map.of("A100-40GB", "7g.40gb"))));
        assertThat(packing.found()).isTrue();
        // Three devices of a million.
        assertThat(packing.gap()).isLessThanOrEqualTo(3000);
        assertThat(packing.packings().stream().mapToLong(Packing::gap).sum()).isZero();
    }

    @Example
    void refusesWhatItCanNotUnderstand() {
        MixedPacker packer = MixedPacker.builder().add(A100, 1).build();
        assertThatThrownBy(() -> packer.pack(List.of(new MixedDemand(-1, Map.of("A100-40GB", "1g.5gb")))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1 is negative");
        assertThatThrownBy(() -> packer.pack(List.of(one(1, "1g.5gb", "1g.6gb"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must name one or more of the models [A100-40GB] and no others");
        assertThatThrownBy(() -> packer.pack(List.of(new MixedDemand(1, Map.of("A100-40GB", "1g.6gb")))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("model A100-40GB has no profile 1g.6gb");
        assertThatThrownBy(() -> packer.pack(List.of(packer.demand(1, "none"))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MixedPacker.builder().add(A100, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("price 0");
        assertThatThrownBy(() -> MixedPacker.builder().add(A100, 1).add(A100, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("added before");
    }

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void costsWhatTheCheapestOfAllSplitsCosts(
            @ForAll @Size(min = 1, max = 3) List<@IntRange(max = 3) Integer> kinds,
            @ForAll @Size(min = 1, max = 3) List<@IntRange(max = 7) Integer> needs,
            @ForAll @Size(value = 4) List<@IntRange(min = 1, max = 12) Integer> prices,
            @ForAll @Size(value = 4) List<@IntRange(max = 9) Integer> stocks,
            @ForAll @IntRange(max = 10_000) int choice) {
        MixedPacker.Builder builder = MixedPacker.builder();
        List<Feasibility> models = kinds.stream().distinct().map(MODELS::get).toList();
        for (int m = 0; m < models.size(); m++) {
            // 9 stands for no limit.
            long stock = stocks.get(m) == 9 ? Long.MAX_VALUE : stocks.get(m);
            builder.add(models.get(m), prices.get(m), stock);
        }
        int rest = choice;
        List<MixedDemand> demands = new ArrayList<>();
        for (int need : needs) {
            Map<String, String> profiles = new HashMap<>();
            for (Feasibility model : models) {
                int profile = rest % model.geometry().profiles();
                profiles.put(
                        model.geometry().model().key(),
                        model.geometry().profile(profile).name());
                rest = rest * 31 % 10_007;
            }
            demands.add(new MixedDemand(need, profiles));
        }
        long least = cheapest(models, prices, stocks, demands, new long[models.size()][], 0);
        MixedPacking packing = builder.build().pack(demands);
        String paste = models.stream().map(m -> m.geometry().model().key()).toList() + " at " + prices + " of " + stocks
                + ": " + demands;
        assertThat(packing.verdict())
                .as(paste)
                .isEqualTo(least == Long.MAX_VALUE ? Verdict.INFEASIBLE : Verdict.OPTIMAL);
        if (packing.found()) {
            assertThat(packing.cost()).as(paste).isEqualTo(least);
            holdsWhatWasAsked(models, demands, packing);
        }
    }

    private static void holdsWhatWasAsked(List<Feasibility> models, List<MixedDemand> demands, MixedPacking packing) {
        long[][] counts = new long[models.size()][];
        Arrays.setAll(counts, m -> new long[models.get(m).geometry().profiles()]);
        for (int j = 0; j < demands.size(); j++) {
            long sum = 0;
            for (int m = 0; m < counts.length; m++) {
                long share = packing.shares().get(j).get(m);
                String key = models.get(m).geometry().model().key();
                counts[m][
                        models.get(m)
                                .geometry()
                                .model()
                                .indexOf(demands.get(j).profiles().getOrDefault(key, ""))] += share;
                sum += share;
            }
            assertThat(sum).isEqualTo(demands.get(j).count());
        }
        for (int m = 0; m < counts.length; m++) {
            assertThat(packing.packings().get(m).placed()).isEqualTo(counts[m]);
        }
    }

    /** Every way to divide every demand; what a division costs is the packer's, which has its own exhaustive test. */
    private static long cheapest(
            List<Feasibility> models,
            List<Integer> prices,
            List<Integer> stocks,
            List<MixedDemand> demands,
            long[][] counts,
            int at) {
        if (at == 0) {
            Arrays.setAll(counts, m -> new long[models.get(m).geometry().profiles()]);
        }
        if (at == demands.size()) {
            long sum = 0;
            for (int m = 0; m < counts.length; m++) {
                long devices = models.get(m).minDevices(counts[m]);
                if (stocks.get(m) < 9 && devices > stocks.get(m)) {
                    return Long.MAX_VALUE;
                }
                sum += devices * prices.get(m);
            }
            return sum;
        }
        return divide(
                models, prices, stocks, demands, counts, at, 0, demands.get(at).count());
    }

    private static long divide(
            List<Feasibility> models,
            List<Integer> prices,
            List<Integer> stocks,
            List<MixedDemand> demands,
            long[][] counts,
            int at,
            int model,
            long left) {
        if (model == models.size()) {
            return left > 0 ? Long.MAX_VALUE : cheapest(models, prices, stocks, demands, counts, at + 1);
        }
        long least = Long.MAX_VALUE;
        var geometry = models.get(model).geometry();
        int profile = geometry.model()
                .indexOf(
                        demands.get(at).profiles().getOrDefault(geometry.model().key(), ""));
        for (long share = 0; share <= left; share++) {
            counts[model][profile] += share;
            least = Math.min(least, divide(models, prices, stocks, demands, counts, at, model + 1, left - share));
            counts[model][profile] -= share;
        }
        return least;
    }
}
