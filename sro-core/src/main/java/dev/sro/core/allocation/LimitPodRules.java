package dev.sro.core.allocation;

import dev.sro.core.placement.PatchOperations;
import dev.sro.core.placement.PodSlices;
import dev.sro.core.placement.SlicePodRules;
import dev.sro.core.placement.SlicePodRules.Verdict;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How a pod that asks by limits for devices of the allocator is changed before it is stored: it has a claim of a template in their place, and waits at the
 * gate. Claims that it has, and its scheduler, stay; a pod that asks for none of our classes is left as it is. Immutable; a pure function of pod and
 * classes.
 *
 * @param classes of the cluster
 */
public record LimitPodRules(LimitClasses classes) {
    /** Name of the pod's entry for the claim; a number follows if it has one of that name. */
    public static final String ENTRY = "slices-limits";

    /**
     * What becomes of a pod that is created.
     *
     * @param pod as it is to be stored, its namespace in it
     */
    public Verdict judge(Pod pod) {
        LimitRequests requests;
        try {
            requests = new LimitRequests(pod, classes::of);
            if (requests.claim().isEmpty()) {
                return new Verdict(List.of(), List.of(), "");
            }
            PodSlices.spread(pod);
        } catch (IllegalArgumentException e) {
            return new Verdict(List.of(), List.of(), String.valueOf(e.getMessage()));
        }
        String node = pod.getSpec().getNodeName();
        if (node != null && !node.isEmpty()) {
            return new Verdict(
                    List.of(),
                    List.of(PodSlices.name(pod)
                            + ": spec.nodeName is set: its limits get it no slices; use a node selector"),
                    "");
        }
        return new Verdict(patch(pod, requests, requests.claim().get()), List.of(), "");
    }

    private List<Map<String, Object>> patch(Pod pod, LimitRequests requests, LimitClaim claim) {
        List<Map<String, Object>> patch = new ArrayList<>();
        String entry = entry(pod);
        List<Container> inits = pod.getSpec().getInitContainers();
        List<Container> containers = pod.getSpec().getContainers();
        for (int i = 0; i < inits.size() + containers.size(); i++) {
            boolean init = i < inits.size();
            int at = init ? i : i - inits.size();
            String path = "/spec/" + (init ? "initContainers/" : "containers/") + at + "/resources";
            Container container = init ? inits.get(at) : containers.get(at);
            if (container.getResources() != null) {
                remove(container.getResources().getLimits(), path + "/limits/", patch);
                remove(container.getResources().getRequests(), path + "/requests/", patch);
                use(container, path, entry, requests.uses().getOrDefault(i, Set.of()), claim, patch);
            }
        }
        append(
                pod.getSpec().getResourceClaims().isEmpty(),
                "/spec/resourceClaims",
                List.of(Map.of("name", entry, "resourceClaimTemplateName", claim.templateName())),
                patch);
        annotate(pod, claim, patch);
        if (pod.getSpec().getSchedulingGates().stream().noneMatch(gate -> SlicePodRules.GATE.equals(gate.getName()))) {
            append(
                    pod.getSpec().getSchedulingGates().isEmpty(),
                    "/spec/schedulingGates",
                    List.of(Map.of("name", SlicePodRules.GATE)),
                    patch);
        }
        return patch;
    }

    /** A name that no claim of the pod has. */
    private static String entry(Pod pod) {
        Set<String> taken = new TreeSet<>(pod.getSpec().getResourceClaims().stream()
                .map(PodResourceClaim::getName)
                .toList());
        String entry = ENTRY;
        for (int number = 2; taken.contains(entry); number++) {
            entry = ENTRY + "-" + number;
        }
        return entry;
    }

    private void remove(@Nullable Map<String, Quantity> amounts, String path, List<Map<String, Object>> patch) {
        if (amounts != null) {
            new TreeSet<>(amounts.keySet())
                    .stream()
                            .filter(resource -> classes.of(resource).isPresent())
                            .forEach(resource -> patch.add(PatchOperations.operation(
                                    "remove", path + PatchOperations.escaped(resource), null)));
        }
    }

    /** The whole claim where a container has all of it: API machinery keys these lists by name, and takes a name twice with misgivings. */
    private static void use(
            Container container,
            String path,
            String entry,
            Set<String> used,
            LimitClaim claim,
            List<Map<String, Object>> patch) {
        if (used.isEmpty()) {
            return;
        }
        boolean whole = used.size() > 1 && used.size() == claim.requests().size();
        List<Map<String, Object>> claims = new ArrayList<>();
        if (whole) {
            claims.add(Map.of("name", entry));
        } else {
            used.forEach(request -> claims.add(Map.of("name", entry, "request", request)));
        }
        append(container.getResources().getClaims().isEmpty(), path + "/claims", claims, patch);
    }

    /** What an earlier call has written stays: another webhook may have added containers since. */
    private static void annotate(Pod pod, LimitClaim claim, List<Map<String, Object>> patch) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        if (annotations == null || annotations.isEmpty()) {
            patch.add(PatchOperations.operation(
                    "add", "/metadata/annotations", Map.of(LimitClaim.ANNOTATION, claim.text())));
            return;
        }
        Set<String> texts = new TreeSet<>(
                LimitClaim.of(pod).values().stream().map(LimitClaim::text).toList());
        texts.add(claim.text());
        patch.add(PatchOperations.operation(
                "add",
                "/metadata/annotations/" + PatchOperations.escaped(LimitClaim.ANNOTATION),
                String.join(";", texts)));
    }

    private static void append(
            boolean empty, String path, List<Map<String, Object>> values, List<Map<String, Object>> patch) {
        if (empty) {
            patch.add(PatchOperations.operation("add", path, values));
        } else {
            values.forEach(value -> patch.add(PatchOperations.operation("add", path + "/-", value)));
        }
    }
}
