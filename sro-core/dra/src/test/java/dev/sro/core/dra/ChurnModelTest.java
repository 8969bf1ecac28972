package dev.sro.core.dra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.dra.ChurnModel.Result;
import dev.sro.core.dra.ChurnModel.Scene;
import dev.sro.core.dra.ChurnModel.Way;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an order and loss classes are worth where pods come and go, and what they cost in writes. */
class ChurnModelTest {
    /** The issue that asked for it: not more than one write for three pods; what was saved up before comes on top of that. */
    private static final double WRITES_PER_POD = 1.0 / 3;

    private static final double SAVED = 4.5;

    private final StringBuilder table = new StringBuilder("rejected in %, writes per pod\n");

    @Test
    void ordersAndLossClassesRejectLessForOneWriteInThreePods() {
        judge(play(List.of(80, 90), 2, 1, 500));
    }

    /** The table of docs/slicing/dra.md; {@code -Dsro.churn.seeds=10} for more. */
    @Test
    @Tag("slow")
    void largerAndMoreMixes() {
        judge(play(List.of(80, 90), 4, Integer.getInteger("sro.churn.seeds", 1), 2000));
    }

    private Map<Way, Result> play(List<Integer> loads, int mixes, int seeds, int pods) {
        Map<Way, Result> all = new EnumMap<>(Way.class);
        for (int nodes : new int[] {1, 8}) {
            for (int load : loads) {
                for (int mix = 0; mix < mixes; mix++) {
                    Scene scene = new Scene(nodes, 8, load, ChurnModel.mixes().get(mix));
                    play(scene, seeds, pods).forEach((way, result) -> all.merge(way, result, Result::plus));
                }
            }
        }
        line("all", all);
        System.out.println(table);
        return all;
    }

    private Map<Way, Result> play(Scene scene, int seeds, int pods) {
        Map<Way, Result> results = new EnumMap<>(Way.class);
        for (Way way : Way.values()) {
            for (int seed = 0; seed < seeds; seed++) {
                Result result = ChurnModel.play(scene, way, seed, pods);
                assertThat(result.writes()).as("%s %s", scene, way).isLessThanOrEqualTo((int)
                        (WRITES_PER_POD * pods + scene.nodes() * SAVED));
                results.merge(way, result, Result::plus);
            }
        }
        line(scene.toString(), results);
        return results;
    }

    private void line(String name, Map<Way, Result> results) {
        List<String> cells = new ArrayList<>();
        results.forEach((way, result) -> cells.add(String.format(
                Locale.ROOT,
                "%s %.2f (%.2f)",
                way.name().toLowerCase(Locale.ROOT),
                result.rejectedPercent(),
                result.writesPerPod())));
        table.append(name).append(": ").append(String.join(" | ", cells)).append('\n');
    }

    private static void judge(Map<Way, Result> all) {
        assertThat(rejected(all, Way.ADVISORY)).isLessThan(rejected(all, Way.NVIDIA));
        assertThat(rejected(all, Way.LOSS_CLASSES)).isLessThan(rejected(all, Way.ADVISORY));
        assertThat(rejected(all, Way.LOSS_CLASSES)).isLessThan(rejected(all, Way.STALE_CLASSES));
    }

    private static double rejected(Map<Way, Result> all, Way way) {
        return Objects.requireNonNull(all.get(way)).rejectedPercent();
    }
}
