package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.podsecurity.Level;
import dev.sro.testkit.podsecurity.NamespaceStandards;
import dev.sro.testkit.podsecurity.PodStandard;
import dev.sro.testkit.podsecurity.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Holds pods against the Pod Security Standards of their namespace's labels: what is enforced is refused, of the rest is warned, of
 * templates of pods too ({@code PodSecurity}). Called with the store's lock held.
 */
final class PodSecurityAdmission implements AdmissionPlugin {
    private static final Set<String> IGNORED =
            Set.of("exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status");

    /** So many pods are looked at when a namespace gets another standard (the default of a kube-apiserver). */
    private static final int MOST_PODS = 3000;

    private final Store store;

    PodSecurityAdmission(Store store) {
        this.store = store;
    }

    @Override
    public void validate(WriteCall call, ObjectNode object, @Nullable Stored old) {
        switch (call.type.custom() ? "" : call.type.kind()) {
            case "Namespace" -> namespace(call, object, old);
            case "Pod" -> pod(call, object, old);
            case "ReplicationController", "Deployment", "DaemonSet", "StatefulSet", "ReplicaSet", "Job" ->
                template(call, object.path("spec").path("template"));
            case "CronJob" ->
                template(
                        call,
                        object.path("spec").path("jobTemplate").path("spec").path("template"));
            case "PodTemplate" -> template(call, object.path("template"));
            default -> {}
        }
    }

    private void namespace(WriteCall call, ObjectNode object, @Nullable Stored old) {
        if (!call.subresource.isEmpty()) {
            return;
        }
        NamespaceStandards next = standards(object);
        NamespaceStandards before = old == null ? null : standards(old.object());
        if (!next.errors().isEmpty() && (before == null || !next.errors().equals(before.errors()))) {
            throw Errors.invalid("", "Namespace", Json.name(object), next.errors());
        }
        if (before != null && isStricter(next.enforced(), before.enforced())) {
            call.warnings.addAll(ofPods(Json.name(object), next.enforced()));
        }
    }

    private static NamespaceStandards standards(ObjectNode namespace) {
        return NamespaceStandards.of(namespace.path("metadata").path("labels"));
    }

    private static boolean isStricter(PodStandard next, PodStandard before) {
        return !next.equals(before)
                && next.level() != Level.PRIVILEGED
                && (next.minor() != before.minor() || next.level().compareTo(before.level()) > 0);
    }

    /** What the pods that are there already do that their namespace forbids from now on; like ones in one line. */
    private List<String> ofPods(String namespace, PodStandard standard) {
        List<ObjectNode> pods = oneOfEachFirst(store.table(Gvr.PODS).in(namespace));
        int looked = Math.min(pods.size(), MOST_PODS);
        Map<String, SortedSet<String>> byReason = new TreeMap<>();
        for (ObjectNode pod : pods.subList(0, looked)) {
            List<Violation> violations = standard.violations(pod.path("metadata"), pod.path("spec"));
            if (!violations.isEmpty()) {
                byReason.computeIfAbsent(Violation.reasons(violations), unused -> new TreeSet<>())
                        .add(Json.name(pod));
            }
        }
        List<String> warnings = new ArrayList<>();
        if (looked < pods.size()) {
            warnings.add("new PodSecurity enforce level only checked against the first " + looked + " of " + pods.size()
                    + " existing pods");
        }
        if (!byReason.isEmpty()) {
            warnings.add("existing pods in namespace \"" + namespace + "\" violate the new PodSecurity enforce level \""
                    + standard + "\"");
        }
        List<String> lines = new ArrayList<>();
        byReason.forEach((reason, names) -> lines.add(names.first() + others(names.size() - 1) + ": " + reason));
        Collections.sort(lines);
        warnings.addAll(lines);
        return warnings;
    }

    private static String others(int count) {
        return switch (count) {
            case 0 -> "";
            case 1 -> " (and 1 other pod)";
            default -> " (and " + count + " other pods)";
        };
    }

    /** Pods of the same controller are alike: the others come last. */
    private static List<ObjectNode> oneOfEachFirst(Collection<Stored> pods) {
        List<ObjectNode> first = new ArrayList<>();
        List<ObjectNode> others = new ArrayList<>();
        Set<String> controllers = new HashSet<>();
        for (Stored stored : pods) {
            String controller = "";
            for (JsonNode owner : stored.object().path("metadata").path("ownerReferences")) {
                if (owner.path("controller").asBoolean()) {
                    controller = Json.text(owner, "uid");
                }
            }
            (controller.isEmpty() || controllers.add(controller) ? first : others).add(stored.object());
        }
        first.addAll(others);
        return first;
    }

    private void pod(WriteCall call, ObjectNode pod, @Nullable Stored old) {
        if (IGNORED.contains(call.subresource) || (old != null && !hasOtherImages(pod, old.object()))) {
            return;
        }
        NamespaceStandards standards = standardsOf(call);
        if (standards == null) {
            return;
        }
        List<Violation> violations = violations(standards.enforced(), pod);
        if (!violations.isEmpty()) {
            throw Errors.forbidden(
                    Gvr.PODS,
                    call.name,
                    "violates PodSecurity \"" + standards.enforced() + "\": " + Violation.details(violations));
        }
        warn(call, standards.warned(), pod);
    }

    private void template(WriteCall call, JsonNode template) {
        NamespaceStandards standards = call.subresource.isEmpty() && template.isObject() ? standardsOf(call) : null;
        if (standards != null) {
            warn(call, standards.warned(), template);
        }
    }

    private static void warn(WriteCall call, PodStandard standard, JsonNode pod) {
        List<Violation> violations = violations(standard, pod);
        if (!violations.isEmpty()) {
            call.warnings.add("would violate PodSecurity \"" + standard + "\": " + Violation.details(violations));
        }
    }

    private static List<Violation> violations(PodStandard standard, JsonNode pod) {
        return standard.violations(pod.path("metadata"), pod.path("spec"));
    }

    private @Nullable NamespaceStandards standardsOf(WriteCall call) {
        if (call.namespace == null) {
            return null;
        }
        Stored namespace = store.get(Gvr.NAMESPACES, Key.of(null, call.namespace));
        return namespace == null ? null : standards(namespace.object());
    }

    /** Of what may change in a pod, only images and new ephemeral containers make it be looked at again. */
    private static boolean hasOtherImages(ObjectNode pod, ObjectNode old) {
        for (String field : new String[] {"containers", "initContainers"}) {
            JsonNode next = pod.path("spec").path(field);
            JsonNode before = old.path("spec").path(field);
            if (next.size() != before.size()) {
                return true;
            }
            for (int i = 0; i < next.size(); i++) {
                if (!Json.text(next.get(i), "image").equals(Json.text(before.get(i), "image"))) {
                    return true;
                }
            }
        }
        Map<String, String> images = new TreeMap<>();
        old.path("spec")
                .path("ephemeralContainers")
                .forEach(container -> images.put(Json.text(container, "name"), Json.text(container, "image")));
        for (JsonNode container : pod.path("spec").path("ephemeralContainers")) {
            if (!Json.text(container, "image").equals(images.get(Json.text(container, "name")))) {
                return true;
            }
        }
        return false;
    }
}
