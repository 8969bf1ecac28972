package dev.sro.agent.cdi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A driver on disk, as installers leave it. */
final class DriverTree {
    static final String VERSION = "580.65.06";

    static final String DEBIAN = "usr/lib/x86_64-linux-gnu";
    static final String ARM = "usr/lib/aarch64-linux-gnu";
    static final String RED_HAT = "usr/lib64";

    private static final List<String> COMPUTE = List.of(
            "libcuda",
            "libcudadebugger",
            "libnvidia-allocator",
            "libnvidia-cfg",
            "libnvidia-ml",
            "libnvidia-opencl",
            "libnvidia-ptxjitcompiler");

    final Path root;

    DriverTree(Path root) {
        this.root = root;
    }

    /** Libraries with their links, programs and firmware. */
    static DriverTree install(Path root, String directory) {
        DriverTree tree = new DriverTree(root);
        tree.libraries(directory, VERSION);
        for (String program : List.of("nvidia-smi", "nvidia-debugdump", "nvidia-cuda-mps-control")) {
            tree.file("usr/bin/" + program);
        }
        tree.file("lib/firmware/nvidia/" + VERSION + "/gsp_ga10x.bin");
        tree.file("lib/firmware/nvidia/" + VERSION + "/gsp_tu10x.bin");
        return tree;
    }

    /** Those of a version; links lead to the last that was installed. */
    DriverTree libraries(String directory, String version) {
        for (String name : COMPUTE) {
            file(directory + "/" + name + ".so." + version);
            link(directory + "/" + name + ".so.1", name + ".so." + version);
        }
        file(directory + "/libnvidia-nvvm.so." + version);
        link(directory + "/libnvidia-nvvm.so.4", "libnvidia-nvvm.so." + version);
        file(directory + "/libnvidia-gpucomp.so." + version);
        file(directory + "/libnvidia-eglcore.so." + version);
        file(directory + "/libGLX_nvidia.so." + version);
        link(directory + "/libGLX_nvidia.so.0", "libGLX_nvidia.so." + version);
        return this;
    }

    DriverTree file(String path) {
        return made(path, file -> Files.writeString(file, path));
    }

    DriverTree link(String path, String target) {
        return made(path, file -> {
            Files.deleteIfExists(file);
            Files.createSymbolicLink(file, Path.of(target));
        });
    }

    DriverTree delete(String path) {
        return made(path, Files::delete);
    }

    private interface Making {
        void make(Path file) throws IOException;
    }

    private DriverTree made(String path, Making making) {
        try {
            Path file = root.resolve(path);
            Files.createDirectories(file.resolveSibling("x").getParent());
            making.make(file);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
