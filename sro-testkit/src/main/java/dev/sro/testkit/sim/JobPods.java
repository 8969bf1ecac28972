package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** The pods of a Job, sorted by what they count as. */
final class JobPods {
    static final String FINALIZER = "batch.kubernetes.io/job-tracking";
    static final String INDEX = "batch.kubernetes.io/job-completion-index";

    final List<ObjectNode> active = new ArrayList<>();
    /** Succeeded, and not counted in the status yet. */
    final List<ObjectNode> succeeded = new ArrayList<>();
    /** Failed or deleted before their end, and not counted in the status yet. */
    final List<ObjectNode> failed = new ArrayList<>();
    /** Being deleted while their containers run. */
    int terminating;

    int ready;
    private final TreeSet<Integer> busyIndexes = new TreeSet<>();

    JobPods(JsonNode job, List<ObjectNode> pods) {
        boolean onlyFailed = JsonNodes.text(job, "spec", "podReplacementPolicy").equals("Failed");
        for (ObjectNode pod : pods) {
            boolean tracked = JsonNodes.texts(pod, "metadata", "finalizers").contains(FINALIZER);
            boolean finished = Pods.finished(pod);
            boolean going = JsonNodes.deleting(pod) && !finished;
            terminating += going ? 1 : 0;
            if (!finished && !going) {
                active.add(pod);
                ready += Pods.ready(pod) ? 1 : 0;
                busyIndexes.add(index(pod));
            } else if (going && onlyFailed) {
                busyIndexes.add(index(pod));
            } else if (tracked && Pods.phase(pod).equals("Succeeded")) {
                succeeded.add(pod);
                busyIndexes.add(index(pod));
            } else if (tracked) {
                failed.add(pod);
            }
        }
    }

    /** The completion index of a pod; -1 where it has none. */
    static int index(JsonNode pod) {
        String text = JsonNodes.text(pod, "metadata", "annotations", INDEX);
        return text.isEmpty() ? -1 : Integer.parseInt(text);
    }

    boolean works(int index) {
        return busyIndexes.contains(index);
    }

    /** Reads {@code 0,2-4} of {@code status.completedIndexes}. */
    static NavigableSet<Integer> indexes(String text) {
        TreeSet<Integer> out = new TreeSet<>();
        for (String part : text.split(",", -1)) {
            if (!part.isEmpty()) {
                String[] ends = part.split("-", -1);
                int from = Integer.parseInt(ends[0]);
                int to = ends.length > 1 ? Integer.parseInt(ends[1]) : from;
                for (int i = from; i <= to; i++) {
                    out.add(i);
                }
            }
        }
        return out;
    }

    /** Writes indexes in the form of {@code status.completedIndexes}: runs of three and more as ranges. */
    static String text(NavigableSet<Integer> indexes) {
        List<String> parts = new ArrayList<>();
        Integer from = indexes.isEmpty() ? null : indexes.first();
        while (from != null) {
            int to = from;
            while (indexes.contains(to + 1)) {
                to++;
            }
            if (to - from >= 2) {
                parts.add(from + "-" + to);
            } else {
                parts.add(String.valueOf(from));
                if (to > from) {
                    parts.add(String.valueOf(to));
                }
            }
            from = indexes.higher(to);
        }
        return String.join(",", parts);
    }
}
