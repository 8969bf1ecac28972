package dev.sro.testkit.sim;

import java.util.Map;

/**
 * An operating system as a node shows it.
 *
 * @param osImage {@code status.nodeInfo.osImage}
 * @param id {@code ID} of os-release
 * @param versionId {@code VERSION_ID} of os-release
 * @param extra further os-release fields that NFD labels carry ({@code OSTREE_VERSION}, {@code RHEL_VERSION})
 * @param containerRuntime {@code status.nodeInfo.containerRuntimeVersion}
 * @param kernel the kernel that comes with it, as {@code uname -r} prints it
 */
public record OsRelease(
        String osImage,
        String id,
        String versionId,
        Map<String, String> extra,
        String containerRuntime,
        String kernel) {
    public static final OsRelease RHCOS_8 = new OsRelease(
            "Red Hat Enterprise Linux CoreOS 410.84.202201102104-0 (Ootpa)",
            "rhcos",
            "4.10",
            Map.of("OSTREE_VERSION", "410.84.202201102104-0", "RHEL_VERSION", "8.4"),
            "cri-o://1.23.0-102.rhaos4.10",
            "4.18.0-305.19.1.el8_4.x86_64");
    public static final OsRelease RHCOS_9 = new OsRelease(
            "Red Hat Enterprise Linux CoreOS 417.94.202501301529-0",
            "rhcos",
            "4.17",
            Map.of("OSTREE_VERSION", "417.94.202501301529-0", "RHEL_VERSION", "9.4"),
            "cri-o://1.30.9-2.rhaos4.17",
            "5.14.0-427.50.1.el9_4.x86_64");
    public static final OsRelease RHEL_8 = new OsRelease(
            "Red Hat Enterprise Linux 8.4 (Ootpa)",
            "rhel",
            "8.4",
            Map.of(),
            "containerd://1.6.24",
            "4.18.0-305.el8.x86_64");
    public static final OsRelease RHEL_9 = new OsRelease(
            "Red Hat Enterprise Linux 9.4 (Plow)",
            "rhel",
            "9.4",
            Map.of(),
            "containerd://1.7.22",
            "5.14.0-427.50.1.el9_4.x86_64");
    public static final OsRelease UBUNTU_22 = new OsRelease(
            "Ubuntu 22.04.3 LTS", "ubuntu", "22.04", Map.of(), "containerd://1.7.22", "5.15.0-91-generic");
    public static final OsRelease UBUNTU_24 =
            new OsRelease("Ubuntu 24.04.1 LTS", "ubuntu", "24.04", Map.of(), "containerd://1.7.22", "6.8.0-51-generic");
    public static final OsRelease SLES_15 = new OsRelease(
            "SUSE Linux Enterprise Server 15 SP5",
            "sles",
            "15.5",
            Map.of(),
            "containerd://1.7.10",
            "5.14.21-150500.55.39-default");
    public static final OsRelease FLATCAR = new OsRelease(
            "Flatcar Container Linux by Kinvolk 3815.2.0 (Oklo)",
            "flatcar",
            "3815.2.0",
            Map.of(),
            "containerd://1.7.13",
            "6.1.77-flatcar");

    public OsRelease {
        extra = Map.copyOf(extra);
    }
}
