package dev.sro.core.allocation;

import dev.sro.core.placement.SliceWebhook;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplateBuilder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The claim that a pod has in place of its limits, by which it is written into the pod's annotation, so that whoever sees the pod can make the template that it
 * names. The name of a template comes from what is in it: pods that ask for the same share one. Immutable.
 *
 * @param requests in order, 1 to {@link #MOST} devices together
 */
public record LimitClaim(List<Request> requests) {
    /** Annotation of a pod: claims in place of limits, {@code REQUEST=CLASS:COUNT} with commas, and a semicolon between two claims. */
    public static final String ANNOTATION = "slices.sro.dev/limits";

    /** Label of templates that were made for such pods, with the value {@code true}. */
    public static final String LABEL = ANNOTATION;

    /** As many devices as Kubernetes lets a claim have. */
    public static final int MOST = 32;

    private static final String PREFIX = "sro-limits-";
    private static final int DIGITS = 16;
    private static final Pattern REQUEST =
            Pattern.compile("([a-z0-9][-a-z0-9]{0,62})=([a-z0-9][-.a-z0-9]{0,252}):([1-9][0-9]?)");

    /**
     * Some devices of a class.
     *
     * @param name of the request
     */
    public record Request(String name, String deviceClass, int count) {
        private boolean matches(DeviceRequest other) {
            ExactDeviceRequest exact = other.getExactly();
            return name.equals(other.getName())
                    && exact != null
                    && other.getFirstAvailable().isEmpty()
                    && deviceClass.equals(exact.getDeviceClassName())
                    && count == (exact.getCount() == null ? 1 : exact.getCount())
                    && (exact.getAllocationMode() == null
                            || exact.getAllocationMode().equals("ExactCount"))
                    && exact.getSelectors().isEmpty()
                    && exact.getTolerations().isEmpty()
                    && exact.getCapacity() == null
                    && !Boolean.TRUE.equals(exact.getAdminAccess());
        }
    }

    /** Copies the list. */
    public LimitClaim {
        requests = List.copyOf(requests);
    }

    /** How many devices it asks for. */
    public int devices() {
        return requests.stream().mapToInt(Request::count).sum();
    }

    /** As the annotation has it. */
    public String text() {
        return requests.stream()
                .map(one -> one.name() + "=" + one.deviceClass() + ":" + one.count())
                .collect(Collectors.joining(","));
    }

    /**
     * The claim of a text.
     *
     * @return empty if it is none
     */
    static Optional<LimitClaim> of(String text) {
        List<Request> requests = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            Matcher matcher = REQUEST.matcher(one);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            requests.add(new Request(matcher.group(1), matcher.group(2), Integer.parseInt(matcher.group(3))));
        }
        return Optional.of(new LimitClaim(requests)).filter(claim -> claim.devices() <= MOST);
    }

    /** What a pod has in place of limits, by the entries of its claims. What it does not name, and what nobody can read, is not among them. */
    public static Map<PodResourceClaim, LimitClaim> of(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        String text = annotations == null ? null : annotations.get(ANNOTATION);
        if (text == null) {
            return Map.of();
        }
        List<LimitClaim> claims = List.of(text.split(";", -1)).stream()
                .flatMap(each -> of(each).stream())
                .toList();
        return pod.getSpec().getResourceClaims().stream()
                .filter(entry -> named(claims, entry).isPresent())
                .collect(Collectors.toMap(
                        entry -> entry, entry -> named(claims, entry).orElseThrow(), (one, other) -> one));
    }

    private static Optional<LimitClaim> named(List<LimitClaim> claims, PodResourceClaim entry) {
        return claims.stream()
                .filter(claim -> claim.templateName().equals(entry.getResourceClaimTemplateName()))
                .findFirst();
    }

    /** Of the template: a digest of what it asks for. */
    public String templateName() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text().getBytes(StandardCharsets.UTF_8));
            return PREFIX + HexFormat.of().formatHex(digest).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The template as it is to be made. */
    public ResourceClaimTemplate template(String namespace) {
        return new ResourceClaimTemplateBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(templateName())
                .addToLabels(LABEL, "true")
                .addToLabels("app.kubernetes.io/managed-by", SliceWebhook.LIMITS_NAME)
                .endMetadata()
                .withNewSpec()
                .withNewSpec()
                .withNewDevices()
                .withRequests(requests.stream().map(LimitClaim::request).toList())
                .endDevices()
                .endSpec()
                .endSpec()
                .build();
    }

    private static DeviceRequest request(Request one) {
        return new DeviceRequestBuilder()
                .withName(one.name())
                .withNewExactly()
                .withDeviceClassName(one.deviceClass())
                .withAllocationMode("ExactCount")
                .withCount((long) one.count())
                .endExactly()
                .build();
    }

    /** Whether a claim, or a template's, asks for just this. */
    public boolean matches(DeviceClaim devices) {
        boolean same = devices.getRequests().size() == requests.size()
                && devices.getConstraints().isEmpty()
                && devices.getConfig().isEmpty();
        for (int i = 0; same && i < requests.size(); i++) {
            same = requests.get(i).matches(devices.getRequests().get(i));
        }
        return same;
    }
}
