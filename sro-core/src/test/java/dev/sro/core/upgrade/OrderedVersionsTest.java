package dev.sro.core.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.upgrade.OrderedVersions.Action;
import dev.sro.core.upgrade.OrderedVersions.Mark;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class OrderedVersionsTest {

    @ParameterizedTest(name = "{0}: {1}, {2}, {3}")
    @CsvFileSource(resources = "ordered-versions.csv", numLinesToSkip = 1)
    void everyCombinationHasAnAction(String origin, Mark module, Mark worker, Mark schedule, Action action) {
        assertThat(OrderedVersions.next(module, worker, schedule)).as(origin).isEqualTo(action);
    }

    @ParameterizedTest
    @CsvSource({",v1,v1", ",v1,v2", ",,v1", "v2,v1,v1", "v2,v1,", "v2,,v1", "v2,v2,v1", "v2,v1,v2", "v2,v2,v2", "v2,,"})
    void fromAnywhereItLeadsToTheWantedVersionAndTakesUsersOffFirst(
            @Nullable String module, @Nullable String worker, @Nullable String schedule) {
        String loaded = worker;
        String used = schedule;
        Set<Action> taken = new HashSet<>();
        Action next = OrderedVersions.forLabels(module, loaded, used);
        for (int i = 0; next != Action.NONE; i++) {
            assertThat(i).isLessThan(5);
            assertThat(taken.add(next)).as("twice: " + next).isTrue();
            switch (next) {
                case DELETE_SCHEDULE -> used = null;
                case DELETE_WORKER -> {
                    assertThat(used).isNull();
                    loaded = null;
                }
                case ADD_WORKER -> loaded = module;
                default -> used = module;
            }
            next = OrderedVersions.forLabels(module, loaded, used);
        }
        assertThat(loaded).isEqualTo(module);
        assertThat(used).isEqualTo(module);
    }

    @Test
    void unloadingWaitsForPodsAndLoadingForTheReadyLabel() {
        assertThat(OrderedVersions.waitsFor(Action.DELETE_WORKER, true, false)).isPresent();
        assertThat(OrderedVersions.waitsFor(Action.DELETE_WORKER, false, true)).isEmpty();
        assertThat(OrderedVersions.waitsFor(Action.ADD_WORKER, false, true)).isPresent();
        assertThat(OrderedVersions.waitsFor(Action.ADD_WORKER, true, false)).isEmpty();
        assertThat(OrderedVersions.waitsFor(Action.DELETE_SCHEDULE, true, true)).isEmpty();
    }
}
