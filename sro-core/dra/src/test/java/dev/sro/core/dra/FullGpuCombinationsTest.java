package dev.sro.core.dra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.dra.ChurnModel.Way;
import dev.sro.core.slicing.policy.Regime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The 32 combinations of slices that NVIDIA lists for an A100-40GB, in all orders in which they can come, one pod after the other on one GPU: in how
 * many of these orders first-fit finds a place for all of them. Each of the combinations fits.
 */
class FullGpuCombinationsTest {
    private static final List<String> COMBINATIONS = List.of(
            "1x1g.10gb 1x1g.5gb+me 5x1g.5gb",
            "1x1g.10gb 6x1g.5gb",
            "1x2g.10gb 1x1g.10gb 1x1g.5gb+me 3x1g.5gb",
            "1x2g.10gb 1x1g.10gb 4x1g.5gb",
            "1x2g.10gb 2x1g.10gb 1x1g.5gb+me 1x1g.5gb",
            "1x2g.10gb 2x1g.10gb 2x1g.5gb",
            "1x2g.10gb 3x1g.10gb",
            "1x3g.20gb 1x1g.10gb 1x1g.5gb+me 1x1g.5gb",
            "1x3g.20gb 1x1g.10gb 2x1g.5gb",
            "1x3g.20gb 1x1g.5gb+me 3x1g.5gb",
            "1x3g.20gb 1x2g.10gb 1x1g.10gb",
            "1x3g.20gb 1x2g.10gb 1x1g.5gb+me 1x1g.5gb",
            "1x3g.20gb 1x2g.10gb 2x1g.5gb",
            "1x3g.20gb 2x1g.10gb",
            "1x3g.20gb 2x2g.10gb",
            "1x3g.20gb 4x1g.5gb",
            "1x4g.20gb 1x1g.10gb 1x1g.5gb+me 1x1g.5gb",
            "1x4g.20gb 1x1g.10gb 2x1g.5gb",
            "1x4g.20gb 1x2g.10gb 1x1g.10gb",
            "1x4g.20gb 1x3g.20gb",
            "1x4g.20gb 2x1g.10gb",
            "1x7g.40gb",
            "2x1g.10gb 1x1g.5gb+me 3x1g.5gb",
            "2x1g.10gb 4x1g.5gb",
            "2x2g.10gb 1x1g.10gb 1x1g.5gb+me 1x1g.5gb",
            "2x2g.10gb 1x1g.10gb 2x1g.5gb",
            "2x2g.10gb 2x1g.10gb",
            "2x3g.20gb",
            "3x1g.10gb 1x1g.5gb+me 1x1g.5gb",
            "3x1g.10gb 2x1g.5gb",
            "3x2g.10gb 1x1g.10gb",
            "4x1g.10gb");

    /** All orders, and whether first-fit admits them, by way: what real schedulers are held against. {@code -Dsro.orders.write=true} makes it anew. */
    private static final Path ORDERS = Path.of("src/test/resources/dev/sro/core/dra/full-gpu-orders.csv");

    private static final List<Way> RECORDED = List.of(Way.NVIDIA, Way.STATIC, Way.ADVISORY);

    /** Orders that are admitted, and combinations that are admitted in every order. */
    private record Admitted(int orders, int of, int always) {}

    @ParameterizedTest
    @CsvSource({
        "NVIDIA, STEADY, 321, 4",
        "STATIC, STEADY, 165, 11",
        "ADVISORY, STEADY, 249, 11",
        "STATIC, FILLING, 389, 12",
        "ADVISORY, FILLING, 456, 13"
    })
    void ordersThatAreAdmitted(Way way, Regime regime, int orders, int always) {
        assertThat(admitted(way, ChurnModel.tables(regime))).isEqualTo(new Admitted(orders, 657, always));
    }

    @Test
    void whatRealSchedulersAreHeldAgainstIsWhatFirstFitDoes() throws IOException {
        ModelTables tables = ChurnModel.tables(Regime.STEADY);
        StringBuilder table = new StringBuilder("order,nvidia,static,advisory\n");
        for (String combination : COMBINATIONS) {
            for (List<String> order : orders(List.of(), wishes(combination))) {
                table.append(String.join(" ", order));
                RECORDED.forEach(way -> table.append(all(way, tables, order) ? ",yes" : ",no"));
                table.append('\n');
            }
        }
        if (Boolean.getBoolean("sro.orders.write")) {
            Files.createDirectories(ORDERS.getParent());
            Files.writeString(ORDERS, table);
        }
        assertThat(ORDERS).hasContent(table.toString());
    }

    @Test
    void eachCombinationFits() {
        assertThat(COMBINATIONS)
                .hasSize(32)
                .allSatisfy(combination -> assertThat(
                                count(Way.ADVISORY, ChurnModel.tables(Regime.STEADY), wishes(combination))[0])
                        .as(combination)
                        .isPositive());
    }

    private static Admitted admitted(Way way, ModelTables tables) {
        int orders = 0;
        int of = 0;
        int always = 0;
        for (String combination : COMBINATIONS) {
            int[] count = count(way, tables, wishes(combination));
            orders += count[0];
            of += count[1];
            always += count[0] == count[1] ? 1 : 0;
        }
        return new Admitted(orders, of, always);
    }

    private static Map<String, Integer> wishes(String combination) {
        Map<String, Integer> wishes = new TreeMap<>();
        for (String part : combination.split(" ", -1)) {
            wishes.put(part.substring(2), part.charAt(0) - '0');
        }
        return wishes;
    }

    /** Orders of the rest after these have come. */
    private static List<List<String>> orders(List<String> come, Map<String, Integer> rest) {
        if (rest.isEmpty()) {
            return List.of(come);
        }
        List<List<String>> orders = new ArrayList<>();
        for (String profile : rest.keySet()) {
            Map<String, Integer> less = new TreeMap<>(rest);
            less.computeIfPresent(profile, (name, count) -> count > 1 ? count - 1 : null);
            List<String> more = new ArrayList<>(come);
            more.add(profile);
            orders.addAll(orders(more, less));
        }
        return orders;
    }

    /** Of all orders: admitted, and all. */
    private static int[] count(Way way, ModelTables tables, Map<String, Integer> wishes) {
        List<List<String>> orders = orders(List.of(), wishes);
        return new int[] {
            (int) orders.stream().filter(order -> all(way, tables, order)).count(), orders.size()
        };
    }

    private static boolean all(Way way, ModelTables tables, List<String> profiles) {
        ChurnNode node = ChurnModel.node(tables, 1, way);
        for (String profile : profiles) {
            Optional<ChurnNode.Place> place = node.find(ChurnModel.profile(profile), PlacementRanking.LAST_CLASS);
            if (place.isEmpty()) {
                return false;
            }
            node.allocate(place.get());
        }
        return true;
    }
}
