package dev.sro.core.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.core.build.BuildRecord.Phase;
import dev.sro.core.model.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class BuildQueueTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private static final BuildStep STEP = Builds.step(Builds.plan().build(), Builds.KUBERNETES);

    private static BuildQueue.Need need(String pool, boolean missing, BuildStep... steps) {
        return new BuildQueue.Need(pool, new BuildSteps(List.of(steps), Optional.empty()), missing);
    }

    private static BuildRecord record(String pool, BuildStep step, int attempt, Phase phase, Duration ago) {
        return new BuildRecord(
                new ObjectRef("batch/v1", "Job", "acme-ns", step.name(attempt)),
                "uid",
                pool,
                step.hash(),
                attempt,
                phase,
                NOW.minus(ago),
                "",
                "");
    }

    private record Decision(SortedMap<String, PoolBuild> all) {
        PoolBuild get(String pool) {
            return Objects.requireNonNull(all.get(pool));
        }
    }

    private static Decision decide(
            Collection<BuildRecord> records, boolean room, int perResource, BuildQueue.Need... needs) {
        BuildSettings settings =
                BuildSettings.builder().perResource(perResource).build();
        return decide(records, room, settings, "cc: no such file", Optional.empty(), needs);
    }

    private static Decision decide(
            Collection<BuildRecord> records,
            boolean room,
            BuildSettings settings,
            String log,
            Optional<Problem> obstacle,
            BuildQueue.Need... needs) {
        BuildQueue.Pods pods = new BuildQueue.Pods() {
            @Override
            public String end(BuildRecord failed) {
                return log;
            }

            @Override
            public Optional<Problem> obstacle(BuildRecord running) {
                return obstacle;
            }
        };
        return new Decision(new BuildQueue(records, pods, name -> room, NOW, settings).decide(List.of(needs)));
    }

    private static Problem failure(String log, Duration ago) {
        PoolBuild build = decide(
                        List.of(record("a", STEP, 1, Phase.FAILED, ago)),
                        true,
                        BuildSettings.DEFAULTS,
                        log,
                        Optional.empty(),
                        need("a", true, STEP))
                .get("a");
        assertThat(build.outcome()).as(String.valueOf(attempts(build))).isInstanceOf(Outcome.Failed.class);
        return ((Outcome.Failed) build.outcome()).problem();
    }

    @Test
    void aCompileErrorIsNotTriedAgain() {
        String log = "#9 1.2 x.c:3:5: error: unknown type name 'u33'\n#9 1.3 make: *** [Makefile:3: all] Error 2\n"
                + "error: failed to solve: process \"/bin/sh -c make all\" did not complete successfully: exit code: 2";

        assertThat(failure(log, Duration.ofDays(1)).message())
                .contains("failed: x.c:3:5: error: unknown type name 'u33'; attempt 1, the last one");
    }

    @Test
    void whatTheRegistryOrTheNetworkDidIsTriedAgain() {
        String log = "#12 ERROR: failed to push registry.example/x: dial tcp 10.0.0.1:443: connect: connection refused";

        PoolBuild build = decide(
                        List.of(record("a", STEP, 1, Phase.FAILED, Duration.ofDays(1))),
                        true,
                        BuildSettings.DEFAULTS,
                        log,
                        Optional.empty(),
                        need("a", true, STEP))
                .get("a");
        assertThat(attempts(build)).containsExactly(2);
        assertThat(failure(log, Duration.ofSeconds(1)).message())
                .contains("connection refused", "attempt 1, the next one at");
    }

    @Test
    void aBuilderThatCannotBePulledIsAProblemAtOnce() {
        Problem pull = Problem.platform("ImagePullFailed", "pod acme-ns/b-x on node n: ErrImagePull: not found");

        PoolBuild build = decide(
                        List.of(record("a", STEP, 1, Phase.RUNNING, Duration.ZERO)),
                        true,
                        BuildSettings.DEFAULTS,
                        "",
                        Optional.of(pull),
                        need("a", true, STEP))
                .get("a");

        assertThat(word(build)).isEqualTo("ImagePullFailed");
        assertThat(attempts(build)).containsExactly(1);
    }

    private static PoolBuild decide(BuildRecord... records) {
        return decide(List.of(records), true, 3, need("a", true, STEP)).get("a");
    }

    private static String word(PoolBuild build) {
        return build.outcome() instanceof Outcome.Waiting waiting
                ? waiting.reason()
                : build.outcome() instanceof Outcome.Failed failed
                        ? failed.problem().code()
                        : "Ready";
    }

    private static List<Integer> attempts(PoolBuild build) {
        return build.runs().stream().map(PoolBuild.Run::attempt).toList();
    }

    @Test
    void beginsWhatNobodyBuiltYet() {
        PoolBuild build = decide();
        assertThat(word(build)).isEqualTo("BuildRunning");
        assertThat(attempts(build)).containsExactly(1);
    }

    @Test
    void letsABuildRunThatRuns() {
        PoolBuild build = decide(record("a", STEP, 2, Phase.RUNNING, Duration.ZERO));
        assertThat(word(build)).isEqualTo("BuildRunning");
        assertThat(attempts(build)).containsExactly(2);
    }

    @Test
    void waitsForTheImageThatWasPushedAndBuildsItAgainWhenItIsGone() {
        PoolBuild fresh = decide(record("a", STEP, 1, Phase.DONE, Duration.ofMinutes(1)));
        assertThat(word(fresh)).isEqualTo("BuiltImageAwaited");
        assertThat(attempts(fresh)).containsExactly(1);
        assertThat(fresh.wakeUp()).isEqualTo(NOW.plus(Duration.ofMinutes(14)));

        PoolBuild gone = decide(record("a", STEP, 1, Phase.DONE, Duration.ofMinutes(15)));
        assertThat(attempts(gone)).containsExactly(2);

        PoolBuild there = decide(
                        List.of(record("a", STEP, 1, Phase.DONE, Duration.ofDays(9))), true, 3, need("a", false, STEP))
                .get("a");
        assertThat(word(there)).isEqualTo("Ready");
        assertThat(attempts(there)).containsExactly(1);
        assertThat(there.wakeUp()).isEqualTo(Instant.MAX);
    }

    @Test
    void showsTheEndOfTheLogAndTriesAgainLaterEachTime() {
        PoolBuild first = decide(record("a", STEP, 1, Phase.FAILED, Duration.ofSeconds(59)));
        assertThat(first.outcome()).isInstanceOfSatisfying(Outcome.Failed.class, failed -> {
            assertThat(failed.problem().code()).isEqualTo("BuildFailed");
            assertThat(failed.problem().owner()).isEqualTo(Problem.Owner.VENDOR);
            assertThat(failed.problem().message())
                    .contains("registry.example.com/acme/driver:v1")
                    .contains(" failed: cc: no such file; attempt 1, the next one at 2026-01-01T12:00:01Z; ")
                    .endsWith("The end of its log:\ncc: no such file");
        });
        assertThat(first.wakeUp()).isEqualTo(NOW.plusSeconds(1));
        assertThat(attempts(first)).containsExactly(1);

        assertThat(attempts(decide(record("a", STEP, 1, Phase.FAILED, Duration.ofMinutes(1)))))
                .containsExactly(2);
        assertThat(attempts(decide(record("a", STEP, 3, Phase.FAILED, Duration.ofMinutes(3)))))
                .containsExactly(3);
        assertThat(attempts(decide(record("a", STEP, 3, Phase.FAILED, Duration.ofMinutes(4)))))
                .containsExactly(4);
        assertThat(attempts(decide(record("a", STEP, 50, Phase.FAILED, Duration.ofHours(1)))))
                .containsExactly(51);
    }

    @Test
    void goesByTheNewestAttempt() {
        PoolBuild build = decide(
                record("a", STEP, 1, Phase.FAILED, Duration.ofHours(1)),
                record("a", STEP, 2, Phase.RUNNING, Duration.ZERO));
        assertThat(attempts(build)).containsExactly(2);
    }

    @Test
    void signsAfterTheBuildOnly() {
        BuildStep sign =
                new BuildStep(BuildStep.Kind.SIGN, "acme", "acme-ns", STEP.pool(), STEP.method(), STEP.plan(), "5164");
        PoolBuild building = decide(
                        List.of(record("a", STEP, 1, Phase.RUNNING, Duration.ZERO)),
                        true,
                        3,
                        need("a", true, STEP, sign))
                .get("a");
        assertThat(building.runs()).extracting(PoolBuild.Run::step).containsExactly(STEP);

        PoolBuild signing = decide(
                        List.of(record("a", STEP, 1, Phase.DONE, Duration.ofDays(1))),
                        true,
                        3,
                        need("a", true, STEP, sign))
                .get("a");
        assertThat(signing.runs()).extracting(PoolBuild.Run::step).containsExactly(STEP, sign);
    }

    @Test
    void runsSoManyAtATimeInTheOrderOfThePools() {
        List<BuildQueue.Need> needs = new ArrayList<>();
        for (String pool : List.of("e", "d", "c", "b", "a")) {
            needs.add(need(pool, true, STEP));
        }
        Decision first = decide(List.of(), true, 2, needs.toArray(BuildQueue.Need[]::new));
        assertThat(first.all().values().stream().map(BuildQueueTest::word))
                .containsExactly("BuildRunning", "BuildRunning", "BuildQueued", "BuildQueued", "BuildQueued");

        Decision next = decide(
                List.of(
                        record("a", STEP, 1, Phase.DONE, Duration.ZERO),
                        record("b", STEP, 1, Phase.RUNNING, Duration.ZERO)),
                true,
                2,
                needs.toArray(BuildQueue.Need[]::new));
        assertThat(next.all().values().stream().map(BuildQueueTest::word))
                .containsExactly("BuiltImageAwaited", "BuildRunning", "BuildRunning", "BuildQueued", "BuildQueued");
    }

    @Test
    void waitsForAPlaceInTheClusterAndKeepsTheFailureToBeSeen() {
        PoolBuild fresh = decide(List.of(), false, 3, need("a", true, STEP)).get("a");
        assertThat(word(fresh)).isEqualTo("BuildQueued");
        assertThat(fresh.runs()).isEmpty();

        PoolBuild failed = decide(
                        List.of(record("a", STEP, 1, Phase.FAILED, Duration.ofHours(1))),
                        false,
                        3,
                        need("a", true, STEP))
                .get("a");
        assertThat(word(failed)).isEqualTo("BuildFailed");
        assertThat(attempts(failed)).containsExactly(1);
    }

    @Test
    void leavesOldInputsBehind() {
        BuildStep changed = Builds.step(Builds.plan().dockerfile("FROM other").build(), Builds.KUBERNETES);
        PoolBuild build = decide(
                        List.of(record("a", STEP, 4, Phase.DONE, Duration.ZERO)), true, 3, need("a", false, changed))
                .get("a");
        assertThat(build.runs()).containsExactly(new PoolBuild.Run(changed, 1));
    }

    @Test
    void saysWhyNothingCanBeBuilt() {
        Outcome why = Outcome.failed(Problem.user("BuildSecretMissing", "create it"));
        BuildQueue.Need need = new BuildQueue.Need("a", new BuildSteps(List.of(), Optional.of(why)), true);
        assertThat(decide(List.of(), true, 3, need).get("a")).isEqualTo(new PoolBuild(List.of(), why, Instant.MAX));
    }
}
