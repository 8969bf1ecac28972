package dev.sro.core.apply;

import dev.sro.core.load.WorkerPods;
import dev.sro.core.plan.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes a plan's writes apart into runs that are made one after the other, each of lanes that do not depend on each other. The order
 * of a plan means something between kinds of writes (a node is marked before its pod is deleted, what a state shares is there before
 * what its pools have) and within one node, pod or pool; between two nodes it means nothing. Stateless.
 */
final class WriteRuns {

    /** Which run a write may be part of, and in which lane of it. Writes with the same run that follow each other are made side by side. */
    private record Place(String run, Object lane) {}

    private static final String NODES = "nodes";
    private static final String PODS = "pods";
    private static final String POD = "Pod";

    private WriteRuns() {}

    /** All writes: runs of lanes of writes, each in the order in which they came. */
    static List<List<List<Write>>> divide(List<Write> writes) {
        List<List<List<Write>>> runs = new ArrayList<>();
        Map<Object, List<Write>> lanes = new LinkedHashMap<>();
        String current = "";
        for (Write write : writes) {
            Place place = write.on(PLACES);
            if (!lanes.isEmpty() && (place.run.isEmpty() || !place.run.equals(current))) {
                runs.add(copy(lanes.values()));
                lanes.clear();
            }
            current = place.run;
            lanes.computeIfAbsent(place.lane, unused -> new ArrayList<>(1)).add(write);
        }
        if (!lanes.isEmpty()) {
            runs.add(copy(lanes.values()));
        }
        return runs;
    }

    private static List<List<Write>> copy(Collection<List<Write>> lanes) {
        return new ArrayList<>(lanes);
    }

    /** Where each kind of writes has its place. */
    private static final Write.Cases<Place, RuntimeException> PLACES = new Write.Cases<>() {
        @Override
        public Place apply(Write.Apply it) {
            if (WorkerPods.isOne(it.object())) {
                return ofObject(it);
            }
            return it.pool().isEmpty() ? alone() : new Place("state " + it.state(), it.pool());
        }

        @Override
        public Place delete(Write.Delete it) {
            return ofObject(it);
        }

        @Override
        public Place labelNode(Write.LabelNode it) {
            return new Place(NODES, it.ref());
        }

        @Override
        public Place clearNode(Write.ClearNode it) {
            return new Place(NODES, it.ref());
        }

        @Override
        public Place evict(Write.Evict it) {
            return ofObject(it);
        }

        @Override
        public Place taintNode(Write.TaintNode it) {
            return new Place(NODES, it.ref());
        }

        @Override
        public Place judgeNode(Write.JudgeNode it) {
            return new Place(NODES, it.ref());
        }

        @Override
        public Place updateStatus(Write.UpdateStatus it) {
            return alone();
        }

        @Override
        public Place setFinalizer(Write.SetFinalizer it) {
            return alone();
        }
    };

    private static Place ofObject(Write write) {
        return write.ref().kind().equals(POD) ? new Place(PODS, write.ref()) : alone();
    }

    private static Place alone() {
        return new Place("", new Object());
    }
}
