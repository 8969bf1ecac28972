package dev.sro.core.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.fixture.FakeCluster;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.fixture.Resources;
import dev.sro.core.fixture.TestClock;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import dev.sro.core.plan.Write;
import dev.sro.core.plan.WriteFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ApplierTest {

    private final FakeCluster cluster = new FakeCluster();
    private final TestClock clock = new TestClock();
    private final Applier applier = new Applier(cluster, cluster, clock);
    private final Failures failures = new Failures();

    private static KubeObject object(String kind, String name) {
        return KubeObject.of(Map.of(
                "apiVersion",
                "v1",
                "kind",
                kind,
                "metadata",
                Map.of("name", name, "labels", Map.of(MetadataKeys.SPECIAL_RESOURCE, "kmod"))));
    }

    private static Write apply(String kind, String name, boolean create) {
        return new Write.Apply(object(kind, name), create, "1000-x", "", "missing");
    }

    private void refuse(WriteException.Kind kind, String name) {
        cluster.fault = (verb, ref) -> {
            if (ref.name().equals(name)) {
                throw new WriteException(kind, verb + " refused");
            }
        };
    }

    private WriteFailure failure(String kind, String name) {
        return Objects.requireNonNull(failures.current().get(new ObjectRef("v1", kind, "", name)));
    }

    @Test
    void makesEachWriteOnceAndInOrder() {
        cluster.with(Resources.resource("kmod", "kmod", Map.of())).with(Nodes.node("n", Nodes.K1));
        ObjectRef self = new ObjectRef("sro.openshift.io/v1beta1", "SpecialResource", "", "kmod");
        TreeMap<String, String> labels = new TreeMap<>(Map.of("a", "b"));
        Applier.Result result = applier.apply(
                List.of(
                        new Write.SetFinalizer(self, "uid-kmod", true),
                        apply("ConfigMap", "new", true),
                        new Write.LabelNode("n", "uid-n", "sro.kmod", labels),
                        apply("ConfigMap", "new", false),
                        new Write.Delete(new ObjectRef("v1", "ConfigMap", "", "new"), "o1", false, "s", "", "why")),
                failures);
        assertThat(result).isEqualTo(new Applier.Result(5, 0, false));
        assertThat(cluster.writes)
                .containsExactly(
                        "finalizer SpecialResource kmod",
                        "create ConfigMap new",
                        "label Node n",
                        "apply ConfigMap new",
                        "delete ConfigMap new");
    }

    @ParameterizedTest
    @CsvSource({
        "CONFLICT,WriteConflict",
        "FORBIDDEN,Forbidden",
        "INVALID,ObjectRefused",
        "NOT_FOUND,NotFound",
        "NOT_OWNED,ObjectNotOwned"
    })
    void aRefusalHoldsUpNoOtherObject(WriteException.Kind kind, String code) {
        refuse(kind, "bad");
        Applier.Result result =
                applier.apply(List.of(apply("ConfigMap", "bad", false), apply("ConfigMap", "good", false)), failures);
        assertThat(result).isEqualTo(new Applier.Result(1, 1, false));
        assertThat(failure("ConfigMap", "bad").problem().code()).isEqualTo(code);
        assertThat(failure("ConfigMap", "bad").problem().message())
                .as("names the object and repeats what the server said, verb and all")
                .contains("ConfigMap bad", "apply refused");
    }

    @ParameterizedTest
    @CsvSource({"UNAVAILABLE", "THROTTLED"})
    void aServerThatIsAwayIsLeftAlone(WriteException.Kind kind) {
        refuse(kind, "bad");
        Applier.Result result =
                applier.apply(List.of(apply("ConfigMap", "bad", false), apply("ConfigMap", "good", false)), failures);
        assertThat(result).isEqualTo(new Applier.Result(0, 1, true));
        assertThat(cluster.writes).hasSize(1);
    }

    @Test
    void nothingIsMadeInANamespaceThatCouldNotBeMade() {
        refuse(WriteException.Kind.FORBIDDEN, "ns");
        assertThat(applier.apply(List.of(apply("Namespace", "ns", true), apply("ConfigMap", "c", true)), failures)
                        .stopped())
                .isTrue();
        assertThat(cluster.names("ConfigMap")).isEmpty();
    }

    @Test
    void aLostAnswerIsAFailureAndTheNextTryFindsTheObject() {
        cluster.lostAnswers.add("create");
        assertThat(applier.apply(List.of(apply("ConfigMap", "c", true)), failures)
                        .failed())
                .isEqualTo(1);
        assertThat(cluster.names("ConfigMap")).containsExactly("c");

        cluster.lostAnswers.clear();
        assertThat(applier.apply(List.of(apply("ConfigMap", "c", true)), failures)
                        .made())
                .isEqualTo(1);
        assertThat(failures.current()).isEmpty();
        assertThat(cluster.names("ConfigMap")).containsExactly("c");
    }

    @Test
    void waitsTwiceAsLongEachTimeUpToAMinuteAndAsLongAsTheServerWants() {
        refuse(WriteException.Kind.INVALID, "bad");
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            applier.apply(List.of(apply("ConfigMap", "bad", false)), failures);
            delays.add(Duration.between(
                            clock.instant(), failure("ConfigMap", "bad").retryAt())
                    .toSeconds());
        }
        assertThat(delays).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
        assertThat(failure("ConfigMap", "bad").attempts()).isEqualTo(9);

        cluster.fault = (verb, ref) -> {
            throw new WriteException(
                    WriteException.Kind.THROTTLED, "slow down", Optional.of(Duration.ofSeconds(17)), null);
        };
        applier.apply(List.of(apply("ConfigMap", "bad", false)), failures);
        assertThat(failure("ConfigMap", "bad").retryAt())
                .isEqualTo(clock.instant().plusSeconds(17));

        cluster.fault = (verb, ref) -> {};
        applier.apply(List.of(apply("ConfigMap", "bad", false)), failures);
        assertThat(failures.current()).isEmpty();
    }

    @Test
    void aFailureIsForgottenWhenItsWriteIsDueAndNobodyWantsItAnyMore() {
        refuse(WriteException.Kind.INVALID, "bad");
        Write bad = apply("ConfigMap", "bad", false);
        applier.apply(List.of(bad), failures);

        assertThat(failures.forgetUnwanted(List.of(), clock.instant()))
                .as("it is not due, so nobody can want it now")
                .isFalse();
        clock.advance(Duration.ofSeconds(1));
        assertThat(failures.forgetUnwanted(List.of(bad), clock.instant())).isFalse();
        assertThat(failures.forgetUnwanted(List.of(), clock.instant())).isTrue();
        assertThat(failures.current()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = WriteException.Kind.class,
            names = {"NOT_OWNED", "UNDECLARED"})
    void whatIsKnownOfAnObjectIsNotForgotten(WriteException.Kind kind) {
        refuse(kind, "bad");
        applier.apply(List.of(apply("ConfigMap", "bad", false)), failures);
        clock.advance(Duration.ofHours(1));

        assertThat(failures.forgetUnwanted(List.of(), clock.instant())).isFalse();
        assertThat(failures.current()).hasSize(1);
    }

    @Test
    void anUnexpectedFailureIsThatOfOneWriteAndOfAllThatBuildsOnIt() {
        cluster.fault = (verb, ref) -> {
            if (ref.name().startsWith("bad")) {
                throw new IllegalStateException("of which nobody thought");
            }
        };

        Applier.Result result =
                applier.apply(List.of(apply("ConfigMap", "bad", true), apply("ConfigMap", "good", true)), failures);
        assertThat(result).isEqualTo(new Applier.Result(1, 1, false));
        assertThat(failure("ConfigMap", "bad").problem().code()).isEqualTo("UnexpectedFailure");
        assertThat(failure("ConfigMap", "bad").retryAt())
                .isEqualTo(clock.instant().plus(Duration.ofMinutes(1)));

        assertThat(applier.apply(List.of(apply("Namespace", "bad", true), apply("ConfigMap", "in-it", true)), failures))
                .isEqualTo(new Applier.Result(0, 1, true));
    }
}
