package dev.sro.core.engine.roster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.DeviceMatcher.Presence;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.TestPlugin;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.NodeFields;
import dev.sro.core.recipe.Recipe;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A roster is the same with what is remembered as without. */
class RosterMemoTest {

    private static final String NAME = "gpu";
    private static final String DEVICE = "example.com/device";
    private static final int HISTORIES = 150;
    private static final int STEPS = 40;

    private final TestPlugin plugin = plugin();
    private final SpecialResource resource = Resources.resource(NAME, NAME, Map.of(DEVICE, "true"));
    private final Recipe recipe = Resources.recipe(resource, plugin);

    private static TestPlugin plugin() {
        TestPlugin plugin = new TestPlugin(NAME, States.driver());
        plugin.presence = node -> switch (node.labels().getOrDefault("present", "yes")) {
            case "yes" -> Presence.PRESENT;
            case "no" -> Presence.ABSENT;
            default -> Presence.UNKNOWN;
        };
        plugin.key = node ->
                node.labels().containsKey("key") ? Map.of("key", node.labels().get("key")) : Map.of();
        plugin.labels = node ->
                node.labels().containsKey("wish") ? Map.of("wish", node.labels().get("wish")) : Map.of();
        plugin.labelsWithout = plugin.labels;
        return plugin;
    }

    private static ObservedNode node(int i) {
        return Nodes.label(Nodes.node("n" + i, i % 2 == 0 ? Nodes.K1 : Nodes.K2), DEVICE, "true");
    }

    private static ObservedNode changed(ObservedNode node, Random random) {
        return switch (random.nextInt(9)) {
            case 0 -> Nodes.relabel(node, DEVICE, random.nextBoolean() ? "true" : "false");
            case 1 ->
                Nodes.relabel(node, "present", List.of("yes", "no", "unknown").get(random.nextInt(3)));
            case 2 -> Nodes.relabel(node, "key", random.nextBoolean() ? "a" : "b");
            case 3 -> Nodes.relabel(node, "wish", random.nextBoolean() ? "a" : "b");
            case 4 -> Nodes.kernel(node, random.nextBoolean() ? Nodes.K1 : Nodes.K2);
            case 5 -> Nodes.tainted(node, "a=b:NoSchedule", random.nextBoolean());
            case 6 ->
                Nodes.applied(
                        node,
                        MetadataKeys.nodeManager(NAME),
                        new NodeFields(new TreeMap<>(
                                random.nextBoolean()
                                        ? Map.of(MetadataKeys.stateLabel(NAME, "1000"), "Ready")
                                        : Map.of())));
            case 7 -> Nodes.ready(node, random.nextBoolean());
            default -> Nodes.relabel(node, "note", "v" + random.nextInt(3));
        };
    }

    @Test
    void isTheSameWhateverHappenedToNodesBefore() {
        for (int seed = 0; seed < HISTORIES; seed++) {
            Random random = new Random(seed);
            RosterMemo memo = new RosterMemo();
            Map<String, ObservedNode> nodes = new TreeMap<>();
            for (int i = 0; i < 1 + random.nextInt(6); i++) {
                nodes.put("n" + i, node(i));
            }
            // Most histories have few changes of the kind that makes a roster another one.
            int eager = 1 + random.nextInt(10);
            for (int step = 0; step < STEPS; step++) {
                change(nodes, random, eager);
                Map<String, Problem> takers =
                        random.nextInt(10) == 0 ? Map.of("n0", Problem.user("NodeTaken", "older")) : Map.of();
                Function<List<ObservedNode>, Map<String, Problem>> rivals = served -> {
                    Map<String, Problem> taken = new HashMap<>(takers);
                    taken.keySet()
                            .retainAll(served.stream().map(ObservedNode::name).toList());
                    return taken;
                };
                boolean excuses = random.nextBoolean();
                Predicate<ObservedNode> excuse = node -> excuses;
                List<ObservedNode> all = new ArrayList<>(nodes.values());
                assertThat(memo.of(resource, recipe, all, rivals, excuse))
                        .as("seed %d, step %d", seed, step)
                        .usingRecursiveComparison()
                        .isEqualTo(new RosterMemo().of(resource, recipe, all, rivals, excuse));
            }
        }
    }

    private static void change(Map<String, ObservedNode> nodes, Random random, int eager) {
        if (random.nextInt(3 * eager) == 0) {
            nodes.put("n9", node(9));
        }
        if (random.nextInt(3 * eager) == 0) {
            nodes.remove("n" + random.nextInt(6));
        }
        nodes.replaceAll((name, node) -> random.nextInt(eager) == 0
                ? changed(node, random)
                : random.nextInt(3) == 0 ? Nodes.relabel(node, "note", "w" + random.nextInt(9)) : node);
    }

    @Test
    void asksOnlyAboutNodesThatChanged() {
        AtomicInteger asked = new AtomicInteger();
        plugin.presence = node -> {
            asked.incrementAndGet();
            return Presence.PRESENT;
        };
        RosterMemo memo = new RosterMemo();
        List<ObservedNode> nodes = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            nodes.add(node(i));
        }
        Roster first = memo.of(resource, recipe, nodes, served -> Map.of(), node -> false);
        assertThat(asked).hasValue(9);
        assertThat(memo.of(resource, recipe, nodes, served -> Map.of(), node -> false))
                .isSameAs(first);

        nodes.set(4, Nodes.relabel(nodes.get(4), "note", "x"));
        Roster second = memo.of(resource, recipe, nodes, served -> Map.of(), node -> false);
        assertThat(asked).hasValue(10);
        assertThat(second.pools()).isSameAs(first.pools());
        assertThat(second.members()).containsEntry("n4", nodes.get(4)).hasSize(9);

        nodes.set(5, Nodes.relabel(nodes.get(5), DEVICE, "false"));
        assertThat(memo.of(resource, recipe, nodes, served -> Map.of(), node -> false)
                        .members())
                .hasSize(8);
        assertThat(asked).as("what was asked about the others is still known").hasValue(10);
    }
}
