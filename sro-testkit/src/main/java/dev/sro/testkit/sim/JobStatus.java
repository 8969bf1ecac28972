package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * The status that one sync of a Job leads to. It is written in two steps: ended pods are first listed as uncounted, and added to
 * the counters once their finalizer is off.
 */
final class JobStatus {
    /** How a Job ends: the type of its last condition, {@code Complete} or {@code Failed}, and why. */
    record Verdict(String type, String reason, String message) {}

    private final JsonNode job;
    private final JobPods pods;
    private final int active;
    private final int terminating;
    private final int ready;
    private final @Nullable Verdict verdict;
    private final Instant now;

    JobStatus(
            JsonNode job,
            JobPods pods,
            int active,
            int terminating,
            int ready,
            @Nullable Verdict verdict,
            Instant now) {
        this.job = job;
        this.pods = pods;
        this.active = active;
        this.terminating = terminating;
        this.ready = ready;
        this.verdict = verdict;
        this.now = now;
    }

    /** Whether the Job is over: it has a verdict, and no pod is left. */
    boolean ended() {
        return verdict != null && active + terminating == 0;
    }

    /** The first step: ended pods are named. */
    void uncounted(ObjectNode s) {
        common(s);
        ObjectNode u = s.putObject("uncountedTerminatedPods");
        uids(u, "succeeded", pods.succeeded);
        uids(u, "failed", pods.failed);
        announce(s);
    }

    private static void uids(ObjectNode into, String field, List<ObjectNode> pods) {
        if (!pods.isEmpty()) {
            ArrayNode list = into.putArray(field);
            pods.forEach(p -> list.add(JsonNodes.uid(p)));
        }
    }

    /** The second step: they are counted. */
    void counted(ObjectNode s) {
        common(s);
        s.putObject("uncountedTerminatedPods");
        JsonNodes.putUnlessZero(
                s, "succeeded", JsonNodes.integer(job, 0, "status", "succeeded") + pods.succeeded.size());
        JsonNodes.putUnlessZero(s, "failed", JsonNodes.integer(job, 0, "status", "failed") + pods.failed.size());
        if (JsonNodes.text(job, "spec", "completionMode").equals("Indexed")) {
            NavigableSet<Integer> done = JobPods.indexes(JsonNodes.text(job, "status", "completedIndexes"));
            pods.succeeded.forEach(p -> done.add(JobPods.index(p)));
            s.put("completedIndexes", JobPods.text(done));
        }
        announce(s);
        Verdict v = verdict;
        if (v != null && ended()) {
            condition(s, v.type(), v.reason(), v.message());
            if (v.type().equals("Complete")) {
                s.put("completionTime", JsonNodes.time(now));
            }
        }
    }

    private void announce(ObjectNode s) {
        Verdict v = verdict;
        if (v != null) {
            String type = v.type().equals("Complete") ? "SuccessCriteriaMet" : "FailureTarget";
            condition(s, type, v.reason(), v.message());
        }
    }

    private void common(ObjectNode s) {
        boolean suspended = JsonNodes.bool(job, "spec", "suspend");
        if (suspended) {
            s.remove("startTime");
            condition(s, "Suspended", "JobSuspended", "Job suspended");
        } else if (!s.has("startTime")) {
            s.put("startTime", JsonNodes.time(now));
        }
        if (!suspended && Conditions.isTrue(job, "Suspended")) {
            ObjectNode c = Conditions.create("Suspended", false, "JobResumed", "Job resumed");
            c.put("lastProbeTime", JsonNodes.time(now));
            Conditions.set(s, c, now);
        }
        JsonNodes.putUnlessZero(s, "active", active);
        s.put("terminating", terminating);
        s.put("ready", ready);
    }

    private void condition(ObjectNode s, String type, String reason, String message) {
        ObjectNode holder = JsonNodes.object();
        holder.set("status", s);
        if (Conditions.isTrue(holder, type)) {
            return;
        }
        ObjectNode c = Conditions.create(type, true, reason, message);
        c.put("lastProbeTime", JsonNodes.time(now));
        Conditions.set(s, c, now);
    }
}
