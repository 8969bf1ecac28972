package dev.sro.core.claim;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.PodResourceClaimStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelector;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSubRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimSpec;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a pod asks for, by claim, by template and by limits. For one reading. */
final class PodDeviceRequests {
    private static final String IMPLICIT = "deviceclass.resource.kubernetes.io/";

    private final ClaimObjects objects;
    private final Pod pod;
    private final String namespace;
    private final List<PodDeviceRequest> requested = new ArrayList<>();
    private final List<ResourceClaim> had = new ArrayList<>();
    private final List<ResourceClaim> waiting = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    PodDeviceRequests(ClaimObjects objects, Pod pod) {
        this.objects = objects;
        this.pod = pod;
        this.namespace = pod.getMetadata().getNamespace();
        pod.getSpec().getResourceClaims().forEach(this::claim);
        String made = pod.getStatus() == null || pod.getStatus().getExtendedResourceClaimStatus() == null
                ? ""
                : pod.getStatus().getExtendedResourceClaimStatus().getResourceClaimName();
        Optional<ResourceClaim> extended =
                ClaimObjects.find(objects.claims(), namespace, made).filter(ClaimObjects::allocated);
        if (extended.isPresent()) {
            had.add(extended.get());
        } else {
            resources();
        }
    }

    /** What is asked for and not had. */
    List<PodDeviceRequest> requested() {
        return requested;
    }

    /** Claims that have devices. */
    List<ResourceClaim> had() {
        return had;
    }

    /** Claims that are there and have none. */
    List<ResourceClaim> waiting() {
        return waiting;
    }

    /** Objects that it names and that are not there. */
    List<String> missing() {
        return missing;
    }

    /** Whether it asks for devices at all. */
    boolean none() {
        return requested.isEmpty() && had.isEmpty() && missing.isEmpty();
    }

    private void claim(PodResourceClaim entry) {
        String template = entry.getResourceClaimTemplateName();
        String name = template == null ? entry.getResourceClaimName() : generated(entry.getName());
        Optional<ResourceClaim> claim =
                name == null ? Optional.empty() : ClaimObjects.find(objects.claims(), namespace, name);
        if (claim.isPresent()) {
            if (ClaimObjects.allocated(claim.get())) {
                had.add(claim.get());
            } else {
                waiting.add(claim.get());
                requests("claim " + ClaimObjects.key(claim.get()), claim.get().getSpec());
            }
        } else if (template == null) {
            missing.add("ResourceClaim " + namespace + "/" + name + " does not exist: create it");
        } else {
            Optional<ResourceClaimTemplate> found = ClaimObjects.find(objects.templates(), namespace, template);
            found.ifPresentOrElse(
                    one -> requests(
                            "template " + ClaimObjects.key(one), one.getSpec().getSpec()),
                    () -> missing.add(
                            "ResourceClaimTemplate " + namespace + "/" + template + " does not exist: create it"));
        }
    }

    private @Nullable String generated(String entry) {
        return pod.getStatus() == null
                ? null
                : pod.getStatus().getResourceClaimStatuses().stream()
                        .filter(status -> status.getName().equals(entry))
                        .map(PodResourceClaimStatus::getResourceClaimName)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    private void requests(String what, ResourceClaimSpec spec) {
        if (spec.getDevices() == null) {
            return;
        }
        boolean together = spec.getDevices().getConstraints().stream()
                .anyMatch(constraint -> constraint.getMatchAttribute() != null
                        && (constraint.getMatchAttribute().endsWith("/parent")
                                || constraint.getMatchAttribute().endsWith("/parentUUID")
                                || constraint.getMatchAttribute().endsWith("/pciBusID")));
        for (DeviceRequest request : spec.getDevices().getRequests()) {
            List<PodDeviceRequest.Alternative> alternatives = new ArrayList<>();
            if (request.getExactly() != null) {
                alternative(
                                request.getExactly().getDeviceClassName(),
                                request.getExactly().getSelectors(),
                                request.getExactly().getCount(),
                                request.getExactly().getTolerations())
                        .ifPresent(alternatives::add);
            }
            for (DeviceSubRequest sub : request.getFirstAvailable()) {
                alternative(sub.getDeviceClassName(), sub.getSelectors(), sub.getCount(), sub.getTolerations())
                        .ifPresent(alternatives::add);
            }
            if (!alternatives.isEmpty()) {
                requested.add(new PodDeviceRequest(
                        "request " + request.getName() + " of " + what, alternatives, together, ""));
            }
        }
    }

    private Optional<PodDeviceRequest.Alternative> alternative(
            String className, List<DeviceSelector> own, @Nullable Long count, List<DeviceToleration> tolerations) {
        Optional<DeviceClass> found = ClaimObjects.find(objects.classes(), "", className);
        if (found.isEmpty()) {
            missing.add("DeviceClass " + className + " does not exist: create it, or ask for another one");
            return Optional.empty();
        }
        List<String> selectors = new ArrayList<>();
        add(selectors, found.get().getSpec().getSelectors());
        add(selectors, own);
        return Optional.of(new PodDeviceRequest.Alternative(
                className, selectors, count == null ? 1 : count.intValue(), tolerations));
    }

    private static void add(List<String> selectors, List<DeviceSelector> more) {
        more.stream()
                .filter(selector -> selector.getCel() != null)
                .forEach(selector -> selectors.add(selector.getCel().getExpression()));
    }

    /** Extended resources that a class stands for, as many as all containers ask for together. */
    private void resources() {
        Map<String, Integer> counts = new TreeMap<>();
        for (Container container : pod.getSpec().getContainers()) {
            if (container.getResources() == null) {
                continue;
            }
            Map<String, Quantity> asked = new TreeMap<>();
            asked.putAll(nullToEmpty(container.getResources().getLimits()));
            asked.putAll(nullToEmpty(container.getResources().getRequests()));
            asked.forEach((name, amount) ->
                    counts.merge(name, amount.getNumericalAmount().intValue(), Integer::sum));
        }
        counts.forEach((name, count) -> deviceClass(name)
                .filter(found -> count > 0)
                .ifPresent(found -> {
                    List<String> selectors = new ArrayList<>();
                    add(selectors, found.getSpec().getSelectors());
                    requested.add(new PodDeviceRequest(
                            name + " of the pod's containers",
                            List.of(new PodDeviceRequest.Alternative(
                                    found.getMetadata().getName(), selectors, count, List.of())),
                            false,
                            name));
                }));
    }

    private static Map<String, Quantity> nullToEmpty(@Nullable Map<String, Quantity> map) {
        return map == null ? Map.of() : map;
    }

    /** Of several classes for one resource the newest counts, and of equally old ones the first by name. */
    private Optional<DeviceClass> deviceClass(String resource) {
        if (resource.startsWith(IMPLICIT)) {
            return ClaimObjects.find(objects.classes(), "", resource.substring(IMPLICIT.length()));
        }
        return objects.classes().stream()
                .filter(one -> resource.equals(one.getSpec().getExtendedResourceName()))
                .min(Comparator.comparing((DeviceClass one) -> created(one), Comparator.reverseOrder())
                        .thenComparing(one -> one.getMetadata().getName()));
    }

    private static String created(DeviceClass one) {
        String time = one.getMetadata().getCreationTimestamp();
        return time == null ? "" : time;
    }
}
