package dev.sro.core.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OperatorOptionsTest {

    private static Arguments refused(String says, Consumer<SpecialResourceOperatorBuilder> option) {
        return Arguments.of(says, option);
    }

    static Stream<Arguments> badOptions() {
        return Stream.of(
                refused("serves: \"a in 1\" is no label selector", builder -> builder.serves("a in 1")),
                refused("field manager \"\"", builder -> builder.fieldManager("")),
                refused("field manager \"a b\"", builder -> builder.fieldManager("a b")),
                refused("1 to 115", builder -> builder.fieldManager("x".repeat(116))),
                refused("begins with \"sro.\"", builder -> builder.fieldManager("sro.mine")),
                refused("namespace", builder -> builder.namespace("Mine")),
                refused("workers 0 must be at least 1", builder -> builder.workers(0)),
                refused("writesAtOnce -1 must be at least 1", builder -> builder.writesAtOnce(-1)),
                refused("recipeAccount", builder -> builder.recipeAccount("kube-system:admin")),
                refused("runtimeImage", builder -> builder.runtimeImage("not an image")),
                refused("lease: name \"\"", builder -> builder.lease(OperatorLease.of(""))),
                refused(
                        "relistAfter PT-1S is negative",
                        builder -> builder.times(new OperatorTimes(
                                Duration.ofSeconds(1), Duration.ofSeconds(-1), Duration.ZERO, Duration.ZERO))),
                refused(
                        "pluginDeadline PT0S",
                        builder -> builder.times(
                                new OperatorTimes(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO))),
                refused(
                        "must be longer than the renew deadline",
                        builder -> builder.lease(new OperatorLease(
                                "mine", "me", Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(1)))));
    }

    @ParameterizedTest
    @MethodSource("badOptions")
    void areRefusedWhereTheyAreSet(String says, Consumer<SpecialResourceOperatorBuilder> option) {
        SpecialResourceOperatorBuilder builder = SpecialResourceOperator.builder();

        assertThatThrownBy(() -> option.accept(builder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(says);
    }

    @Test
    void withoutAClientNothingStarts() {
        assertThatThrownBy(() -> SpecialResourceOperator.builder().start())
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("client");
    }

    @Test
    void everyPartSaysWhatItsLossMeans() {
        assertThat(OperatorPart.values())
                .allSatisfy(part -> assertThat(part.consequence()).isNotBlank());
    }

    @Test
    void twoReplicasHaveTwoIdentities() {
        assertThat(OperatorLease.of("mine").identity())
                .isNotEqualTo(OperatorLease.of("mine").identity());
    }
}
