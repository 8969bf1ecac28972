package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.ApiException;
import dev.sro.testkit.server.Change;
import dev.sro.testkit.server.ClusterApi;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The Job controller: creates pods up to completions and parallelism, counts their ends with the tracking finalizer, and ends
 * the Job by its back-off limit, deadline or failure policy. Changes of pods are gathered for a while, as the real one does.
 */
final class JobController implements SimLoop.Reconciler {
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(10);
    private static final String REACHED = "Reached expected number of succeeded pods";
    private static final String ORPHAN = "orphan:";

    /** How often the pods of a Job have failed in a row, and when the last one did. */
    private record Failures(int count, Instant last) {}

    private final ClusterApi api;
    private final SimLoop loop;
    private final SimTimings timings;
    private final Hashes hashes;
    private final Map<String, Failures> failures = new HashMap<>();
    /** Keys that wait for the end of their batch, and when that is. */
    private final Map<String, Instant> batched = new HashMap<>();

    JobController(ClusterApi api, SimLoop loop, SimTimings timings, Hashes hashes) {
        this.api = api;
        this.loop = loop;
        this.timings = timings;
        this.hashes = hashes;
    }

    @Override
    public int rank() {
        return 1;
    }

    @Override
    public void observe(Change change) {
        ObjectNode object = change.object();
        if (change.type().equals(Gvr.JOBS)) {
            ObjectNode before = change.before();
            if (change.kind() == Change.Kind.DELETED) {
                failures.remove(JsonNodes.uid(object));
                api.ownedBy(Gvr.PODS, JsonNodes.uid(object))
                        .forEach(p -> loop.enqueue(this, ORPHAN + JsonNodes.key(p)));
            } else if (JsonNodes.revised(before, object)) {
                loop.enqueue(this, JsonNodes.key(object));
            }
        } else if (change.type().equals(Gvr.PODS)) {
            JsonNode owner = JsonNodes.controllerOf(object);
            if (JsonNodes.text(owner, "kind").equals("Job") && change.kind() != Change.Kind.ADDED) {
                String job = JsonNodes.namespace(object) + "/" + JsonNodes.text(owner, "name");
                ObjectNode before = change.before();
                if (before != null && JsonNodes.deleting(object) && !JsonNodes.deleting(before)) {
                    loop.enqueue(this, job);
                    loop.enqueue(this, ORPHAN + JsonNodes.key(object));
                } else {
                    batch(job);
                }
            } else if (owner.isMissingNode()
                    && JsonNodes.texts(object, "metadata", "finalizers").contains(JobPods.FINALIZER)) {
                // Its Job was deleted and left it behind.
                loop.enqueue(this, ORPHAN + JsonNodes.key(object));
            }
        }
    }

    /** Looks at a key a little later; changes in between add nothing. */
    private void batch(String key) {
        if (!batched.containsKey(key)) {
            Instant due = loop.now().plus(timings.jobBatch());
            batched.put(key, due);
            loop.after(timings.jobBatch(), this, key);
        }
    }

    @Override
    public void reconcile(String key) {
        Instant due = batched.get(key);
        if (due != null && !due.isAfter(loop.now())) {
            batched.remove(key);
        }
        if (key.startsWith(ORPHAN)) {
            release(key.substring(ORPHAN.length()));
            return;
        }
        ObjectNode job = api.get(Gvr.JOBS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                .orElse(null);
        if (job == null || JsonNodes.deleting(job)) {
            return;
        }
        if (over(job)) {
            expire(key, job);
            return;
        }
        sync(key, job, new JobPods(job, api.ownedBy(Gvr.PODS, JsonNodes.uid(job))));
    }

    /** Takes the tracking finalizer off a pod whose Job is gone. */
    private void release(String key) {
        ObjectNode pod = api.get(Gvr.PODS, JsonNodes.keyNamespace(key), JsonNodes.keyName(key))
                .orElse(null);
        if (pod == null) {
            return;
        }
        JsonNode owner = JsonNodes.controllerOf(pod);
        ObjectNode job = api.get(Gvr.JOBS, JsonNodes.namespace(pod), JsonNodes.text(owner, "name"))
                .orElse(null);
        boolean orphan = job == null
                || JsonNodes.deleting(job)
                || !JsonNodes.uid(job).equals(JsonNodes.text(owner, "uid"))
                || over(job);
        if (orphan) {
            removeFinalizer(pod);
        }
    }

    private static boolean over(JsonNode job) {
        return Conditions.isTrue(job, "Complete") || Conditions.isTrue(job, "Failed");
    }

    private void expire(String key, ObjectNode job) {
        JsonNode ttl = JsonNodes.at(job, "spec", "ttlSecondsAfterFinished");
        if (!ttl.isNumber()) {
            return;
        }
        String type = Conditions.isTrue(job, "Complete") ? "Complete" : "Failed";
        Instant ended = JsonNodes.instant(Conditions.find(job, type), "lastTransitionTime");
        Instant due = (ended == null ? loop.now() : ended).plusSeconds(ttl.asLong());
        if (due.isAfter(loop.now())) {
            loop.at(due, this, key);
        } else {
            api.delete(
                    Gvr.JOBS,
                    JsonNodes.namespace(job),
                    JsonNodes.name(job),
                    DeleteOptions.with(DeleteOptions.Propagation.BACKGROUND));
        }
    }

    private void sync(String key, ObjectNode job, JobPods pods) {
        boolean suspended = JsonNodes.bool(job, "spec", "suspend");
        pods.failed.removeIf(p -> suspended && JsonNodes.deleting(p) && letGo(p));
        JobStatus.Verdict verdict = verdict(key, job, pods);
        noteFailures(job, pods);
        int active = pods.active.size();
        int deleted = 0;
        if (verdict != null || suspended) {
            pods.active.forEach(p -> Pods.delete(api, p));
            deleted = active;
            active = 0;
        } else {
            active += createMissing(key, job, pods);
        }
        JobStatus status = new JobStatus(
                job, pods, active, pods.terminating + deleted, active == 0 ? 0 : pods.ready, verdict, loop.now());
        if (!pods.succeeded.isEmpty() || !pods.failed.isEmpty()) {
            writeStatus(job, status::uncounted);
            pods.succeeded.forEach(this::removeFinalizer);
            pods.failed.forEach(this::removeFinalizer);
        }
        writeStatus(job, status::counted);
        if (status.ended()) {
            loop.enqueue(this, key);
        }
    }

    /** A pod that goes because its Job is suspended has not failed. */
    private boolean letGo(ObjectNode pod) {
        removeFinalizer(pod);
        return true;
    }

    private void noteFailures(ObjectNode job, JobPods pods) {
        String uid = JsonNodes.uid(job);
        if (!pods.succeeded.isEmpty()) {
            failures.remove(uid);
        }
        if (!pods.failed.isEmpty()) {
            int before = failures.containsKey(uid) ? failures.get(uid).count() : 0;
            failures.put(uid, new Failures(before + pods.failed.size(), loop.now()));
        }
    }

    /** Whether the Job has to end now, and how; null while it goes on. */
    private JobStatus.@Nullable Verdict verdict(String key, ObjectNode job, JobPods pods) {
        JsonNode target = Conditions.find(job, "FailureTarget");
        if (!target.isMissingNode()) {
            return new JobStatus.Verdict("Failed", JsonNodes.text(target, "reason"), JsonNodes.text(target, "message"));
        }
        if (Conditions.isTrue(job, "SuccessCriteriaMet")) {
            return new JobStatus.Verdict("Complete", "CompletionsReached", REACHED);
        }
        pods.failed.removeIf(p -> ignored(job, p));
        for (ObjectNode pod : pods.failed) {
            JobFailurePolicy.Verdict v = JobFailurePolicy.of(job, pod);
            if (v.action() == JobFailurePolicy.Action.FAIL_JOB) {
                return new JobStatus.Verdict("Failed", "PodFailurePolicy", v.message());
            }
        }
        int failed = JsonNodes.integer(job, 0, "status", "failed") + pods.failed.size();
        if (failed > JsonNodes.integer(job, 6, "spec", "backoffLimit") || restartsExceed(job, pods)) {
            return new JobStatus.Verdict(
                    "Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit");
        }
        if (deadlinePassed(key, job)) {
            return new JobStatus.Verdict("Failed", "DeadlineExceeded", "Job was active longer than specified deadline");
        }
        int succeeded = JsonNodes.integer(job, 0, "status", "succeeded") + pods.succeeded.size();
        JsonNode completions = JsonNodes.at(job, "spec", "completions");
        boolean reached =
                completions.isNumber() ? succeeded >= completions.asInt() : succeeded > 0 && pods.active.isEmpty();
        return reached ? new JobStatus.Verdict("Complete", "CompletionsReached", REACHED) : null;
    }

    private boolean ignored(ObjectNode job, ObjectNode pod) {
        boolean ignore = JobFailurePolicy.of(job, pod).action() == JobFailurePolicy.Action.IGNORE;
        if (ignore) {
            removeFinalizer(pod);
        }
        return ignore;
    }

    private static boolean restartsExceed(ObjectNode job, JobPods pods) {
        if (!JsonNodes.text(job, "spec", "template", "spec", "restartPolicy").equals("OnFailure")) {
            return false;
        }
        int restarts = 0;
        for (ObjectNode pod : pods.active) {
            for (JsonNode c : JsonNodes.at(pod, "status", "containerStatuses")) {
                restarts += JsonNodes.integer(c, 0, "restartCount");
            }
        }
        int limit = JsonNodes.integer(job, 6, "spec", "backoffLimit");
        return limit == 0 ? restarts > 0 : restarts >= limit;
    }

    private boolean deadlinePassed(String key, ObjectNode job) {
        JsonNode seconds = JsonNodes.at(job, "spec", "activeDeadlineSeconds");
        Instant start = JsonNodes.instant(job, "status", "startTime");
        if (!seconds.isNumber() || JsonNodes.bool(job, "spec", "suspend")) {
            return false;
        }
        Instant due = (start == null ? loop.now() : start).plusSeconds(seconds.asLong());
        if (due.isAfter(loop.now())) {
            loop.at(due, this, key);
            return false;
        }
        return true;
    }

    /** Creates the pods that are missing, unless a failure is so recent that it has to wait. Returns how many. */
    private int createMissing(String key, ObjectNode job, JobPods pods) {
        int parallelism = JsonNodes.integer(job, 1, "spec", "parallelism");
        int succeeded = JsonNodes.integer(job, 0, "status", "succeeded") + pods.succeeded.size();
        JsonNode completions = JsonNodes.at(job, "spec", "completions");
        int open = completions.isNumber() ? completions.asInt() - succeeded : succeeded > 0 ? 0 : parallelism;
        boolean waitsForEnd =
                JsonNodes.text(job, "spec", "podReplacementPolicy").equals("Failed");
        int busy = pods.active.size() + (waitsForEnd ? pods.terminating : 0);
        int missing = Math.min(open, parallelism) - busy;
        if (missing < 0) {
            pods.active.subList(0, Math.min(pods.active.size(), -missing)).forEach(p -> Pods.delete(api, p));
            return Math.max(missing, -pods.active.size());
        }
        Failures f = failures.get(JsonNodes.uid(job));
        if (missing > 0 && f != null) {
            Instant due = f.last().plus(SimTimings.backoff(timings.jobBackoff(), MAX_BACKOFF, f.count()));
            if (due.isAfter(loop.now())) {
                loop.at(due, this, key);
                return 0;
            }
        }
        boolean indexed = JsonNodes.text(job, "spec", "completionMode").equals("Indexed");
        return indexed ? createIndexed(job, pods, missing) : createPlain(job, missing);
    }

    private int createPlain(ObjectNode job, int missing) {
        for (int i = 0; i < missing; i++) {
            create(job, PodTemplates.pod(job, "batch/v1", "Job", JsonNodes.name(job) + "-"));
        }
        return missing;
    }

    private int createIndexed(ObjectNode job, JobPods pods, int missing) {
        Set<Integer> done = JobPods.indexes(JsonNodes.text(job, "status", "completedIndexes"));
        int made = 0;
        for (int i = 0; i < JsonNodes.integer(job, 1, "spec", "completions") && made < missing; i++) {
            if (!done.contains(i) && !pods.works(i)) {
                String prefix = JsonNodes.name(job) + "-" + i + "-";
                ObjectNode pod = PodTemplates.pod(job, "batch/v1", "Job", prefix);
                index(pod, JsonNodes.name(job), i);
                create(job, pod);
                made++;
            }
        }
        return made;
    }

    private static void index(ObjectNode pod, String job, int i) {
        JsonNodes.child(pod, "metadata", "annotations").put(JobPods.INDEX, String.valueOf(i));
        JsonNodes.child(pod, "metadata", "labels").put(JobPods.INDEX, String.valueOf(i));
        JsonNodes.child(pod, "spec").put("hostname", job + "-" + i);
        for (String list : List.of("initContainers", "containers")) {
            for (JsonNode c : JsonNodes.at(pod, "spec", list)) {
                ObjectNode env =
                        JsonNodes.array((ObjectNode) c, "env").addObject().put("name", "JOB_COMPLETION_INDEX");
                JsonNodes.child(env, "valueFrom", "fieldRef")
                        .put("apiVersion", "v1")
                        .put("fieldPath", "metadata.labels['" + JobPods.INDEX + "']");
            }
        }
    }

    private void create(ObjectNode job, ObjectNode pod) {
        ObjectNode labels = JsonNodes.child(pod, "metadata", "labels");
        for (String prefix : List.of("batch.kubernetes.io/", "")) {
            labels.put(prefix + "controller-uid", JsonNodes.uid(job));
            labels.put(prefix + "job-name", JsonNodes.name(job));
        }
        JsonNodes.array(JsonNodes.child(pod, "metadata"), "finalizers").add(JobPods.FINALIZER);
        if (Pods.create(api, pod, hashes) == null) {
            loop.retry(this, JsonNodes.key(job));
        }
    }

    private void removeFinalizer(ObjectNode pod) {
        try {
            api.update(Gvr.PODS, JsonNodes.namespace(pod), JsonNodes.name(pod), null, p -> {
                ObjectNode meta = JsonNodes.child(p, "metadata");
                ArrayNode left = p.arrayNode();
                meta.path("finalizers").forEach(f -> {
                    if (!f.asText().equals(JobPods.FINALIZER)) {
                        left.add(f);
                    }
                });
                meta.set("finalizers", left);
                if (left.isEmpty()) {
                    meta.remove("finalizers");
                }
                return p;
            });
        } catch (ApiException gone) {
            Pods.ignoreMissing(gone);
        }
    }

    private void writeStatus(ObjectNode job, Consumer<ObjectNode> change) {
        try {
            api.update(Gvr.JOBS, JsonNodes.namespace(job), JsonNodes.name(job), "status", j -> {
                if (JsonNodes.uid(j).equals(JsonNodes.uid(job))) {
                    change.accept(JsonNodes.child(j, "status"));
                }
                return j;
            });
        } catch (ApiException gone) {
            Pods.ignoreMissing(gone);
        }
    }
}
