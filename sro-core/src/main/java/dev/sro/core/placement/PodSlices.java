package dev.sro.core.placement;

import dev.sro.core.placement.SliceDemand.Wanted;
import dev.sro.core.slicing.Spread;
import dev.sro.core.slicing.mig.MigResources;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a pod asks for by limits: resources of NVIDIA's device plugin ({@code nvidia.com/mig-1g.5gb.me}) and of DAS
 * ({@code mig.das.com/1g.5gb-plus-me}). Containers are counted as the scheduler counts them: those that run at a time are added, and of
 * init containers, which run one after the other, the greatest counts. Stateless.
 */
public final class PodSlices {
    /** Annotation of a pod: {@code same-gpu} or {@code different-gpus} for its slices; without it anywhere on the node. */
    public static final String SPREAD = "slices.sro.dev/spread";

    /** Value of {@link #SPREAD}: all slices of the pod on one GPU. */
    public static final String SAME_GPU = "same-gpu";

    /** Value of {@link #SPREAD}: each slice of the pod on a GPU of its own. */
    public static final String DIFFERENT_GPUS = "different-gpus";

    private PodSlices() {}

    /**
     * What a pod asks for; empty if it asks for no slices, as pods do that want whole GPUs.
     *
     * @throws IllegalArgumentException if it asks for what nobody can give, naming pod, field and fix
     */
    public static Optional<SliceDemand> of(Pod pod) {
        List<Wanted> slices = new ArrayList<>();
        counts(pod).forEach((container, counts) -> {
            int number = 0;
            for (Map.Entry<String, Long> entry : counts.entrySet()) {
                for (long i = 0; i < entry.getValue(); i++) {
                    slices.add(new Wanted(entry.getKey(), container, number++));
                }
            }
        });
        if (slices.isEmpty()) {
            return Optional.empty();
        }
        String uid = pod.getMetadata().getUid();
        return Optional.of(new SliceDemand(
                uid == null ? "" : uid,
                pod.getMetadata().getNamespace() == null
                        ? ""
                        : pod.getMetadata().getNamespace(),
                pod.getMetadata().getName() == null ? "" : pod.getMetadata().getName(),
                slices,
                spread(pod)));
    }

    /** The most slices that one pod may ask for: more than any node carries, and few enough to be listed. */
    static final int MOST = 256;

    /** By container and profile. What an init container needs beyond what runs later is its own; the rest is that of the later ones. */
    private static Map<String, Map<String, Long>> counts(Pod pod) {
        Map<String, Map<String, Long>> counted = new LinkedHashMap<>();
        Map<String, Long> running = new TreeMap<>();
        Map<String, Long> most = new TreeMap<>();
        Map<String, String> greatest = new TreeMap<>();
        for (Container container : pod.getSpec().getInitContainers()) {
            Map<String, Long> own = counts(pod, container);
            if ("Always".equals(container.getRestartPolicy())) {
                // A sidecar runs on beside all that start after it.
                own.forEach((profile, count) -> running.merge(profile, count, Long::sum));
                counted.put(container.getName(), own);
            } else {
                own.forEach((profile, count) -> {
                    long needed = count + running.getOrDefault(profile, 0L);
                    if (needed > most.getOrDefault(profile, 0L)) {
                        most.put(profile, needed);
                        greatest.put(profile, container.getName());
                    }
                });
            }
        }
        for (Container container : pod.getSpec().getContainers()) {
            Map<String, Long> own = counts(pod, container);
            own.forEach((profile, count) -> running.merge(profile, count, Long::sum));
            counted.put(container.getName(), own);
        }
        greatest.forEach((profile, container) -> {
            long more = most.getOrDefault(profile, 0L) - running.getOrDefault(profile, 0L);
            if (more > 0) {
                counted.computeIfAbsent(container, name -> new TreeMap<>()).put(profile, more);
                running.merge(profile, more, Long::sum);
            }
        });
        running.forEach((profile, count) -> {
            if (count > MOST) {
                throw new IllegalArgumentException(
                        name(pod) + ": asks for " + count + " slices " + profile + ", at most " + MOST + " can be had");
            }
        });
        return counted;
    }

    private static Map<String, Long> counts(Pod pod, Container container) {
        Map<String, Long> counts = new TreeMap<>();
        if (container.getResources() == null) {
            return counts;
        }
        Map<String, Quantity> asked =
                new TreeMap<>(nullToEmpty(container.getResources().getRequests()));
        // The API server has both equal for extended resources; before it has seen a pod there may be limits alone.
        asked.putAll(nullToEmpty(container.getResources().getLimits()));
        asked.forEach((resource, amount) -> MigResources.profile(resource)
                .ifPresent(profile -> counts.merge(profile, whole(pod, container, resource, amount), Long::sum)));
        counts.values().removeIf(count -> count == 0);
        return counts;
    }

    private static long whole(Pod pod, Container container, String resource, Quantity amount) {
        try {
            BigDecimal number = amount.getNumericalAmount();
            if (number.signum() >= 0) {
                return number.longValueExact();
            }
        } catch (ArithmeticException | IllegalArgumentException e) {
            // Is said below.
        }
        throw new IllegalArgumentException(name(pod) + ": resources.limits[" + resource + "] of container "
                + container.getName() + " is " + amount + ": give a whole number");
    }

    /**
     * How the slices of a pod lie to each other.
     *
     * @throws IllegalArgumentException if the annotation is none of its values, naming pod, field and fix
     */
    public static Spread spread(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        String value = annotations == null ? null : annotations.get(SPREAD);
        if (value == null) {
            return Spread.ANYWHERE;
        }
        return switch (value) {
            case SAME_GPU -> Spread.SAME_DEVICE;
            case DIFFERENT_GPUS -> Spread.DIFFERENT_DEVICES;
            default ->
                throw new IllegalArgumentException(name(pod) + ": metadata.annotations[" + SPREAD + "] is \"" + value
                        + "\": write " + SAME_GPU + " or " + DIFFERENT_GPUS + ", or leave it out");
        };
    }

    /** As messages name a pod, which may have no name yet. */
    public static String name(Pod pod) {
        String name = pod.getMetadata().getName();
        String shown = name == null ? pod.getMetadata().getGenerateName() + "…" : name;
        return "pod " + pod.getMetadata().getNamespace() + "/" + shown;
    }

    private static Map<String, Quantity> nullToEmpty(@Nullable Map<String, Quantity> map) {
        return map == null ? Map.of() : map;
    }
}
