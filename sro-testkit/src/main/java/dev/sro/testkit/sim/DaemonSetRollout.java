package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.sim.DaemonSetState.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** One step of a DaemonSet's rolling update: which old pods go now, and where a surge pod comes. */
final class DaemonSetRollout {
    private final ObjectNode ds;
    private final DaemonSetState state;

    DaemonSetRollout(ObjectNode ds, DaemonSetState state) {
        this.ds = ds;
        this.state = state;
    }

    /** How many nodes may have two pods during the update. */
    int surge() {
        return resolve("maxSurge", 0);
    }

    private int unavailable() {
        int n = resolve("maxUnavailable", 1);
        return n == 0 && surge() == 0 ? 1 : n;
    }

    private int resolve(String field, int fallback) {
        return percent(
                JsonNodes.at(ds, "spec", "updateStrategy", "rollingUpdate", field), state.desired, fallback, true);
    }

    /** A number, or a percentage of {@code total}. */
    static int percent(JsonNode value, int total, int fallback, boolean up) {
        String text = value.asText("");
        if (!text.endsWith("%")) {
            return value.asInt(fallback);
        }
        long hundredths = Long.parseLong(text.substring(0, text.length() - 1)) * total;
        return (int) (up ? (hundredths + 99) / 100 : hundredths / 100);
    }

    /** Does one step and returns the nodes it touched. */
    Set<String> step(Consumer<String> deletePod, Consumer<String> createOn) {
        return surge() > 0 ? surgeStep(deletePod, createOn) : replaceStep(deletePod);
    }

    private Set<String> replaceStep(Consumer<String> deletePod) {
        Set<String> touched = new TreeSet<>(state.of(Progress.OLD_UNAVAILABLE));
        int budget = unavailable() - state.of(Progress.BUSY).size();
        for (String node : state.of(Progress.OLD_AVAILABLE)) {
            if (budget <= 0) {
                break;
            }
            touched.add(node);
            budget--;
        }
        touched.forEach(n -> deletePods(n, deletePod));
        return touched;
    }

    private Set<String> surgeStep(Consumer<String> deletePod, Consumer<String> createOn) {
        Set<String> done = new TreeSet<>(state.of(Progress.SURGED));
        Set<String> begin = new TreeSet<>(state.of(Progress.OLD_UNAVAILABLE));
        int budget = surge() - state.of(Progress.SURGING).size();
        for (String node : state.of(Progress.OLD_AVAILABLE)) {
            if (budget <= 0) {
                break;
            }
            begin.add(node);
            budget--;
        }
        done.forEach(n -> deleteOldest(n, deletePod));
        begin.forEach(createOn);
        Set<String> touched = new TreeSet<>(done);
        touched.addAll(begin);
        return touched;
    }

    private void deletePods(String node, Consumer<String> deletePod) {
        List<String> pods = new ArrayList<>(state.pods(node));
        pods.forEach(deletePod);
    }

    /** Of the two pods of a node the older one has the old template. */
    private void deleteOldest(String node, Consumer<String> deletePod) {
        state.pods(node).stream().findFirst().ifPresent(deletePod);
    }
}
