package dev.sro.core.preflight;

import dev.sro.api.resource.PreflightEvidence;
import dev.sro.api.resource.PreflightTargetStatus;
import dev.sro.api.resource.PreflightValidation;
import dev.sro.api.resource.PreflightValidationSpec;
import dev.sro.api.resource.PreflightValidationStatus;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourcePreflight;
import dev.sro.api.resource.VerificationStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Puts the status of a preflight together, so that only what changed is new in it. Stateless. */
final class PreflightStatus {

    private static final String VERIFIED = "Verified";

    /** Of all special resources together: the status stays small. */
    private static final int MAX_EVIDENCE = 40;

    private static final int MAX_TEXT = 1_024;
    private static final int NAMED = 5;

    private PreflightStatus() {}

    static Map<String, SpecialResourcePreflight> byName(PreflightValidationStatus status) {
        Map<String, SpecialResourcePreflight> verdicts = new TreeMap<>();
        status.getSrStatuses().forEach(verdict -> verdicts.put(verdict.getName(), verdict));
        return verdicts;
    }

    /**
     * Before the checks: what is new or changed is Unknown, and what is gone is gone.
     *
     * @param due what will be checked
     */
    static PreflightValidationStatus begun(
            PreflightValidation preflight,
            PreflightValidationStatus before,
            Map<String, SpecialResource> subjects,
            Set<String> due,
            Instant now) {
        Long generation = preflight.getMetadata().getGeneration();
        boolean anew = !Objects.equals(before.getObservedGeneration(), generation);
        Map<String, SpecialResourcePreflight> old = byName(before);
        Map<String, SpecialResourcePreflight> verdicts = new TreeMap<>();
        subjects.forEach((name, resource) -> {
            SpecialResourcePreflight known = old.get(name);
            boolean same = known != null
                    && !anew
                    && Objects.equals(
                            known.getObservedGeneration(),
                            resource.getMetadata().getGeneration());
            verdicts.put(
                    name,
                    known != null && (same || !due.contains(name))
                            ? known
                            : entry(name, Verdict.unknown("is being checked"), known, null, now));
        });
        PreflightValidationSpec spec = preflight.getSpec();
        if (spec != null) {
            for (String name : spec.getSpecialResources()) {
                if (!verdicts.containsKey(name)) {
                    Verdict missing = Verdict.error("there is no special resource " + name
                            + ", or it is being removed; correct spec.specialResources");
                    verdicts.put(name, entry(name, missing, old.get(name), null, now));
                }
            }
        }
        return status(preflight, before, verdicts, anew ? List.of() : before.getTargets(), now);
    }

    /** After the checks. What cannot be said yet leaves what was said of the same generation. */
    static PreflightValidationStatus ended(
            PreflightValidation preflight,
            PreflightValidationStatus before,
            Map<String, Verdict> found,
            Map<String, SpecialResource> subjects,
            List<PreflightTargetStatus> targets,
            Instant now) {
        Map<String, SpecialResourcePreflight> verdicts = byName(before);
        found.forEach((name, verdict) -> {
            SpecialResource resource = subjects.get(name);
            Long generation = resource == null ? null : resource.getMetadata().getGeneration();
            SpecialResourcePreflight known = verdicts.get(name);
            // What was found of it holds until something else is found: an operator that starts has no charts yet.
            boolean keeps = verdict.status() == VerificationStatus.UNKNOWN
                    && known != null
                    && known.getVerificationStatus() != VerificationStatus.UNKNOWN
                    && Objects.equals(known.getObservedGeneration(), generation);
            if (!keeps) {
                verdicts.put(name, entry(name, verdict, known, generation, now));
            }
        });
        Map<String, PreflightTargetStatus> byArchitecture = new TreeMap<>();
        before.getTargets().forEach(target -> byArchitecture.put(target.getArchitecture(), target));
        targets.forEach(target -> byArchitecture.put(target.getArchitecture(), target));
        return status(preflight, before, verdicts, new ArrayList<>(byArchitecture.values()), now);
    }

    private static SpecialResourcePreflight entry(
            String name,
            Verdict verdict,
            @Nullable SpecialResourcePreflight before,
            @Nullable Long generation,
            Instant now) {
        SpecialResourcePreflight entry = new SpecialResourcePreflight();
        entry.setName(name);
        entry.setVerificationStatus(verdict.status());
        entry.setReason(verdict.code().isEmpty() ? null : verdict.code());
        entry.setStatusReason(shortened(verdict.reason()));
        entry.setObservedGeneration(generation);
        entry.setLastTransitionTime(
                before != null && before.getVerificationStatus() == verdict.status()
                        ? before.getLastTransitionTime()
                        : time(now));
        List<PreflightEvidence> evidence = verdict.evidence().stream()
                .limit(SpecialResourcePreflight.MAX_EVIDENCE)
                .toList();
        entry.setEvidence(evidence.isEmpty() ? null : new ArrayList<>(evidence));
        return entry;
    }

    private static PreflightValidationStatus status(
            PreflightValidation preflight,
            PreflightValidationStatus before,
            Map<String, SpecialResourcePreflight> verdicts,
            List<PreflightTargetStatus> targets,
            Instant now) {
        PreflightValidationStatus status = new PreflightValidationStatus();
        Long generation = preflight.getMetadata().getGeneration();
        status.setObservedGeneration(generation);
        List<SpecialResourcePreflight> entries = new ArrayList<>(verdicts.values());
        int left = MAX_EVIDENCE;
        for (SpecialResourcePreflight entry : entries) {
            if (entry.getEvidence().size() > left) {
                entry.setEvidence(null);
            }
            left -= entry.getEvidence().size();
        }
        status.setSrStatuses(entries);
        status.setTargets(targets.isEmpty() ? null : targets);
        status.setConditions(List.of(condition(before, verdicts, generation, now)));
        return status;
    }

    private static Condition condition(
            PreflightValidationStatus before,
            Map<String, SpecialResourcePreflight> verdicts,
            @Nullable Long generation,
            Instant now) {
        Map<VerificationStatus, List<String>> names = new LinkedHashMap<>();
        verdicts.forEach((name, verdict) -> {
            VerificationStatus status = verdict.getVerificationStatus();
            names.computeIfAbsent(status == null ? VerificationStatus.UNKNOWN : status, unused -> new ArrayList<>())
                    .add(name);
        });
        List<String> unknown = names.getOrDefault(VerificationStatus.UNKNOWN, List.of());
        List<String> bad = names.getOrDefault(VerificationStatus.FALSE, List.of());
        List<String> broken = names.getOrDefault(VerificationStatus.ERROR, List.of());
        String value = "True";
        String reason = "AllVerified";
        String message = "all special resources are ready for the kernel to come: " + verdicts.size();
        List<String> builds = verdicts.values().stream()
                .filter(verdict -> verdict.getReason().equals(Verdict.BUILDABLE))
                .map(SpecialResourcePreflight::getName)
                .toList();
        if (!bad.isEmpty()) {
            value = "False";
            reason = "NotVerified";
            message = "not ready for the kernel to come: " + some(bad);
        } else if (!broken.isEmpty()) {
            value = "False";
            reason = "CheckFailed";
            message = "could not be checked: " + some(broken);
        } else if (!unknown.isEmpty()) {
            value = "Unknown";
            reason = "Checking";
            message = "are being checked: " + some(unknown);
        } else if (!builds.isEmpty()) {
            reason = "ImagesToBuild";
            message = "ready for the kernel to come: " + verdicts.size()
                    + "; images do not exist yet, and have to be built when it comes: " + some(builds);
        }
        return new ConditionBuilder()
                .withType(VERIFIED)
                .withStatus(value)
                .withReason(reason)
                .withMessage(message)
                .withObservedGeneration(generation)
                .withLastTransitionTime(since(before, value, now))
                .build();
    }

    private static String since(PreflightValidationStatus before, String value, Instant now) {
        return before.getConditions().stream()
                .filter(condition -> VERIFIED.equals(condition.getType()) && value.equals(condition.getStatus()))
                .map(Condition::getLastTransitionTime)
                .findFirst()
                .orElseGet(() -> time(now));
    }

    private static String some(List<String> names) {
        String first = String.join(", ", names.subList(0, Math.min(NAMED, names.size())));
        return names.size() <= NAMED ? first : first + " and " + (names.size() - NAMED) + " more";
    }

    private static String shortened(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT - 3) + "...";
    }

    private static String time(Instant now) {
        return now.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
