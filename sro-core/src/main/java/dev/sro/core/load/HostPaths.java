package dev.sro.core.load;

import dev.sro.api.NodeBarrier;
import dev.sro.api.driver.HostFile;
import dev.sro.api.driver.LoadPlan;
import dev.sro.core.manifest.RenderException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which directories of the host a plan needs, as volumes and mounts of a pod. Immutable. */
final class HostPaths {

    /** Where directories of the host are in the container. */
    static final String HOST = "/host";

    private static final String MODULES = "/lib/modules";

    /** The parameters of the kernel's modules. */
    private static final String KERNEL = "/sys/module";

    private final List<Map<String, Object>> volumes = new ArrayList<>();
    private final List<Map<String, Object>> mounts = new ArrayList<>();

    private HostPaths() {}

    /**
     * The directories of this plan.
     *
     * @throws RenderException if it needs the root of the host
     */
    static HostPaths of(LoadPlan plan) {
        HostPaths paths = new HostPaths();
        paths.add("modules", MODULES, "Directory");
        paths.mount("modules", HOST + MODULES, true);
        if (!plan.directory().equals("/")) {
            // Trees of images have links into the kernel's own, for what their modules depend on.
            paths.mount("modules", MODULES, true);
        }
        if (plan.firmwareSource().isPresent()) {
            // Where to look for firmware is said there, and runtimes give even privileged containers a /sys that is
            // read-only.
            paths.add("kernel", KERNEL, "Directory");
            paths.mount("kernel", KERNEL, false);
        }
        int number = 0;
        for (String directory : writable(plan)) {
            String name = "host-" + number++;
            paths.add(name, directory, "DirectoryOrCreate");
            paths.mount(name, HOST + directory, false);
        }
        paths.volumes.add(volume("run", "emptyDir", Map.of()));
        paths.mount("run", "/run/sro", false);
        return paths;
    }

    List<Map<String, Object>> volumes() {
        return List.copyOf(volumes);
    }

    List<Map<String, Object>> mounts() {
        return List.copyOf(mounts);
    }

    /** None of them inside of another one. */
    private static SortedSet<String> writable(LoadPlan plan) {
        SortedSet<String> all = new TreeSet<>();
        plan.firmwareSource().ifPresent(source -> all.add(plan.firmwareTarget()));
        plan.hostFiles().stream().map(HostPaths::parent).forEach(all::add);
        if (!plan.blacklist().isEmpty()) {
            all.add("/etc/modprobe.d");
        }
        plan.barrier().map(NodeBarrier::directory).ifPresent(all::add);
        SortedSet<String> outer = new TreeSet<>(all);
        outer.removeIf(inner -> all.stream().anyMatch(other -> !inner.equals(other) && inner.startsWith(other + "/")));
        return outer;
    }

    private static String parent(HostFile file) {
        int slash = file.target().lastIndexOf('/');
        if (slash == 0) {
            throw RenderException.vendor(
                    "LoadPlanNotPossible",
                    "HostFile.target: \"" + file.target()
                            + "\" is directly under the root of the host, which SRO does not mount; choose a"
                            + " directory");
        }
        return file.target().substring(0, slash);
    }

    private void add(String name, String path, String type) {
        Map<String, Object> hostPath = new LinkedHashMap<>();
        hostPath.put("path", path);
        hostPath.put("type", type);
        volumes.add(volume(name, "hostPath", hostPath));
    }

    private static Map<String, Object> volume(String name, String kind, Map<String, Object> source) {
        Map<String, Object> volume = new LinkedHashMap<>();
        volume.put("name", name);
        volume.put(kind, source);
        return volume;
    }

    private void mount(String name, String path, boolean readOnly) {
        Map<String, Object> mount = new LinkedHashMap<>();
        mount.put("name", name);
        mount.put("mountPath", path);
        if (readOnly) {
            mount.put("readOnly", true);
        }
        mounts.add(mount);
    }
}
