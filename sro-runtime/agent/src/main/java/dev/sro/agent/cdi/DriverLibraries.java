package dev.sro.agent.cdi;

import dev.sro.agent.file.ForeignRoot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Finds the libraries of one version of the driver: all whose name ends in it, so that those come along that later drivers have, and the
 * compiler of old programs, which has a version of its own. The same files give the same list in the same order. Stateless.
 */
final class DriverLibraries {
    /**
     * Directories of one architecture each, below the driver's root, as distributions and driver containers have them. Those of the
     * first architecture are taken in which the driver is: {@code /usr/lib} has libraries of 32 bits on some systems.
     */
    private static final List<List<String>> DIRECTORIES = List.of(
            triplet("x86_64-linux-gnu"),
            triplet("aarch64-linux-gnu"),
            List.of("usr/lib64", "usr/lib64/nvidia", "lib64"),
            List.of("usr/lib", "lib"),
            List.of(""));

    /** Loaded by a program or by the driver; what stands in the file, should no link say it. */
    private static final Map<String, String> SONAMES = Map.of(
            "libcuda", "libcuda.so.1",
            "libcudadebugger", "libcudadebugger.so.1",
            "libnvidia-allocator", "libnvidia-allocator.so.1",
            "libnvidia-cfg", "libnvidia-cfg.so.1",
            "libnvidia-ml", "libnvidia-ml.so.1",
            "libnvidia-nvvm", "libnvidia-nvvm.so.4",
            "libnvidia-opencl", "libnvidia-opencl.so.1",
            "libnvidia-ptxjitcompiler", "libnvidia-ptxjitcompiler.so.1");

    /** Of OpenGL, Vulkan, ray tracing and desktops. */
    private static final Set<String> GRAPHICS = Set.of(
            "libEGL_nvidia",
            "libGLESv1_CM_nvidia",
            "libGLESv2_nvidia",
            "libGLX_nvidia",
            "libnvidia-cbl",
            "libnvidia-eglcore",
            "libnvidia-fbc",
            "libnvidia-glcore",
            "libnvidia-glsi",
            "libnvidia-glvkspirv",
            "libnvidia-gtk2",
            "libnvidia-gtk3",
            "libnvidia-ifr",
            "libnvidia-ngx",
            "libnvidia-present",
            "libnvidia-rtcore",
            "libnvidia-tls",
            "libnvidia-vksc-core",
            "libnvidia-vulkan-producer",
            "libnvidia-wayland-client",
            "libnvoptix",
            "libvdpau_nvidia");

    private static final Pattern OLD_COMPILER = Pattern.compile("libnvidia-nvvm70\\.so\\.[0-9]+");
    private static final String SO = ".so";

    private DriverLibraries() {}

    private static List<String> triplet(String triplet) {
        // Debian has it in a directory of its own, with links of its alternatives.
        return List.of("usr/lib/" + triplet, "usr/lib/" + triplet + "/nvidia/current", "lib/" + triplet);
    }

    /** All directories that are looked at. */
    static List<String> directories() {
        return DIRECTORIES.stream().flatMap(List::stream).toList();
    }

    /** Those of this version, by name; none if the driver is not there. */
    static List<DriverLibrary> find(ForeignRoot root, String version) {
        for (List<String> directories : DIRECTORIES) {
            Map<String, String> found = files(root, directories, version);
            if (found.containsKey("libcuda.so." + version) || found.containsKey("libnvidia-ml.so." + version)) {
                return libraries(root, directories, found);
            }
        }
        return List.of();
    }

    /** Directories by names of files. */
    private static Map<String, String> files(ForeignRoot root, List<String> directories, String version) {
        Map<String, String> found = new TreeMap<>();
        for (String directory : directories) {
            for (String name : root.names(directory)) {
                boolean taken = (name.startsWith("lib") && name.endsWith(SO + "." + version))
                        || OLD_COMPILER.matcher(name).matches();
                if (taken && root.realFile(directory + "/" + name).isPresent()) {
                    found.putIfAbsent(name, directory);
                }
            }
        }
        return found;
    }

    private static List<DriverLibrary> libraries(
            ForeignRoot root, List<String> directories, Map<String, String> found) {
        Map<Path, Set<String>> links = links(root, directories, found.keySet());
        List<DriverLibrary> libraries = new ArrayList<>();
        Set<Path> taken = new TreeSet<>();
        found.forEach((name, directory) -> {
            Optional<Path> real = root.realFile(directory + "/" + name);
            if (real.isPresent() && taken.add(real.get())) {
                String stem = stem(name);
                libraries.add(new DriverLibrary(
                        "/" + directory,
                        name,
                        real.get(),
                        names(stem, name, links.getOrDefault(real.get(), Set.of())),
                        GRAPHICS.contains(stem)));
            }
        });
        return libraries;
    }

    /** What else these libraries are called there, by what they really are. */
    private static Map<Path, Set<String>> links(ForeignRoot root, List<String> directories, Set<String> files) {
        Set<String> stems = new TreeSet<>();
        files.forEach(name -> stems.add(stem(name)));
        Map<Path, Set<String>> links = new TreeMap<>();
        for (String directory : directories) {
            for (String name : root.names(directory)) {
                if (name.contains(SO) && stems.contains(stem(name))) {
                    root.realFile(directory + "/" + name)
                            .ifPresent(real -> links.computeIfAbsent(real, none -> new TreeSet<>())
                                    .add(name));
                }
            }
        }
        return links;
    }

    private static List<String> names(String stem, String file, Set<String> links) {
        Set<String> names = new TreeSet<>(links);
        String soname = SONAMES.get(stem);
        if (soname != null) {
            names.add(soname);
        }
        if (stem.equals("libcuda")) {
            // Programs that are linked to the stub of CUDA's development kit, or look for any version.
            names.add("libcuda.so");
        }
        names.remove(file);
        return names.stream()
                .sorted(Comparator.comparing(String::length).reversed().thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static String stem(String name) {
        int end = name.indexOf(SO);
        return end < 0 ? name : name.substring(0, end);
    }
}
