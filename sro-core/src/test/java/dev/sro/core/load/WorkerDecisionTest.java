package dev.sro.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.load.WorkerDecision.Input;
import dev.sro.core.load.WorkerDecision.Pod;
import dev.sro.core.load.WorkerDecision.Recorded;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The decisions as a table, and what holds for all 1,000 combinations. */
class WorkerDecisionTest {

    private static final Set<WorkerDecision> AT_REST = EnumSet.of(
            WorkerDecision.READY,
            WorkerDecision.REST,
            WorkerDecision.HELD,
            WorkerDecision.NODE_NOT_READY,
            WorkerDecision.NODE_TAINTED);

    static Stream<String> table() throws IOException {
        try (InputStream in = Objects.requireNonNull(
                WorkerDecisionTest.class.getResourceAsStream("worker-decisions.txt"), "the table")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("table")
    void decidesAsTheTableSays(String line) {
        List<String> cells = Stream.of(line.split("\\|", -1)).map(String::strip).toList();
        String node = cells.get(3);
        List<Input> inputs = all().stream()
                .filter(in -> in.wanted() == cells.get(0).equals("yes"))
                .filter(in -> in.recorded().name().equals(cells.get(1)))
                .filter(in -> in.pod().name().equals(cells.get(2)))
                .filter(in -> switch (node) {
                    case "ready" -> in.nodeReady() && !in.tainted() && in.mayReplace();
                    case "not-ready" -> !in.nodeReady();
                    case "tainted" -> in.nodeReady() && in.tainted() && in.mayReplace();
                    case "held" -> !in.mayReplace();
                    default -> true;
                })
                .toList();

        assertThat(inputs).isNotEmpty().allMatch(in -> WorkerDecision.of(in) == WorkerDecision.valueOf(cells.get(4)));
    }

    private static List<Input> all() {
        List<Input> all = new ArrayList<>();
        for (boolean wanted : List.of(true, false)) {
            for (Recorded recorded : Recorded.values()) {
                for (Pod pod : Pod.values()) {
                    for (int bits = 0; bits < 8; bits++) {
                        all.add(new Input(wanted, recorded, pod, (bits & 1) == 0, (bits & 2) == 0, (bits & 4) == 0));
                    }
                }
            }
        }
        return all;
    }

    @Test
    void anyCombinationHasAnAnswerAndComesToRest() {
        for (Input start : all()) {
            List<String> path = new ArrayList<>();
            assertThat(rest(start, path)).as(start + " " + path).isTrue();
        }
    }

    @Test
    void anUndisturbedNodeGetsWhatIsWanted() {
        for (Input start : all()) {
            if (start.nodeReady() && !start.tainted() && start.mayReplace()) {
                Input end = end(start);
                assertThat(WorkerDecision.of(end))
                        .as(start.toString())
                        .isEqualTo(start.wanted() ? WorkerDecision.READY : WorkerDecision.REST);
            }
        }
    }

    @Test
    void nothingBeginsOnANodeThatIsNotReady() {
        assertThat(all().stream().filter(in -> !in.nodeReady()).map(WorkerDecision::of))
                .doesNotContain(WorkerDecision.LOAD, WorkerDecision.UNLOAD);
    }

    @Test
    void aPodIsMadeOnlyWhenThereIsNone() {
        assertThat(all().stream().filter(in -> in.pod() != Pod.NONE).map(WorkerDecision::of))
                .doesNotContain(WorkerDecision.LOAD, WorkerDecision.UNLOAD);
    }

    private static boolean rest(Input start, List<String> path) {
        Input at = start;
        for (int i = 0; i < 20; i++) {
            WorkerDecision decision = WorkerDecision.of(at);
            path.add(decision.name());
            if (AT_REST.contains(decision)) {
                return true;
            }
            at = after(at, decision);
        }
        return false;
    }

    private static Input end(Input start) {
        Input at = start;
        for (int i = 0; i < 20 && !AT_REST.contains(WorkerDecision.of(at)); i++) {
            at = after(at, WorkerDecision.of(at));
        }
        return at;
    }

    /** What the step leads to in a cluster where all goes well. */
    private static Input after(Input in, WorkerDecision decision) {
        return switch (decision) {
            case LOAD -> in.with(Pod.LOADS_WANTED);
            case UNLOAD -> in.with(Pod.UNLOADS_RECORDED);
            case WORKING ->
                in.with(
                        switch (in.pod()) {
                            case LOADS_WANTED -> Pod.LOADED_WANTED;
                            case UNLOADS_RECORDED -> Pod.UNLOADED_RECORDED;
                            default -> Pod.NONE;
                        });
            case RECORD -> recorded(in);
            case FORGET ->
                new Input(
                        in.wanted(),
                        Recorded.NOTHING,
                        in.pod() == Pod.NONE ? Pod.NONE : Pod.UNLOADS_OTHER,
                        in.nodeReady(),
                        in.tainted(),
                        in.mayReplace());
            case DELETE_POD, RETRY -> in.with(Pod.NONE);
            default -> in;
        };
    }

    private static Input recorded(Input in) {
        boolean other = in.pod() == Pod.LOADS_OTHER;
        return new Input(
                in.wanted(),
                other || !in.wanted() ? Recorded.OTHER : Recorded.WANTED,
                other || !in.wanted() ? Pod.LOADS_RECORDED : in.pod(),
                in.nodeReady(),
                in.tainted(),
                in.mayReplace());
    }
}
