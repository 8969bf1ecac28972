package dev.sro.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.States;
import dev.sro.core.fixture.World;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import org.junit.jupiter.api.Test;

/** What a recipe wants to stay, stays: without owner, without its recipe, without its special resource. */
class KeepTest {

    private static State kept() {
        return State.builder()
                .from(States.config("1000-kept", "v"))
                .cleanup(State.Cleanup.KEEP)
                .build();
    }

    private static World world() {
        World world = new World(kept(), States.driver()).with(Nodes.node("a", Nodes.K1));
        world.settle();
        return world;
    }

    private static World deleted() {
        World world = world();
        world.resource = Resources.copy(world.resource);
        world.resource.getMetadata().setDeletionTimestamp("2026-01-02T00:00:00Z");
        return world;
    }

    @Test
    void garbageCollectionHasNoReasonToTakeIt() {
        World world = world();

        assertThat(world.object("c1000").annotation(MetadataKeys.KEEP)).hasValue("true");
        assertThat(world.object("c1000").maps("metadata", "ownerReferences")).isEmpty();
        assertThat(world.object("driver").maps("metadata", "ownerReferences")).isNotEmpty();
    }

    @Test
    void staysWhenTheRecipeForgetsIt() {
        World world = world();
        world.plugin.states = context -> StateGraph.chain(States.driver());

        world.settle();

        assertThat(world.objects.keySet()).extracting(ObjectRef::name).contains("c1000");
    }

    @Test
    void staysWithItsNamespaceWhenTheSpecialResourceGoes() {
        World world = deleted();

        Plan plan = world.settle();

        assertThat(world.objects.keySet()).extracting(ObjectRef::name).containsExactlyInAnyOrder("c1000", "kmod");
        assertThat(world.resource.getMetadata().getFinalizers()).isEmpty();
        assertThat(plan.done()).isTrue();
    }

    @Test
    void isTakenUpAgainByASpecialResourceOfTheSameName() {
        World world = deleted();
        world.settle();
        world.resource = Resources.copy(world.resource);
        world.resource.getMetadata().setDeletionTimestamp(null);
        world.resource.getMetadata().setUid("uid-new");
        world.resource.setStatus(null);
        String before = world.object("c1000").uid();

        Plan plan = world.settle();

        assertThat(plan.states()).allMatch(state -> state.outcome().isReady());
        assertThat(world.object("c1000").uid()).isEqualTo(before);
    }
}
