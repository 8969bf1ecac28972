package dev.sro.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose the taints of a node are, as tables. Several taints of a cell have a blank between them, - is none. */
class NodeTaintsTest {

    private static List<String> list(String cell) {
        return cell.equals("-") ? List.of() : List.of(cell.split(" "));
    }

    @ParameterizedTest(name = "{0} recorded {1} wanted {2}")
    @CsvSource({
        // live, recorded, wanted, live after, recorded after
        "-, -, k=v:NoSchedule, k=v:NoSchedule, k=v:NoSchedule",
        "o:NoExecute, -, k=v:NoSchedule, o:NoExecute k=v:NoSchedule, k=v:NoSchedule",
        // Somebody else's stays whatever becomes of ours.
        "k=v:NoSchedule, -, k=v:NoSchedule, k=v:NoSchedule, -",
        "k=v:NoSchedule, -, -, k=v:NoSchedule, -",
        "k=x:NoSchedule, -, k=v:NoSchedule, k=x:NoSchedule, -",
        // The same key with another effect is another taint.
        "k=x:NoExecute, -, k=v:NoSchedule, k=x:NoExecute k=v:NoSchedule, k=v:NoSchedule",
        "k=v:NoExecute, -, k=v:NoSchedule, k=v:NoExecute k=v:NoSchedule, k=v:NoSchedule",
        "k=v:NoExecute k=v:NoSchedule, k=v:NoSchedule, -, k=v:NoExecute, -",
        "k=v:PreferNoSchedule k=v:NoSchedule, k=v:NoSchedule, k=w:NoSchedule,"
                + " k=v:PreferNoSchedule k=w:NoSchedule, k=w:NoSchedule",
        // Of one whose effect is to change only ours goes, although the admin's has the new effect.
        "k=v:NoExecute k=v:NoSchedule, k=v:NoSchedule, k=v:NoExecute, k=v:NoExecute, -",
        // Ours goes, changes, and comes back.
        "k=v:NoSchedule, k=v:NoSchedule, -, -, -",
        "k=v:NoSchedule, k=v:NoSchedule, k=w:NoSchedule, k=w:NoSchedule, k=w:NoSchedule",
        "-, k=v:NoSchedule, k=v:NoSchedule, k=v:NoSchedule, k=v:NoSchedule",
        "-, k=v:NoSchedule, -, -, -",
        "a:NoSchedule b:NoSchedule, a:NoSchedule b:NoSchedule, b:NoSchedule, b:NoSchedule, b:NoSchedule",
        // Who changed its value has made it his own.
        "k=x:NoSchedule, k=v:NoSchedule, k=v:NoSchedule, k=x:NoSchedule, -",
        "k=x:NoSchedule, k=v:NoSchedule, -, k=x:NoSchedule, -",
    })
    void shares(String live, String recorded, String wanted, String after, String recordedAfter) {
        NodeTaints shared = new NodeTaints(list(live), list(recorded)).sharing(list(wanted));

        assertThat(shared.taints()).containsExactlyElementsOf(list(after));
        assertThat(shared.recorded()).containsExactlyElementsOf(list(recordedAfter));
        assertThat(shared.sharing(list(wanted)))
                .as("doing it again changes nothing")
                .isEqualTo(shared);
    }

    @ParameterizedTest
    @CsvSource({
        "k=x:NoSchedule, -, k=v:NoSchedule, k=x:NoSchedule",
        "k=v:NoSchedule, -, k=v:NoSchedule, -",
        "k=v:NoSchedule, k=v:NoSchedule, k=w:NoSchedule, -",
        "k=x:NoSchedule, -, -, -",
    })
    void saysWhatStandsInTheWay(String live, String recorded, String wanted, String foreign) {
        assertThat(new NodeTaints(list(live), list(recorded)).contradicting(list(wanted)))
                .containsExactlyElementsOf(list(foreign));
    }

    @Test
    void aRecordIsReadAsItWasWritten() {
        NodeTaints taints = new NodeTaints(List.of(), List.of("a/b=c:NoSchedule", "d:NoExecute"));
        assertThat(NodeTaints.parse(taints.text())).isEqualTo(taints.recorded());
        assertThat(NodeTaints.parse("")).isEmpty();
    }

    @Test
    void allChangesOfANodeAreOne() {
        TaintChange change = TaintChange.NONE
                .and("ready:NoSchedule", false)
                .and("new:NoSchedule", true)
                .and(new TaintChange.Share("sro.dev/taints-gpu", List.of("gpu=a:NoSchedule")));
        NodeTaints before = new NodeTaints(List.of("ready=x:NoSchedule", "own:NoSchedule"), List.of());

        NodeTaints after = change.on(before);

        assertThat(after.taints()).containsExactly("own:NoSchedule", "new:NoSchedule", "gpu=a:NoSchedule");
        assertThat(after.recorded()).containsExactly("gpu=a:NoSchedule");
        assertThat(change.on(after)).isEqualTo(after);
        assertThat(new TaintChange(new TreeSet<>(), new TreeSet<>(), Optional.empty()).isEmpty())
                .isTrue();
    }
}
