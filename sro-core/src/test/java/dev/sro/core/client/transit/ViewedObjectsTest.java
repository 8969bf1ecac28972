package dev.sro.core.client.transit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.KubeObject;
import dev.sro.core.probe.ViewedKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Kinds that are viewed: one declaration each, and nothing here that knows any of them. */
class ViewedObjectsTest {

    private static final ViewedKind<String> QUEUES = new ViewedKind<>(
            List.of("example.com/v1/Queue"), object -> object.ref().name());
    private static final ViewedKind<Integer> SHARES = new ViewedKind<>(
            List.of("example.com/v1/Share"), object -> object.uid().length());

    private final Map<List<String>, KindObjects.Listener> open = new HashMap<>();
    private final List<String> told = new ArrayList<>();
    private final ViewedObjects objects = new ViewedObjects(
            (versions, listener) -> {
                open.put(versions, listener);
                return () -> open.remove(versions);
            },
            told::add);

    private static KubeObject queue(String name) {
        return KubeObject.of(Map.of(
                "apiVersion",
                "example.com/v1",
                "kind",
                "Queue",
                "metadata",
                Map.of("name", name, "namespace", "default", "uid", "uid-" + name)));
    }

    @Test
    void aKindIsWatchedOnceWhileAnybodyViewsIt() {
        objects.view("a", Set.of(QUEUES));
        objects.view("b", Set.of(QUEUES, SHARES));
        assertThat(open).containsOnlyKeys(QUEUES.versions(), SHARES.versions());
        objects.view("a", Set.of());
        assertThat(open).containsOnlyKeys(QUEUES.versions(), SHARES.versions());
        objects.view("b", Set.of(SHARES));
        assertThat(open).containsOnlyKeys(SHARES.versions());
        objects.close();
        assertThat(open).isEmpty();
    }

    @Test
    void whatIsSeenIsWhatTheKindKeepsAndNothingBeforeItIsListed() {
        assertThat(objects.all(QUEUES)).isEmpty();
        objects.view("a", Set.of(QUEUES, SHARES));
        KindObjects.Listener queues = Objects.requireNonNull(open.get(QUEUES.versions()));
        queues.seen(queue("one"));
        assertThat(objects.all(QUEUES)).isEmpty();
        assertThat(told).isEmpty();
        queues.listed(true);
        assertThat(objects.all(QUEUES))
                .hasValueSatisfying(all -> assertThat(all).containsExactly("one"));
        assertThat(objects.all(SHARES)).isEmpty();
        assertThat(told).containsExactly("a");
        queues.gone(queue("one"));
        assertThat(objects.all(QUEUES))
                .hasValueSatisfying(all -> assertThat(all).isEmpty());
        assertThat(told).containsExactly("a", "a");
    }
}
