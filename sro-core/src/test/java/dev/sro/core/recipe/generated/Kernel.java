package dev.sro.core.recipe.generated;

import dev.sro.api.OsRelease;
import java.util.List;

/**
 * A kernel with its operating system and the suffix that the original gave its objects: published constants, computed nowhere here.
 *
 * @param raw as nodes report it
 * @param suffix of objects for it
 * @param patch version, patch level and first build number
 * @param os of nodes that boot it
 * @param system as the original calls the operating system: RHEL CoreOS is the RHEL that it is made of
 */
record Kernel(String raw, String suffix, String patch, OsRelease os, String system) {

    private static final OsRelease COREOS_84 = new OsRelease("rhcos", "8.4");
    private static final OsRelease COREOS_94 = new OsRelease("rhcos", "9.4");

    static final List<Kernel> OF_84 = List.of(
            of84("4.18.0-305.45.1.el8_4.x86_64", "b657a71de7fad62f"),
            of84("4.18.0-305.40.2.el8_4.x86_64", "e383247e62b56585"),
            of84("4.18.0-305.10.2.el8_4.x86_64", "12813789169ac0ee"),
            of84("4.18.0-305.19.1.el8_4.x86_64", "bfb16b50984f16f0"),
            of84("4.18.0-305.19.1.rt7.91.el8_4.x86_64", "bc3e2e7be0b5c587"));

    static final List<Kernel> OTHERS = List.of(
            new Kernel("5.14.0-427.50.1.el9_4.x86_64", "731161ceb1b6bbad", "5.14.0-427", COREOS_94, "rhel"),
            new Kernel("5.14.0-427.11.1.el9_4.x86_64", "3ede8066011da14", "5.14.0-427", COREOS_94, "rhel"),
            new Kernel(
                    "5.15.0-91-generic", "6d1425a686f2f04c", "5.15.0-91", new OsRelease("ubuntu", "22.04"), "ubuntu"));

    static final List<Kernel> ALL =
            java.util.stream.Stream.concat(OF_84.stream(), OTHERS.stream()).toList();

    private static Kernel of84(String raw, String suffix) {
        return new Kernel(raw, suffix, "4.18.0-305", COREOS_84, "rhel");
    }

    String major() {
        String version = os.version();
        return system + version.substring(0, version.indexOf('.'));
    }

    /** By operating system, then by kernel: the first one is that of objects that are there once. */
    String order() {
        return os.id() + os.version() + "-" + raw;
    }

    /** Whether the kernel says for which architecture it is; else a label of the node has to. */
    boolean namesArchitecture() {
        return raw.endsWith("x86_64");
    }
}
