package dev.sro.testkit.node;

import dev.sro.testkit.controlplane.Binaries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What machines are made of. Immutable.
 *
 * @param directory with a node's disk, kernels, and the files of a registry, as {@code .ci/real-node/build.sh} makes it
 * @param controlPlane the programs of the control plane
 * @param kernels the names of the kernels as {@code uname -r} prints them, the older one first
 */
record Rig(Path directory, Binaries controlPlane, List<String> kernels) {
    Rig {
        kernels = List.copyOf(kernels);
    }

    /**
     * The rig of a directory.
     *
     * @throws RealNodeException if something is missing there; the message names it
     */
    static Rig in(Path directory, Binaries controlPlane) {
        List<String> needed = new ArrayList<>(
                List.of("root.img", "kernels", "registry", "kubelet-clients.crt", "apiserver.crt", "apiserver.key"));
        List<String> kernels = List.of();
        Path names = directory.resolve("kernels");
        if (Files.isReadable(names)) {
            try {
                kernels = Files.readAllLines(names).stream()
                        .map(String::trim)
                        .filter(name -> !name.isEmpty())
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        kernels.forEach(name -> {
            needed.add("vmlinuz-" + name);
            needed.add("initrd-" + name);
        });
        List<String> missing = needed.stream()
                .filter(name -> !Files.exists(directory.resolve(name)))
                .toList();
        if (!missing.isEmpty()) {
            throw new RealNodeException(directory + " has no " + String.join(", no ", missing)
                    + ": .ci/real-node/build.sh makes what is missing");
        }
        return new Rig(directory, controlPlane, kernels);
    }

    Path file(String name) {
        return directory.resolve(name);
    }

    /**
     * One of the kernels.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    String kernel(String name) {
        if (!kernels.contains(name)) {
            throw new IllegalArgumentException("no kernel " + name + " in " + directory + ", only " + kernels);
        }
        return name;
    }
}
