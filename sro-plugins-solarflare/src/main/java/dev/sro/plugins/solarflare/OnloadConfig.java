package dev.sro.plugins.solarflare;

import dev.sro.api.Checks;
import dev.sro.api.KernelVersion;
import dev.sro.api.device.Decoration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of a special resource, checked. Immutable.
 *
 * @param images by kernel, first match first
 * @param userImage with the user-space files; empty where they are in the images of the modules
 * @param waitImage whose shell waits for barriers; empty for that of the user-space files
 * @param version of Onload, for people; empty when nobody says
 * @param pullPolicy of the images
 * @param parameters of the modules, by module
 * @param controlPlane arguments of the control plane's server; empty when the kernel does not start it
 * @param devicePlugin the device plugin
 * @param cdi whether the device is described to container runtimes
 * @param decoration what else containers get, with a device of its own
 * @param ptp the PTP daemon
 * @param profiles ConfigMaps with environment variables
 * @param nodeFeatureRule whether Node Feature Discovery is told of the adapters
 */
record OnloadConfig(
        List<KernelImage> images,
        Optional<String> userImage,
        Optional<String> waitImage,
        String version,
        String pullPolicy,
        Map<String, List<String>> parameters,
        Optional<String> controlPlane,
        DevicePlugin devicePlugin,
        boolean cdi,
        Optional<Decoration> decoration,
        Optional<Ptp> ptp,
        List<Profile> profiles,
        boolean nodeFeatureRule) {

    /** The name of the resource unless something else is said. */
    static final String RESOURCE = "amd.com/onload";

    /**
     * The device plugin of the Onload operator.
     *
     * @param image with it
     * @param pullPolicy of the image
     * @param resource its name, which the program has built in
     * @param maxPods how many pods may share the adapters of a node
     * @param setPreload whether containers get {@code LD_PRELOAD}
     * @param mountOnload whether containers get the script {@code onload}
     * @param hostPath where the files are on the node
     * @param basePath before all paths in containers
     * @param binPath of the script in containers
     * @param libPath of the libraries in containers
     */
    record DevicePlugin(
            String image,
            String pullPolicy,
            String resource,
            int maxPods,
            boolean setPreload,
            boolean mountOnload,
            String hostPath,
            String basePath,
            String binPath,
            String libPath) {

        /** Where the library is in containers. */
        String library() {
            return basePath + libPath + "/libonload.so";
        }
    }

    /**
     * The PTP daemon.
     *
     * @param image with it
     * @param config text of {@code sfptpd.cfg}
     */
    record Ptp(String image, String config) {}

    /**
     * Environment variables for applications.
     *
     * @param name of the profile
     * @param namespaces that get a ConfigMap with them; that of the operands when empty
     * @param environment the variables
     */
    record Profile(String name, List<String> namespaces, Map<String, String> environment) {}

    /** That of a kernel. */
    Optional<KernelImage> image(KernelVersion kernel) {
        return images.stream().filter(image -> image.isFor(kernel)).findFirst();
    }

    static void checkImage(Fields fields, String field, String image) {
        try {
            Checks.image(fields.path(field), image);
        } catch (IllegalArgumentException e) {
            fields.error(field, String.valueOf(e.getMessage()).substring((fields.path(field) + ": ").length()));
        }
    }
}
