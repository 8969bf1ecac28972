package dev.sro.testkit.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a simulated machine is made of: operating system, kernel, hardware, and whether NFD runs there. Start from
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
        List<String> pciLabelFields) {
    public NodeProfile {
        labels = sorted(labels);
        resources = sorted(resources);
        devices = List.copyOf(devices);
        cpuFeatures = sorted(cpuFeatures);
        pciLabelFields = List.copyOf(pciLabelFields);
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
                List.of("class", "vendor"));
    }

    public NodeProfile withOs(OsRelease newOs) {
        return new NodeProfile(
                newOs,
                newOs.kernel(),
                architecture,
                kubeletVersion,
                role,
                labels,
                resources,
                devices,
                cpuFeatures,
                nfd,
                pciLabelFields);
    }

    public NodeProfile withKernel(String raw) {
        return new NodeProfile(
                os,
                raw,
                architecture,
                kubeletVersion,
                role,
                labels,
                resources,
                devices,
                cpuFeatures,
                nfd,
                pciLabelFields);
    }

    public NodeProfile withArchitecture(String goArch) {
        return new NodeProfile(
                os, kernel, goArch, kubeletVersion, role, labels, resources, devices, cpuFeatures, nfd, pciLabelFields);
    }

    public NodeProfile withRole(String newRole) {
        return new NodeProfile(
                os,
                kernel,
                architecture,
                kubeletVersion,
                newRole,
                labels,
                resources,
                devices,
                cpuFeatures,
                nfd,
                pciLabelFields);
    }

    public NodeProfile withLabel(String key, String value) {
        Map<String, String> more = new TreeMap<>(labels);
        more.put(key, value);
        return new NodeProfile(
                os,
                kernel,
                architecture,
                kubeletVersion,
                role,
                more,
                resources,
                devices,
                cpuFeatures,
                nfd,
                pciLabelFields);
    }

    public NodeProfile withResource(String name, String quantity) {
        Map<String, String> more = new TreeMap<>(resources);
        more.put(name, quantity);
        return new NodeProfile(
                os,
                kernel,
                architecture,
                kubeletVersion,
                role,
                labels,
                more,
                devices,
                cpuFeatures,
                nfd,
                pciLabelFields);
    }

    /** Adds a device without virtual functions; the ids are four hexadecimal digits each. */
    public NodeProfile withPci(String classId, String vendorId, String deviceId) {
        return withDevice(new PciDevice(classId, vendorId, deviceId, false));
    }

    public NodeProfile withDevice(PciDevice device) {
        List<PciDevice> more = new ArrayList<>(devices);
        more.add(device);
        return new NodeProfile(
                os,
                kernel,
                architecture,
                kubeletVersion,
                role,
                labels,
                resources,
                more,
                cpuFeatures,
                nfd,
                pciLabelFields);
    }

    /** The same machine without its PCI devices. */
    public NodeProfile withoutDevices() {
        return new NodeProfile(
                os,
                kernel,
                architecture,
                kubeletVersion,
                role,
                labels,
                resources,
                List.of(),
                cpuFeatures,
                nfd,
                pciLabelFields);
    }

    /** The same machine where NFD is not installed: no {@code feature.node.kubernetes.io} label at all. */
    public NodeProfile withoutNfd() {
        return new NodeProfile(
                os,
                kernel,
                architecture,
                kubeletVersion,
                role,
                labels,
                resources,
                devices,
                cpuFeatures,
                false,
                pciLabelFields);
    }

    /** NFD's {@code deviceLabelFields}: for instance {@code vendor}, or {@code class, vendor, device}. */
    public NodeProfile withPciLabelFields(String... fields) {
        return new NodeProfile(
                os,
                kernel,
                architecture,
                kubeletVersion,
                role,
                labels,
                resources,
                devices,
                cpuFeatures,
                nfd,
                List.of(fields));
    }

    private static Map<String, String> sorted(Map<String, String> map) {
        return Collections.unmodifiableMap(new TreeMap<>(map));
    }
}
