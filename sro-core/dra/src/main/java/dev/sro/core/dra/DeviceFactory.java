package dev.sro.core.dra;

import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.geometry.Geometry;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.Counter;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttributeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCounterConsumption;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes the devices of one GPU. Stateless. */
final class DeviceFactory {
    static final String TYPE = "type";
    static final String PROFILE = "profile";
    static final String LOSS_CLASS = "lossClass";

    /** Who gives the device, where that is not the scheduler: it tells a taint that was thrown away from one that was never there. */
    static final String ALLOCATOR = "allocator";

    /** Value of {@link #TYPE} for a whole GPU. */
    static final String WHOLE = "gpu";

    static final String MEMORY = "memory";

    /** Names that Kubernetes gives, {@code k8s.io/dynamic-resource-allocation/deviceattribute}. */
    private static final String STANDARD = "resource.kubernetes.io/";

    private static final Pattern VERSION = Pattern.compile("([0-9]+)(?:\\.([0-9]+))?(?:\\.([0-9]+))?.*");

    private final DraNode node;
    private final DraGpu gpu;
    private final DraOptions options;
    private final String gpuName;

    DeviceFactory(DraNode node, DraGpu gpu, DraOptions options) {
        this.node = node;
        this.gpu = gpu;
        this.options = options;
        this.gpuName = DeviceNames.gpu(gpu.pciAddress());
    }

    /** The whole GPU; it consumes all that there is of every counter. */
    Device whole(Map<String, Long> counters, int lossClass) {
        Map<String, DeviceAttribute> attributes = attributes(WHOLE, lossClass);
        Map<String, Long> capacity = new LinkedHashMap<>(counters);
        capacity.keySet().removeIf(DeviceFactory::isRule);
        gpu.memoryMiB().ifPresent(memory -> capacity.put(MEMORY, (long) memory));
        return device(gpuName, attributes, capacity, counters);
    }

    Device placement(Geometry geometry, int placement, Map<String, Long> use, int lossClass) {
        SliceProfile profile = geometry.profile(geometry.profileOf(placement));
        Map<String, DeviceAttribute> attributes = attributes(geometry.model().scheme(), lossClass);
        attributes.put(PROFILE, text(profile.name()));
        attributes.put("placement", text(geometry.startOf(placement) + ":" + profile.size()));
        if (profile.computeSlices() > 0) {
            attributes.put("computeSlices", number(profile.computeSlices()));
        }
        Map<String, Long> capacity = new LinkedHashMap<>(use);
        capacity.keySet().removeIf(DeviceFactory::isRule);
        if (profile.memoryGiB().isPresent()) {
            capacity.put(MEMORY, CounterCandidates.printedMiB(profile));
        }
        return device(DeviceNames.placement(gpu.pciAddress(), geometry, placement), attributes, capacity, use);
    }

    private static boolean isRule(String counter) {
        return counter.startsWith(CounterCandidates.UNIT)
                || counter.startsWith("instances-")
                || counter.startsWith("class-")
                || counter.startsWith("mode-");
    }

    private Map<String, DeviceAttribute> attributes(String type, int lossClass) {
        Map<String, DeviceAttribute> attributes = new LinkedHashMap<>();
        attributes.put(TYPE, text(type));
        gpu.model().ifPresent(model -> attributes.put("model", text(model.key())));
        if (!gpu.productName().isEmpty()) {
            attributes.put("productName", text(gpu.productName()));
        }
        if (!gpu.architecture().isEmpty()) {
            attributes.put("architecture", text(gpu.architecture()));
        }
        attributes.put("parent", text(gpu.pciAddress()));
        gpu.uuid().ifPresent(uuid -> attributes.put("parentUUID", text(uuid)));
        attributes.put(LOSS_CLASS, number(lossClass));
        if (options.authoritative()) {
            attributes.put(ALLOCATOR, text("sro"));
        }
        putVersion(attributes, "computeCapability", gpu.computeCapability());
        putVersion(attributes, "driverVersion", node.driverVersion());
        putVersion(attributes, "cudaVersion", node.cudaVersion());
        attributes.put(STANDARD + "pciBusID", text(gpu.pciAddress()));
        gpu.pcieRoot().ifPresent(root -> attributes.put(STANDARD + "pcieRoot", text(root)));
        gpu.numaNode().ifPresent(numa -> attributes.put(STANDARD + "numaNode", number(numa)));
        return attributes;
    }

    private Device device(
            String name, Map<String, DeviceAttribute> attributes, Map<String, Long> capacity, Map<String, Long> use) {
        Map<String, DeviceCapacity> quantities = new TreeMap<>();
        capacity.forEach((counter, value) ->
                quantities.put(camelCase(counter), new DeviceCapacity(null, quantity(counter, value))));
        DeviceBuilder builder = new DeviceBuilder()
                .withName(name)
                .withAttributes(attributes)
                .withCapacity(quantities)
                .withTaints(taints());
        if (!use.isEmpty()) {
            builder.withConsumesCounters(new DeviceCounterConsumption(gpuName, counters(use)));
        }
        return builder.build();
    }

    /** Only where that harms no other claim; elsewhere the counters are closed. */
    private List<DeviceTaint> taints() {
        List<DeviceTaint> taints = new ArrayList<>();
        if (options.server().taintsSafe()) {
            gpu.faults().keySet().stream().sorted().forEach(code -> taints.add(taint(options.driver() + "/" + code)));
        }
        // It rules out every device of the pool, so nobody asks for what it leaks on servers where taints are not safe.
        if (options.authoritative()) {
            taints.add(taint(options.allocatorTaint()));
        }
        return taints;
    }

    private static DeviceTaint taint(String key) {
        return new DeviceTaintBuilder().withKey(key).withEffect("NoSchedule").build();
    }

    static Map<String, Counter> counters(Map<String, Long> values) {
        Map<String, Counter> counters = new TreeMap<>();
        values.forEach((name, value) -> counters.put(name, new Counter(quantity(name, value))));
        return counters;
    }

    private static Quantity quantity(String counter, long value) {
        return counter.equals(MEMORY) ? new Quantity(Long.toString(value), "Mi") : new Quantity(Long.toString(value));
    }

    /** Capacities are C identifiers, counters DNS labels. */
    private static String camelCase(String counter) {
        Matcher matcher = Pattern.compile("-([a-z0-9])").matcher(counter);
        return matcher.replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    }

    private static void putVersion(Map<String, DeviceAttribute> attributes, String name, Optional<String> version) {
        version.map(VERSION::matcher)
                .filter(Matcher::matches)
                .ifPresent(matcher -> attributes.put(
                        name,
                        new DeviceAttributeBuilder()
                                .withVersion(part(matcher.group(1)) + "." + part(matcher.group(2)) + "."
                                        + part(matcher.group(3)))
                                .build()));
    }

    // 580.65.06 is no semantic version, which the API wants: no zeros in front.
    private static String part(@Nullable String digits) {
        return digits == null ? "0" : digits.replaceFirst("^0+(?=.)", "");
    }

    private static DeviceAttribute text(String value) {
        int most = DraLimits.ATTRIBUTE_TEXT;
        return new DeviceAttributeBuilder()
                .withString(value.length() > most ? value.substring(0, most) : value)
                .build();
    }

    private static DeviceAttribute number(long value) {
        return new DeviceAttributeBuilder().withInt(value).build();
    }
}
