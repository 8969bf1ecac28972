package dev.sro.core.module;

import dev.sro.api.resource.SpecialResourceModuleSpec;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.image.ToolkitRelease;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Kernels in place of the versions that modules watch, for who looks at a module without a cluster and without registries: of a version
 * its kernel is known, and its system where the kernel names it. Immutable.
 */
public final class AssumedVersions implements Versions {

    /** Of RHEL and its like: {@code 5.14.0-427.11.1.el9_4.x86_64}. */
    private static final Pattern EL = Pattern.compile("\\.el(\\d+)_(\\d+)");

    private final SortedMap<String, String> kernels;

    /** For these, as {@code uname -r} prints them, with the version of the operating system; empty where it is not known. */
    public AssumedVersions(Map<String, String> kernels) {
        this.kernels = new TreeMap<>(kernels);
    }

    /** The version of the operating system that a kernel names; empty if it names none. */
    public static String systemOf(String kernel) {
        Matcher system = EL.matcher(kernel);
        return system.find() ? system.group(1) + "." + system.group(2) : "";
    }

    @Override
    public Optional<SortedSet<String>> all() {
        return Optional.of(new TreeSet<>(kernels.keySet()));
    }

    @Override
    public ModuleVersion resolve(
            String value, String architecture, SpecialResourceModuleSpec spec, RegistrySettings settings) {
        return new ModuleVersion(value, "", "", "", new ToolkitRelease(value, "", kernels.getOrDefault(value, "")));
    }
}
