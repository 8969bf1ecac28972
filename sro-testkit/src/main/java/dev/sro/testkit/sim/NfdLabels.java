package dev.sro.testkit.sim;

import dev.sro.core.feature.RawFeatures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The labels that node-feature-discovery writes for a machine, in its own spelling. */
final class NfdLabels {
    static final String PREFIX = "feature.node.kubernetes.io/";
    /** Lists the labels that NFD owns, by name without {@link #PREFIX}, so that it can remove them again. */
    static final String ANNOTATION = "nfd.node.kubernetes.io/feature-labels";

    private static final Pattern UNSAFE = Pattern.compile("[^-A-Za-z0-9_.]");
    private static final Pattern KERNEL = Pattern.compile("^(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?(?:-.*)?$");
    private static final Pattern VERSION = Pattern.compile("^(\\d+)(?:\\.(\\d+))?(?:\\..*)?$");
    private static final Pattern EDGES = Pattern.compile("^[-_.]+|[-_.]+$");

    private NfdLabels() {}

    /** All labels of a machine, by full name, sorted. */
    static Map<String, String> derive(NodeProfile profile) {
        Map<String, String> out = new TreeMap<>();
        kernel(out, profile.kernel());
        os(out, profile.os());
        for (PciDevice device : profile.devices()) {
            String name = "pci-" + device.labelName(profile.pciLabelFields());
            put(out, name + ".present", "true");
            if (device.sriovCapable()) {
                put(out, name + ".sriov.capable", "true");
            }
        }
        profile.cpuFeatures().forEach((k, v) -> put(out, "cpu-" + k, v));
        if (profile.os().id().startsWith("rh")) {
            put(out, "kernel-selinux.enabled", "true");
        }
        out.putAll(profile.rules().evaluate(features(profile)).labels());
        return out;
    }

    /** What rules see of a machine. */
    static RawFeatures features(NodeProfile profile) {
        Map<String, String> labels = new TreeMap<>();
        kernel(labels, profile.kernel());
        SortedMap<String, String> kernel = named(labels, "kernel-version.");
        os(labels, profile.os());
        SortedSet<String> cpuid = new TreeSet<>();
        profile.cpuFeatures().forEach((name, value) -> {
            if (name.startsWith("cpuid.") && value.equals("true")) {
                cpuid.add(name.substring("cpuid.".length()));
            }
        });
        List<SortedMap<String, String>> devices = new ArrayList<>();
        for (PciDevice device : profile.devices()) {
            SortedMap<String, String> one = new TreeMap<>(
                    Map.of("class", device.classId(), "vendor", device.vendorId(), "device", device.deviceId()));
            if (device.sriovCapable()) {
                one.put("sriov_totalvfs", "16");
            }
            devices.add(one);
        }
        return new RawFeatures(
                Map.of("cpu.cpuid", cpuid),
                Map.of("kernel.version", kernel, "system.osrelease", named(labels, "system-os_release.")),
                Map.of("pci.device", devices));
    }

    private static SortedMap<String, String> named(Map<String, String> labels, String prefix) {
        SortedMap<String, String> named = new TreeMap<>();
        labels.forEach((key, value) -> {
            if (key.startsWith(PREFIX + prefix)) {
                named.put(key.substring(PREFIX.length() + prefix.length()), value);
            }
        });
        return named;
    }

    /** As NFD lists the label among its own. */
    static String listed(String key) {
        return key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : key;
    }

    /** The label of such a name. */
    static String key(String listed) {
        return listed.contains("/") ? listed : PREFIX + listed;
    }

    private static void kernel(Map<String, String> out, String raw) {
        put(out, "kernel-version.full", normalise(raw));
        Matcher m = KERNEL.matcher(raw);
        if (m.matches()) {
            putIfThere(out, "kernel-version.major", m.group(1));
            putIfThere(out, "kernel-version.minor", m.group(2));
            putIfThere(out, "kernel-version.revision", m.group(3));
        }
    }

    private static void os(Map<String, String> out, OsRelease os) {
        put(out, "system-os_release.ID", os.id());
        put(out, "system-os_release.VERSION_ID", os.versionId());
        Matcher m = VERSION.matcher(os.versionId());
        if (m.matches()) {
            putIfThere(out, "system-os_release.VERSION_ID.major", m.group(1));
            putIfThere(out, "system-os_release.VERSION_ID.minor", m.group(2));
        }
        os.extra().forEach((k, v) -> put(out, "system-os_release." + k, v));
    }

    /** A kernel version as a label value: other characters become {@code _}, then the ends are trimmed to what is allowed. */
    static String normalise(String raw) {
        return EDGES.matcher(UNSAFE.matcher(raw).replaceAll("_")).replaceAll("");
    }

    private static void put(Map<String, String> out, String name, String value) {
        out.put(PREFIX + name, value);
    }

    private static void putIfThere(
            Map<String, String> out, String name, @org.jspecify.annotations.Nullable String value) {
        if (value != null) {
            put(out, name, value);
        }
    }
}
