package dev.sro.core.allocation;

import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelector;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which extended resource means which class of our devices: the one that a class names, and the one that Kubernetes makes of its name. As the scheduler has it, the
 * newest of several classes counts, and of equally old ones the first by name; where that is somebody else's, the resource is. Immutable.
 */
public final class LimitClasses {
    /** What Kubernetes puts before the name of a class. */
    public static final String IMPLICIT = "deviceclass.resource.kubernetes.io/";

    private final String driver;
    private final Map<String, DeviceClass> byResource = new TreeMap<>();

    /**
     * Those of these classes.
     *
     * @param driver whose devices are given here
     */
    public LimitClasses(String driver, Collection<DeviceClass> classes) {
        this.driver = driver;
        classes.stream()
                .sorted(Comparator.comparing(LimitClasses::created)
                        .thenComparing(one -> one.getMetadata().getName(), Comparator.reverseOrder()))
                .forEach(one -> {
                    byResource.put(IMPLICIT + one.getMetadata().getName(), one);
                    String named = one.getSpec() == null ? null : one.getSpec().getExtendedResourceName();
                    if (named != null && !named.isEmpty()) {
                        byResource.put(named, one);
                    }
                });
    }

    /** The class that a resource means; empty if it means none, or one of other devices. */
    public Optional<String> of(String resource) {
        return Optional.ofNullable(byResource.get(resource))
                .filter(this::ours)
                .map(one -> one.getMetadata().getName());
    }

    /** Whether there is such a class, of our devices. */
    public boolean has(String deviceClass) {
        return of(IMPLICIT + deviceClass).isPresent();
    }

    private boolean ours(DeviceClass one) {
        List<DeviceSelector> selectors =
                one.getSpec() == null ? List.of() : one.getSpec().getSelectors();
        return ours(
                driver,
                one.getMetadata().getName(),
                selectors.stream()
                        .filter(selector -> selector.getCel() != null)
                        .map(selector -> selector.getCel().getExpression())
                        .toList());
    }

    /** Whether a class is about a driver's devices: its name or its selectors name the driver. */
    static boolean ours(String driver, String deviceClass, Collection<String> selectors) {
        return deviceClass.endsWith("." + driver)
                || selectors.stream()
                        .anyMatch(text -> text.contains("'" + driver + "'") || text.contains("\"" + driver + "\""));
    }

    private static String created(DeviceClass one) {
        String time = one.getMetadata().getCreationTimestamp();
        return time == null ? "" : time;
    }
}
