package dev.sro.testkit.sim;

import dev.sro.core.feature.FeatureRules;
import dev.sro.core.feature.RawFeatures;
import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The make of a simulated machine: operating system, kernel, hardware, and whether NFD runs there. Start from
 * {@link #of} and change what matters:
 *
 * <pre>{@code
 * NodeProfile.of(OsRelease.UBUNTU_22).withPci("0302", "10de", "2330").withLabel("pool", "a");
 * }</pre>
 *
 * <p>Immutable.
 *
 * @param os the operating system
 * @param kernel the running kernel, raw as {@code uname -r} prints it
 * @param architecture Go's name of the architecture: {@code amd64}, {@code arm64}
 * @param kubeletVersion {@code status.nodeInfo.kubeletVersion}
 * @param role the node role, for instance {@code worker}
 * @param labels further labels of the node
 * @param resources capacity and allocatable
 * @param devices PCI devices
 * @param cpuFeatures names of NFD's {@code cpu-*} labels without that prefix, with their values
 * @param nfd whether NFD runs on the node
 * @param pciLabelFields NFD's {@code sources.pci.deviceLabelFields}
 * @param rules by which NFD labels the node beside that
 * @param messages by the name of init containers, what these say on this machine when they end well: their termination message
 */
public record NodeProfile(
        OsRelease os,
        String kernel,
        String architecture,
        String kubeletVersion,
        String role,
        Map<String, String> labels,
        Map<String, String> resources,
        List<PciDevice> devices,
        Map<String, String> cpuFeatures,
        boolean nfd,
        List<String> pciLabelFields,
        FeatureRules rules,
        Map<String, String> messages) {
    public NodeProfile {
        labels = sorted(labels);
        resources = sorted(resources);
        devices = List.copyOf(devices);
        cpuFeatures = sorted(cpuFeatures);
        pciLabelFields = List.copyOf(pciLabelFields);
        messages = sorted(messages);
    }

    /** A worker with this operating system and its kernel, eight cores, NFD, and no special device. */
    public static NodeProfile of(OsRelease os) {
        return new NodeProfile(
                os,
                os.kernel(),
                "amd64",
                "v1.33.4",
                "worker",
                Map.of(),
                Map.of("cpu", "8", "memory", "32Gi", "pods", "250", "ephemeral-storage", "100Gi"),
                List.of(),
                Map.of(
                        "cpuid.AVX", "true",
                        "cpuid.AVX2", "true",
                        "cpuid.AESNI", "true",
                        "hardware_multithreading", "true",
                        "model.vendor_id", "Intel",
                        "model.family", "6",
                        "model.id", "106"),
                true,
                List.of("class", "vendor"),
                FeatureRules.NONE,
                Map.of());
    }

    public NodeProfile withOs(OsRelease os) {
        Draft draft = new Draft(this);
        draft.os = os;
        draft.kernel = os.kernel();
        return draft.profile();
    }

    public NodeProfile withKernel(String raw) {
        Draft draft = new Draft(this);
        draft.kernel = raw;
        return draft.profile();
    }

    public NodeProfile withArchitecture(String goArch) {
        Draft draft = new Draft(this);
        draft.architecture = goArch;
        return draft.profile();
    }

    public NodeProfile withRole(String role) {
        Draft draft = new Draft(this);
        draft.role = role;
        return draft.profile();
    }

    public NodeProfile withLabel(String key, String value) {
        Draft draft = new Draft(this);
        draft.labels.put(key, value);
        return draft.profile();
    }

    public NodeProfile withResource(String name, String quantity) {
        Draft draft = new Draft(this);
        draft.resources.put(name, quantity);
        return draft.profile();
    }

    /** Adds a device without virtual functions; the ids are four hexadecimal digits each. */
    public NodeProfile withPci(String classId, String vendorId, String deviceId) {
        return withDevice(new PciDevice(classId, vendorId, deviceId, false));
    }

    public NodeProfile withDevice(PciDevice device) {
        Draft draft = new Draft(this);
        draft.devices.add(device);
        return draft.profile();
    }

    /** The same machine without its PCI devices. */
    public NodeProfile withoutDevices() {
        Draft draft = new Draft(this);
        draft.devices.clear();
        return draft.profile();
    }

    /** The same machine where NFD is not installed: no {@code feature.node.kubernetes.io} label at all. */
    public NodeProfile withoutNfd() {
        Draft draft = new Draft(this);
        draft.nfd = false;
        return draft.profile();
    }

    /** NFD's {@code deviceLabelFields}: for instance {@code vendor}, or {@code class, vendor, device}. */
    public NodeProfile withPciLabelFields(String... fields) {
        Draft draft = new Draft(this);
        draft.pciLabelFields = List.of(fields);
        return draft.profile();
    }

    /** Where NFD has these rules: it writes their labels as well, anew after each change of the machine. */
    public NodeProfile withRules(FeatureRules nodeFeatureRules) {
        Draft draft = new Draft(this);
        draft.rules = nodeFeatureRules;
        return draft.profile();
    }

    /**
     * Where NFD has the rules of this file, with one or more objects {@code NodeFeatureRule}, as they would be applied to a cluster.
     *
     * @throws IllegalArgumentException if it cannot be read; the message says where and why
     */
    public NodeProfile withRules(String yaml) {
        try {
            return withRules(FeatureRules.of(Yaml.documents("rules", yaml)));
        } catch (YamlException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** An init container of this name, in whatever pod, ends with this termination message here, from its next start on. */
    public NodeProfile withMessage(String container, String message) {
        Draft draft = new Draft(this);
        draft.messages.put(container, message);
        return draft.profile();
    }

    /** What NFD finds on this machine. */
    public RawFeatures features() {
        return NfdLabels.features(this);
    }

    /** The labels that NFD writes for this machine, by full name; none where it is not installed. */
    public Map<String, String> nfdLabels() {
        return nfd ? NfdLabels.derive(this) : Map.of();
    }

    private static Map<String, String> sorted(Map<String, String> map) {
        return Collections.unmodifiableMap(new TreeMap<>(map));
    }

    /** A copy that can be changed. */
    private static final class Draft {
        private final NodeProfile origin;
        private OsRelease os;
        private String kernel;
        private String architecture;
        private String role;
        private final Map<String, String> labels;
        private final Map<String, String> resources;
        private final List<PciDevice> devices;
        private boolean nfd;
        private List<String> pciLabelFields;
        private FeatureRules rules;
        private final Map<String, String> messages;

        Draft(NodeProfile origin) {
            this.origin = origin;
            os = origin.os;
            kernel = origin.kernel;
            architecture = origin.architecture;
            role = origin.role;
            labels = new TreeMap<>(origin.labels);
            resources = new TreeMap<>(origin.resources);
            devices = new ArrayList<>(origin.devices);
            nfd = origin.nfd;
            pciLabelFields = origin.pciLabelFields;
            rules = origin.rules;
            messages = new TreeMap<>(origin.messages);
        }

        NodeProfile profile() {
            return new NodeProfile(
                    os,
                    kernel,
                    architecture,
                    origin.kubeletVersion,
                    role,
                    labels,
                    resources,
                    devices,
                    origin.cpuFeatures,
                    nfd,
                    pciLabelFields,
                    rules,
                    messages);
        }
    }
}
