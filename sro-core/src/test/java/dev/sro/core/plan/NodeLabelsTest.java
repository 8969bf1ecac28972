package dev.sro.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.facts.ObservedNode;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.World;
import dev.sro.core.model.MetadataKeys;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What happens to node labels that others hold too. */
class NodeLabelsTest {

    private static final String MANAGER = MetadataKeys.nodeManager("kmod");

    private static World settled() {
        World world = new World(States.build(), States.driver(), States.check())
                .with(Nodes.bare("a", Nodes.K1, Nodes.RHCOS_84, "amd64"));
        assertThat(world.settle().converged()).isTrue();
        return world;
    }

    private static ObservedNode coOwned(ObservedNode node, String label) {
        return new ObservedNode(node.facts(), node.uid(), node.appliedLabels(), Set.of(label));
    }

    @Test
    void holdsKernelPoolAndStates() {
        World world = settled();
        assertThat(world.node("a").appliedLabels().get(MANAGER))
                .containsExactlyInAnyOrder(
                        MetadataKeys.KERNEL_LABEL,
                        MetadataKeys.poolLabel("kmod"),
                        MetadataKeys.stateLabel("kmod", "1000"),
                        MetadataKeys.stateLabel("kmod", "2000"));
    }

    @Test
    void aLabelThatSomebodyHoldsTooIsLeftToHimAndTheOthersAreWritten() {
        World world = settled();
        world.with(coOwned(Nodes.kernel(world.node("a"), Nodes.K2), MetadataKeys.poolLabel("kmod")));
        Plan plan = world.plan();

        assertThat(plan.writes())
                .filteredOn(Write.LabelNode.class::isInstance)
                .singleElement()
                .satisfies(write -> {
                    Write.LabelNode label = (Write.LabelNode) write;
                    assertThat(label.labels()).containsEntry(MetadataKeys.KERNEL_LABEL, Nodes.K2);
                    assertThat(label.labels())
                            .as("to ask for another value would make the server refuse all of them")
                            .doesNotContainKey(MetadataKeys.poolLabel("kmod"));
                });
        assertThat(plan.nodeProblems()).hasEntrySatisfying("a", problem -> {
            assertThat(problem.code()).isEqualTo("NodeLabelConflict");
            assertThat(problem.message()).contains(MetadataKeys.poolLabel("kmod"));
        });
    }

    @Test
    void aLabelThatSomebodyHoldsTooWithTheRightValueIsNoConflict() {
        World world = settled();
        world.with(coOwned(world.node("a"), MetadataKeys.poolLabel("kmod")));
        assertThat(world.plan().converged()).isTrue();
    }
}
