package dev.sro.runtime.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChangeLinesTest {

    private final Map<Change.Place, Change> last = new LinkedHashMap<>();
    private final Map<Change.Place, Change> now = new LinkedHashMap<>();
    private final ChangeLines lines = new ChangeLines();

    @Test
    void nodesHaveNoLineWhenTheirPoolSaysItOfAll() {
        is("", Change.WAITING, "NotReady", "0 of 2 nodes ready");
        is("a", Change.WAITING, "NotReady", "pod x is Pending");
        is("b", Change.WAITING, "NotReady", "pod y is Pending");

        assertThat(told()).containsExactly("1s 1000-driver pool Waiting: 0 of 2 nodes ready");

        is("", Change.READY, "", "");
        is("a", Change.READY, "", "");
        is("b", Change.READY, "", "");

        assertThat(told()).containsExactly("1s 1000-driver pool Ready on a b");
    }

    @Test
    void nodesThatTellTheSameShareALine() {
        is("", Change.WAITING, "NotReady", "0 of 6 nodes ready");
        List.of("a", "b", "c", "d", "e", "f").forEach(node -> is(node, Change.WAITING, "NotReady", "pod " + node));
        told();
        List.of("a", "b", "c", "d", "e").forEach(node -> is(node, Change.READY, "", ""));

        assertThat(told()).containsExactly("1s 1000-driver a b c and 2 more Ready");

        is("a", Change.WAITING, "NotReady", "pod 1");
        is("b", Change.WAITING, "NotReady", "pod 2");

        assertThat(told()).containsExactly("1s 1000-driver a b Waiting: pod 1 (the others alike)");
    }

    @Test
    void eachFailureIsToldOnItsOwn() {
        is("", Change.FAILED, "CrashLoop", "1 of 3 nodes ready; pod x on node a crashes");
        is("a", Change.FAILED, "CrashLoop", "pod x on node a crashes");
        is("b", Change.FAILED, "CrashLoop", "pod y on node b crashes");
        is("c", Change.READY, "", "");

        assertThat(told())
                .containsExactly(
                        "1s 1000-driver pool Failed: 1 of 3 nodes ready; pod x on node a crashes",
                        "1s 1000-driver b Failed: pod y on node b crashes",
                        "1s 1000-driver c Ready");
    }

    @Test
    void nothingIsSaidOfWhatWaitsForAnotherState() {
        is("", Change.WAITING, Change.PREVIOUS_STATE, "state 0000-build is not ready");
        is("a", Change.READY, "", "");

        assertThat(told()).isEmpty();

        is("", Change.READY, "", "");

        assertThat(told()).containsExactly("1s 1000-driver pool Ready on a");
    }

    @Test
    void aPoolLeavesWithItsNodes() {
        is("", Change.READY, "", "");
        is("a", Change.READY, "", "");
        told();
        now.clear();
        now.put(
                new Change.Place("1000-driver", "other", ""),
                new Change(new Change.Place("1000-driver", "other", ""), Change.READY, "", ""));

        assertThat(told())
                .containsExactly(
                        "1s 1000-driver other Ready", "1s 1000-driver pool Leaving: no node is in this pool any more");
    }

    private void is(String node, String kind, String reason, String message) {
        Change.Place place = new Change.Place("1000-driver", "pool", node);
        now.put(place, new Change(place, kind, reason, message));
    }

    /** The lines of an update, with one space where there are several. */
    private List<String> told() {
        List<String> told = lines.of("1s", Change.between(last, now), now).stream()
                .map(line -> line.strip().replaceAll(" +", " "))
                .toList();
        last.clear();
        last.putAll(now);
        return told;
    }
}
