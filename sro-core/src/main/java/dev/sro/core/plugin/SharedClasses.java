package dev.sro.core.plugin;

import java.util.List;

/**
 * Which classes a plugin shares with the host. Everything else that a plugin brings is its own.
 *
 * <p>A type has to be shared when objects of it cross the line between plugin and host: the SPI, the Kubernetes model
 * that manifests are made of, and what those are annotated with. All of fabric8's Kubernetes packages are one set,
 * client included: its serializer works on the model only together with the Jackson that the model was loaded with.
 */
final class SharedClasses {

    /** Never the plugin's copy: a half of the SPI from elsewhere would fail later and less clearly. */
    private static final List<String> HOST_ONLY = List.of("java.", "dev.sro.api.", "org.pf4j.");

    /** The host's copy if it has one: javax libraries, or a model extension, that only the plugin has still work. */
    private static final List<String> HOST_FIRST = List.of(
            "javax.",
            "io.fabric8.kubernetes.",
            "io.fabric8.openshift.",
            "io.fabric8.crd.generator.annotation.",
            "io.fabric8.generator.annotation.",
            "com.fasterxml.jackson.annotation.",
            "org.slf4j.",
            "org.jspecify.annotations.");

    private SharedClasses() {}

    static boolean hostOnly(String className) {
        return HOST_ONLY.stream().anyMatch(className::startsWith);
    }

    static boolean hostFirst(String className) {
        return HOST_FIRST.stream().anyMatch(className::startsWith);
    }
}
