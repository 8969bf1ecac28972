package dev.sro.testkit.controlplane;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The programs of a control plane. Immutable.
 *
 * @param files where they are; etcd and kube-apiserver are always among them
 */
public record Binaries(Map<Component, Path> files) {

    /**
     * Any that are there.
     *
     * @throws IllegalArgumentException if etcd or kube-apiserver is not among them
     */
    public Binaries {
        files = Collections.unmodifiableMap(new EnumMap<>(files));
        if (!files.containsKey(Component.ETCD) || !files.containsKey(Component.API_SERVER)) {
            throw new IllegalArgumentException("a control plane needs etcd and kube-apiserver, not only " + files);
        }
    }

    /**
     * The programs in a directory, under the names that they come with.
     *
     * @throws ControlPlaneException if etcd or kube-apiserver is missing or cannot be executed
     */
    public static Binaries in(Path directory) {
        Map<Component, Path> files = new EnumMap<>(Component.class);
        List<String> missing = new ArrayList<>();
        for (Component component : Component.values()) {
            Path file = directory.resolve(component.program());
            if (Files.isExecutable(file) && !Files.isDirectory(file)) {
                files.put(component, file.toAbsolutePath());
            } else {
                missing.add(component.program());
            }
        }
        if (!files.containsKey(Component.ETCD) || !files.containsKey(Component.API_SERVER)) {
            throw new ControlPlaneException(directory + " has no " + String.join(", no ", missing) + " to execute");
        }
        return new Binaries(files);
    }

    /**
     * The programs of this machine, found as {@link RealControlPlane} finds them.
     *
     * @throws ControlPlaneException if there are none, or a cluster that a kubeconfig names is to be used instead; the message says why
     */
    public static Binaries ofThisMachine() {
        return of(ClusterFinder.ofThisMachine().find());
    }

    static Binaries of(ClusterFinder.ControlPlaneSource found) {
        if (found instanceof ClusterFinder.Programs programs) {
            return programs.binaries();
        }
        throw new ControlPlaneException(
                found instanceof ClusterFinder.Nothing nothing
                        ? nothing.reason()
                        : "the cluster of " + ClusterFinder.KUBECONFIG + " has no programs to start");
    }

    /** Whether there is a program for it. */
    public boolean has(Component component) {
        return files.containsKey(component);
    }

    Path file(Component component) {
        Path file = files.get(component);
        if (file == null) {
            throw new IllegalArgumentException("there is no " + component.program());
        }
        return file;
    }

    /** What a control plane of these programs offers. */
    public Set<Feature> features() {
        Set<Feature> features = EnumSet.of(Feature.RESTART);
        if (has(Component.CONTROLLER_MANAGER)) {
            features.add(Feature.CONTROLLERS);
        }
        if (has(Component.SCHEDULER)) {
            features.add(Feature.SCHEDULER);
        }
        if (has(Component.KWOK)) {
            features.add(Feature.NODES);
        }
        return Collections.unmodifiableSet(features);
    }
}
