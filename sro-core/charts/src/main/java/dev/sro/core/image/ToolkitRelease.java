package dev.sro.core.image;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.LenientYaml;
import dev.sro.core.yaml.YamlException;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What {@code /etc/driver-toolkit-release.json} says: in a driver toolkit, and in what was built from it. Immutable.
 *
 * @param kernel with the architecture at its end
 * @param realTimeKernel with the architecture at its end; empty where there is none
 * @param osVersion of RHEL: {@code 8.4}; may be empty
 */
public record ToolkitRelease(String kernel, String realTimeKernel, String osVersion) {

    /** Where the file is in an image. */
    public static final String PATH = LayerReader.TOOLKIT;

    /** As Linux names the architectures that Kubernetes names otherwise. */
    private static final Map<String, String> LINUX = Map.of("amd64", "x86_64", "arm64", "aarch64");

    /**
     * Reads the file.
     *
     * @param architecture of the image, as Kubernetes names it
     * @throws IOException if it is not what it should be; the message names layer and field
     */
    public static ToolkitRelease parse(Image.Found file, String architecture) throws IOException {
        String what = file.path() + " in layer " + file.layer();
        Map<String, Object> tree;
        try {
            tree = LenientYaml.map(what, file.content());
        } catch (YamlException e) {
            throw new IOException(what + " is no JSON object", e);
        }
        String kernel = ValueTrees.text(tree, "KERNEL_VERSION").strip();
        if (kernel.isEmpty()) {
            throw new IOException(what + " has no KERNEL_VERSION");
        }
        return new ToolkitRelease(
                whole(kernel, architecture),
                whole(ValueTrees.text(tree, "RT_KERNEL_VERSION").strip(), architecture),
                ValueTrees.text(tree, "RHEL_VERSION").strip());
    }

    /** Whether the kernel says that it is for nodes of another architecture; most kernels say nothing. */
    public static boolean isOfAnotherArchitecture(String kernel, String architecture) {
        String own = LINUX.getOrDefault(architecture, architecture);
        return Stream.of("x86_64", "aarch64", "ppc64le", "s390x")
                .anyMatch(other -> !other.equals(own) && kernel.matches(".*\\." + other + "(\\+.*)?"));
    }

    /** A kernel as {@code uname -r} prints it: early toolkits left the architecture out. */
    public static String whole(String kernel, String architecture) {
        String suffix = "." + LINUX.getOrDefault(architecture, architecture);
        // A real-time kernel of RHEL 9 has one more word after it.
        return kernel.isEmpty() || kernel.endsWith(suffix) || kernel.contains(suffix + "+") ? kernel : kernel + suffix;
    }
}
