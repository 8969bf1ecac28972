package dev.sro.agent.cdi;

import dev.sro.agent.file.ForeignRoot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was found of one version of the driver. Immutable.
 *
 * @param version of the driver
 * @param libraries by name
 * @param files programs and firmware
 * @param graphics descriptions by which loaders of OpenGL and Vulkan find the driver
 * @param hook NVIDIA's, on the host
 */
record DriverFiles(
        String version,
        List<DriverLibrary> libraries,
        List<CdiMount> files,
        List<CdiMount> graphics,
        Optional<String> hook) {
    private static final List<String> PROGRAMS = List.of(
            "nvidia-smi",
            "nvidia-debugdump",
            "nvidia-persistenced",
            "nvidia-cuda-mps-control",
            "nvidia-cuda-mps-server");
    private static final List<String> PROGRAM_DIRECTORIES = List.of("usr/bin", "usr/sbin", "bin", "sbin");
    private static final String FIRMWARE = "lib/firmware/nvidia/";
    private static final List<String> GRAPHICS = List.of(
            "usr/share/glvnd/egl_vendor.d/10_nvidia.json",
            "usr/share/nvidia/nvoptix.bin",
            "usr/share/vulkan/icd.d/nvidia_icd.json",
            "usr/share/vulkan/implicit_layer.d/nvidia_layers.json",
            "etc/vulkan/icd.d/nvidia_icd.json",
            "etc/vulkan/implicit_layer.d/nvidia_layers.json");

    DriverFiles {
        libraries = List.copyOf(libraries);
        files = List.copyOf(files);
        graphics = List.copyOf(graphics);
    }

    /** Looks for all of it: some directories are listed, none is walked through. */
    static DriverFiles find(DriverPlace place, String version) {
        ForeignRoot root = new ForeignRoot(place.root());
        return new DriverFiles(
                version,
                DriverLibraries.find(root, version),
                files(place, root, version),
                graphics(place, root),
                hook(place));
    }

    private static List<CdiMount> files(DriverPlace place, ForeignRoot root, String version) {
        List<CdiMount> files = new ArrayList<>();
        for (String program : PROGRAMS) {
            PROGRAM_DIRECTORIES.stream()
                    .flatMap(directory -> root.realFile(directory + "/" + program).stream())
                    .findFirst()
                    // All images look for programs there.
                    .ifPresent(real -> files.add(mount(place, real, "/usr/bin/" + program)));
        }
        for (String name : root.names(FIRMWARE + version)) {
            if (name.startsWith("gsp") && name.endsWith(".bin")) {
                String path = FIRMWARE + version + "/" + name;
                root.realFile(path).ifPresent(real -> files.add(mount(place, real, "/" + path)));
            }
        }
        return files;
    }

    private static List<CdiMount> graphics(DriverPlace place, ForeignRoot root) {
        List<CdiMount> files = new ArrayList<>();
        for (String path : GRAPHICS) {
            root.realFile(path).ifPresent(real -> files.add(mount(place, real, "/" + path)));
        }
        return files;
    }

    private static Optional<String> hook(DriverPlace place) {
        if (place.host().isEmpty()) {
            return place.hooks().stream().findFirst();
        }
        ForeignRoot host = new ForeignRoot(place.host().get());
        return place.hooks().stream()
                .filter(path -> host.realFile(path).isPresent())
                .findFirst();
    }

    static CdiMount mount(DriverPlace place, Path real, String containerPath) {
        return CdiMount.readOnly(place.onHost().resolve(real).toString(), containerPath);
    }

    /** Of what programs cannot do without, what is not there. */
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        for (String stem : List.of("libcuda.so", "libnvidia-ml.so")) {
            if (libraries.stream().noneMatch(library -> library.name().startsWith(stem + "."))) {
                missing.add(stem + "." + version);
            }
        }
        return missing;
    }

    /** Of what some programs need, what is not there. */
    List<String> absent() {
        List<String> absent = new ArrayList<>();
        if (libraries.stream().noneMatch(library -> library.name().startsWith("libnvidia-ptxjitcompiler."))) {
            absent.add("libnvidia-ptxjitcompiler.so." + version);
        }
        for (String program : PROGRAMS) {
            if (files.stream().noneMatch(file -> file.containerPath().equals("/usr/bin/" + program))) {
                absent.add(program);
            }
        }
        return absent;
    }
}
