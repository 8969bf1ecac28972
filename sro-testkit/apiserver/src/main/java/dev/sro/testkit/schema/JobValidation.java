package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Validation of Jobs and CronJobs. One use. */
final class JobValidation {
    private static final int MAX_JOB_NAME = 52;
    private static final int MAX_INDEXED = 100_000;

    private final List<FieldError> errors = new ArrayList<>();
    private final Checks checks = new Checks(errors);

    private JobValidation() {}

    static List<FieldError> job(ObjectNode object, @Nullable ObjectNode old) {
        JobValidation v = new JobValidation();
        JsonNode spec = object.path("spec");
        if (old != null && spec.equals(old.path("spec"))) {
            return v.errors;
        }
        if (old == null && !spec.path("manualSelector").asBoolean()) {
            v.generatedSelector(object);
        }
        v.jobSpec(spec, "spec");
        if (old == null) {
            v.indexedName(object);
            if (spec.has("selector") || spec.path("manualSelector").asBoolean()) {
                v.jobSelector(spec);
            }
        } else {
            v.jobSelector(spec);
            // The server looks at a changed job twice.
            v.jobSpec(spec, "spec");
            v.jobSelector(spec);
            v.jobUpdate(spec, old);
        }
        return v.errors;
    }

    static List<FieldError> cronJob(ObjectNode object, @Nullable ObjectNode old) {
        JobValidation v = new JobValidation();
        JsonNode spec = object.path("spec");
        if (old == null || !spec.equals(old.path("spec"))) {
            v.cronJob(spec);
            if (JsonTree.text(object.path("metadata"), "name").length() > MAX_JOB_NAME) {
                v.checks.invalid(
                        "metadata.name",
                        JsonTree.text(object.path("metadata"), "name"),
                        "must be no more than 52 characters");
            }
        }
        return v.errors;
    }

    private void cronJob(JsonNode spec) {
        String schedule = JsonTree.text(spec, "schedule");
        if (schedule.isEmpty()) {
            checks.required("spec.schedule", "");
        } else {
            String fault = CronSchedule.fault(schedule);
            if (fault != null) {
                checks.invalid("spec.schedule", schedule, fault);
            }
            if (schedule.contains("TZ")) {
                checks.invalid(
                        "spec.schedule", schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
            }
        }
        timeZone(spec.path("timeZone"));
        for (String field :
                List.of("startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit")) {
            checks.notNegative(spec, field, "spec");
        }
        String policy = JsonTree.text(spec, "concurrencyPolicy");
        if (policy.isEmpty()) {
            checks.required("spec.concurrencyPolicy", "");
        } else {
            checks.oneOf(spec, "concurrencyPolicy", "spec", "Allow", "Forbid", "Replace");
        }
        String at = "spec.jobTemplate.spec";
        JsonNode job = spec.path("jobTemplate").path("spec");
        jobSpec(job, at);
        if (job.path("manualSelector").asBoolean()) {
            checks.add(FieldError.notSupported(
                    at + ".manualSelector", job.get("manualSelector"), List.of("\"nil\"", "\"false\"")));
        }
    }

    private void timeZone(JsonNode zone) {
        if (!zone.isTextual()) {
            return;
        }
        String at = "spec.timeZone";
        String name = zone.textValue();
        if (name.isEmpty()) {
            checks.invalid(at, zone, "timeZone must be nil or non-empty string");
        } else if (name.toLowerCase(Locale.ROOT).equals("local")) {
            checks.invalid(
                    at, zone, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
        } else if (name.contains("..") || name.startsWith("/") || name.startsWith("\\")) {
            checks.invalid(at, zone, "time: invalid location name");
        } else if (!ZoneId.getAvailableZoneIds().contains(name)) {
            checks.invalid(at, zone, "unknown time zone " + name);
        }
    }

    /** The last pod of an indexed job has a host name that is made of the job's. */
    private void indexedName(ObjectNode object) {
        JsonNode spec = object.path("spec");
        String name = JsonTree.text(object.path("metadata"), "name");
        if (JsonTree.text(spec, "completionMode").equals("Indexed")
                && spec.path("completions").asLong() > 0) {
            String host = name + "-" + (spec.path("completions").asLong() - 1);
            Checks host63 = new Checks(new ArrayList<>());
            host63.label(host, "");
            if (!host63.errors().isEmpty()) {
                checks.invalid("metadata.name", name, "will not able to create pod with invalid DNS label: " + host);
            }
        }
    }

    private void jobSpec(JsonNode job, String path) {
        for (String field : List.of(
                "parallelism",
                "completions",
                "backoffLimit",
                "activeDeadlineSeconds",
                "ttlSecondsAfterFinished",
                "backoffLimitPerIndex",
                "maxFailedIndexes")) {
            checks.notNegative(job, field, path);
        }
        String mode = JsonTree.text(job, "completionMode");
        checks.oneOf(job, "completionMode", path, "NonIndexed", "Indexed");
        if (mode.equals("Indexed")) {
            if (!job.path("completions").isNumber()) {
                checks.required(path + ".completions", "when completion mode is Indexed");
            }
            if (job.path("parallelism").asLong() > MAX_INDEXED) {
                checks.invalid(
                        path + ".parallelism",
                        job.get("parallelism"),
                        "must be less than or equal to 100000 when completion mode is Indexed");
            }
        } else {
            for (String field : List.of("backoffLimitPerIndex", "maxFailedIndexes")) {
                if (job.path(field).isNumber()) {
                    checks.invalid(path + "." + field, job.get(field), "requires indexed completion mode");
                }
            }
        }
        SuccessPolicyValidation success = new SuccessPolicyValidation(checks);
        success.managedBy(job.path("managedBy"), path + ".managedBy");
        success.policy(job, path + ".successPolicy");
        boolean policy = job.path("podFailurePolicy").isObject();
        if (policy) {
            checks.oneOf(job, "podReplacementPolicy", path, "Failed");
        } else {
            checks.oneOf(job, "podReplacementPolicy", path, "Failed", "TerminatingOrFailed");
        }
        ObjectNode pod = JsonTree.object(job.get("template"), "spec");
        if (pod != null) {
            template(job, pod, path);
        }
    }

    private void template(JsonNode job, ObjectNode pod, String path) {
        errors.addAll(PodValidation.validate(pod, path + ".template.spec"));
        checks.labelsAndAnnotations(job.path("template").path("metadata"), path + ".template");
        String restart = JsonTree.text(pod, "restartPolicy");
        String at = path + ".template.spec.restartPolicy";
        if (restart.equals("Always") || restart.isEmpty()) {
            checks.required(at, "valid values: \"OnFailure\", \"Never\"");
        } else {
            checks.oneOf(pod, "restartPolicy", path + ".template.spec", "OnFailure", "Never");
        }
        if (job.path("podFailurePolicy").isObject()) {
            if (restart.equals("OnFailure")) {
                checks.invalid(at, restart, "only \"Never\" is supported when podFailurePolicy is specified");
            }
            errors.addAll(FailurePolicyValidation.validate(
                    job.path("podFailurePolicy"),
                    pod,
                    job.path("backoffLimitPerIndex").isNumber(),
                    path + ".podFailurePolicy"));
        }
    }

    /** Whoever does not insist on a selector has none but that of the job's uid. */
    private void generatedSelector(ObjectNode object) {
        JsonNode selector = object.path("spec").path("selector");
        ObjectNode own = JsonNodeFactory.instance.objectNode();
        own.putObject("matchLabels")
                .put("batch.kubernetes.io/controller-uid", JsonTree.text(object.path("metadata"), "uid"));
        if (!selector.isMissingNode() && !selector.equals(own)) {
            checks.invalid("spec.selector", ImmutableFields.sorted(selector), "`selector` not auto-generated");
        }
    }

    private void jobSelector(JsonNode spec) {
        JsonNode selector = spec.path("selector");
        if (selector.isMissingNode()) {
            checks.required("spec.selector", "");
        }
        JsonNode labels = spec.path("template").path("metadata").get("labels");
        if (selector.isMissingNode() || !Selectors.matches(selector, labels)) {
            checks.invalid(
                    "spec.template.metadata.labels", orNull(labels), "`selector` does not match template `labels`");
        }
    }

    private static JsonNode orNull(@Nullable JsonNode node) {
        return node == null ? NullNode.getInstance() : node;
    }

    private void jobUpdate(JsonNode spec, JsonNode whole) {
        JsonNode old = whole.path("spec");
        boolean tandem = spec.path("completionMode").asText().equals("Indexed");
        if (tandem
                && spec.has("completions")
                && !spec.path("completions").equals(old.path("completions"))
                && !spec.path("completions").equals(spec.path("parallelism"))) {
            checks.invalid(
                    "spec.completions",
                    spec.get("completions"),
                    "can only be modified in tandem with spec.parallelism");
        }
        if (!tandem && !spec.path("completions").equals(old.path("completions"))) {
            checks.invalid("spec.completions", orNull(spec.get("completions")), "field is immutable");
        }
        if (!spec.path("selector").equals(old.path("selector"))) {
            checks.invalid(
                    "spec.selector", SelectorValidation.shown(orNull(spec.get("selector"))), "field is immutable");
        }
        JsonNode template = spec.path("template");
        if (!mayChangeTemplate(whole)) {
            if (!template.equals(old.path("template"))) {
                checks.invalid("spec.template", orNull(spec.get("template")), "field is immutable");
            }
        } else if (!withoutScheduling(template).equals(withoutScheduling(old.path("template")))) {
            checks.invalid("spec.template.spec", orNull(template.get("spec")), "field is immutable");
        }
        frozen("completionMode", "p", spec, old);
        frozen("podFailurePolicy", "*PodFailurePolicy", spec, old);
        frozen("backoffLimitPerIndex", "p", spec, old);
        frozen("managedBy", "p", spec, old);
        frozen("successPolicy", "*SuccessPolicy", spec, old);
    }

    /** A job that waits to begin, or to go on, may be sent elsewhere and get other resources. */
    private static boolean mayChangeTemplate(JsonNode job) {
        JsonNode status = job.path("status");
        boolean suspended = false;
        for (JsonNode condition : status.path("conditions")) {
            suspended |= condition.path("type").asText().equals("Suspended")
                    && condition.path("status").asText().equals("True");
        }
        return job.path("spec").path("suspend").asBoolean()
                && (!status.hasNonNull("startTime") || suspended)
                && status.path("active").asLong() == 0;
    }

    /** The pods of a template, but for where they go and what they get there. */
    private static JsonNode withoutScheduling(JsonNode template) {
        if (!(template.path("spec").deepCopy() instanceof ObjectNode spec)) {
            return template.path("spec");
        }
        spec.remove(List.of("nodeSelector", "tolerations", "schedulingGates"));
        if (spec.get("affinity") instanceof ObjectNode affinity) {
            affinity.remove("nodeAffinity");
            if (affinity.isEmpty()) {
                spec.remove("affinity");
            }
        }
        for (String list : List.of("containers", "initContainers")) {
            JsonTree.objects(spec, list).forEach(container -> container.remove("resources"));
        }
        return spec;
    }

    private void frozen(String field, String type, JsonNode spec, JsonNode old) {
        if (!spec.path(field).equals(old.path(field))) {
            errors.add(InternalForm.invalid("spec." + field, type, spec.path(field), "field is immutable"));
        }
    }
}
