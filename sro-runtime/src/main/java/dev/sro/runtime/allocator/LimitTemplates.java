package dev.sro.runtime.allocator;

import dev.sro.core.allocation.LimitClaim;
import dev.sro.core.allocation.LimitClasses;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The templates of pods that have a claim in place of their limits: made when a pod names one that is missing, by what the pod's annotation says, and removed when
 * no pod has named them for a while. The webhook makes none, so a pod that is not stored leaves nothing. Not thread-safe but for what watches tell.
 */
final class LimitTemplates {
    /** How long a template stays that no pod names: a Deployment that is rolled out, or scaled to nothing and back, finds it again. */
    static final Duration KEPT = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(LimitTemplates.class);

    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final boolean makes;
    private final KubernetesClient client;
    private final BooleanSupplier leads;
    private final PodEvents events;
    private final ObjectBook<ResourceClaimTemplate> templates = new ObjectBook<>();
    private final Map<String, Instant> unnamed = new HashMap<>();
    /** When what was tried to be made is tried anew. */
    private final Map<String, Instant> tries = new HashMap<>();

    /** What a pod waits for. */
    private record Wanted(Pod pod, LimitClaim claim) {}

    /** @param makes whether templates are made and removed at all */
    LimitTemplates(boolean makes, KubernetesClient client, BooleanSupplier leads, PodEvents events) {
        this.makes = makes;
        this.client = client;
        this.leads = leads;
        this.events = events;
    }

    /** Of those that were made here. */
    SharedIndexInformer<ResourceClaimTemplate> informer() {
        return client.resources(ResourceClaimTemplate.class)
                .inAnyNamespace()
                .withLabel(LimitClaim.LABEL)
                .runnableInformer(0);
    }

    void seen(ResourceClaimTemplate template) {
        templates.seen(template);
    }

    void gone(ResourceClaimTemplate template) {
        templates.gone(template);
    }

    /**
     * Makes what is missing, and removes what nobody needs.
     *
     * @param classes of the cluster: for others nothing is made, whatever annotations say
     */
    void look(List<Pod> pods, Supplier<LimitClasses> classes, Instant now) {
        if (!makes) {
            return;
        }
        Set<String> named = new HashSet<>();
        Map<String, Wanted> wanted = new LinkedHashMap<>();
        for (Pod pod : pods) {
            if (!pod.getSpec().getResourceClaims().isEmpty() && !AllocationMarks.done(pod)) {
                read(pod, named, wanted);
            }
        }
        tries.keySet().retainAll(wanted.keySet());
        if (!wanted.isEmpty()) {
            LimitClasses known = classes.get();
            wanted.forEach((key, each) -> provide(key, each, known, now));
        }
        remove(named, now);
    }

    /** Pods that have their claims are many, and need no digest of what these ask for. */
    private static void read(Pod pod, Set<String> named, Map<String, Wanted> wanted) {
        String namespace = pod.getMetadata().getNamespace() + "/";
        boolean waits = false;
        for (PodResourceClaim entry : pod.getSpec().getResourceClaims()) {
            if (entry.getResourceClaimTemplateName() != null) {
                named.add(namespace + entry.getResourceClaimTemplateName());
                waits |= UnitReader.name(pod, entry).isEmpty();
            }
        }
        if (waits) {
            LimitClaim.of(pod).forEach((entry, claim) -> {
                if (UnitReader.name(pod, entry).isEmpty()) {
                    wanted.putIfAbsent(namespace + claim.templateName(), new Wanted(pod, claim));
                }
            });
        }
    }

    private void provide(String key, Wanted wanted, LimitClasses classes, Instant now) {
        ResourceClaimTemplate known = templates.get(
                wanted.pod().getMetadata().getNamespace(), wanted.claim().templateName());
        if (known != null && known.getMetadata().getDeletionTimestamp() == null) {
            difference(key, known, wanted.claim()).ifPresent(text -> events.tell(wanted.pod(), "SlicesTemplate", text));
            return;
        }
        Instant again = tries.get(key);
        if (!leads.getAsBoolean() || (again != null && now.isBefore(again))) {
            return;
        }
        tries.put(key, now.plus(AGAIN));
        missingClass(wanted, classes)
                .or(() -> make(key, wanted))
                .ifPresent(text -> events.tell(wanted.pod(), "SlicesTemplate", text));
    }

    private static Optional<String> missingClass(Wanted wanted, LimitClasses classes) {
        return wanted.claim().requests().stream()
                .map(LimitClaim.Request::deviceClass)
                .filter(name -> !classes.has(name))
                .findFirst()
                .map(name -> "pod " + ObjectBook.key(wanted.pod()) + ": metadata.annotations[" + LimitClaim.ANNOTATION
                        + "]: DeviceClass " + name + " is none of this allocator's, or does not exist: create it, or"
                        + " ask for another one");
    }

    /** Why it was not made, or is another one. */
    private Optional<String> make(String key, Wanted wanted) {
        String namespace = wanted.pod().getMetadata().getNamespace();
        try {
            templates.seen(client.resource(wanted.claim().template(namespace)).create());
            LOG.atInfo().log("template {} was made, for pods that ask by limits", key);
            return Optional.empty();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                return Optional.of("ResourceClaimTemplate " + key + " cannot be created: " + e.getMessage());
            }
        }
        try {
            return Optional.ofNullable(client.resources(ResourceClaimTemplate.class)
                            .inNamespace(namespace)
                            .withName(wanted.claim().templateName())
                            .get())
                    .flatMap(there -> difference(key, there, wanted.claim()));
        } catch (KubernetesClientException e) {
            return Optional.of("ResourceClaimTemplate " + key + " cannot be read: " + e.getMessage());
        }
    }

    /** Why a template that is there is not the one that is needed. */
    private static Optional<String> difference(String key, ResourceClaimTemplate there, LimitClaim claim) {
        DeviceClaim devices = there.getSpec().getSpec().getDevices();
        return devices != null && claim.matches(devices) ? Optional.empty() : Optional.of(other(key, claim));
    }

    private static String other(String key, LimitClaim claim) {
        return "ResourceClaimTemplate " + key + " is somebody else's: it asks for something else than " + claim.text()
                + ", which stands for the limits of the pod: delete it, and it is made anew";
    }

    /**
     * Why a pod must not be served: its claim is of a template that somebody else made in place of ours.
     *
     * @param claim as it is there
     */
    static Optional<String> fault(Pod pod, PodResourceClaim entry, ResourceClaim claim) {
        DeviceClaim devices = claim.getSpec() == null ? null : claim.getSpec().getDevices();
        return Optional.ofNullable(LimitClaim.of(pod).get(entry))
                .filter(wanted -> devices == null || !wanted.matches(devices))
                .map(wanted -> "pod " + ObjectBook.key(pod) + ": spec.resourceClaims[" + entry.getName() + "]: "
                        + other(pod.getMetadata().getNamespace() + "/" + wanted.templateName(), wanted)
                        + "; then delete the pod, as its claim is of that template");
    }

    private void remove(Set<String> named, Instant now) {
        unnamed.keySet().removeAll(named);
        unnamed.keySet().retainAll(templates.all().stream().map(ObjectBook::key).toList());
        for (ResourceClaimTemplate template : templates.all()) {
            String key = ObjectBook.key(template);
            if (named.contains(key) || template.getMetadata().getDeletionTimestamp() != null) {
                continue;
            }
            Instant since = unnamed.computeIfAbsent(key, name -> now);
            if (!now.isBefore(since.plus(KEPT)) && leads.getAsBoolean()) {
                unnamed.put(key, now);
                delete(template);
            }
        }
    }

    private void delete(ResourceClaimTemplate template) {
        try {
            client.resource(template).lockResourceVersion().delete();
            LOG.atInfo().log("template {} was removed, as no pod names it", ObjectBook.key(template));
        } catch (KubernetesClientException e) {
            LOG.atWarn().log("template {} was not removed: {}", ObjectBook.key(template), e.getMessage());
        }
    }
}
