package dev.sro.plugins.simplekmod;

import dev.sro.api.InvalidRecipeException;
import dev.sro.api.Pool;
import java.util.Map;
import java.util.TreeSet;

/** Families of distributions, for each of which the Dockerfile has a stage that gets the headers of a kernel. Stateless. */
final class Families {

    /** By {@code ID} of os-release. */
    private static final Map<String, String> BY_SYSTEM = Map.ofEntries(
            Map.entry("debian", "debian"),
            Map.entry("ubuntu", "ubuntu"),
            Map.entry("rhel", "rhel"),
            Map.entry("rhcos", "rhel"),
            Map.entry("rocky", "rhel"),
            Map.entry("almalinux", "rhel"),
            Map.entry("centos", "centos"),
            Map.entry("fedora", "fedora"),
            Map.entry("ol", "oracle"),
            Map.entry("amzn", "amazon"),
            Map.entry("sles", "suse"),
            Map.entry("sle-micro", "suse"));

    private Families() {}

    /**
     * The family of a pool's nodes.
     *
     * @throws InvalidRecipeException if no stage is for them
     */
    static String of(Pool pool) {
        String family = BY_SYSTEM.get(pool.os().id());
        if (family == null) {
            throw new InvalidRecipeException(
                    "pool " + pool.name() + ": the Dockerfile of simple-kmod gets no kernel headers for the"
                            + " operating system \"" + pool.os().id() + "\" of its nodes; it does for "
                            + new TreeSet<>(BY_SYSTEM.keySet())
                            + ". Select other nodes by spec.nodeSelector, or build with spec.driver.build and a"
                            + " Dockerfile of your own");
        }
        return family;
    }
}
