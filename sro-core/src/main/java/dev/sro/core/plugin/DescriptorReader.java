package dev.sro.core.plugin;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pf4j.ManifestPluginDescriptorFinder;
import org.pf4j.PluginDependency;
import org.pf4j.PluginDescriptor;
import org.pf4j.PluginDescriptorFinder;
import org.pf4j.PropertiesPluginDescriptorFinder;

/** Reads the PF4J descriptor of a staged file: the manifest, or plugin.properties. Stateless. */
final class DescriptorReader {

    /** PF4J's own default: a plugin without a life cycle. */
    private static final String NO_LIFE_CYCLE = "org.pf4j.Plugin";

    private static final String WHERE =
            "META-INF/MANIFEST.MF (classes/META-INF/MANIFEST.MF in a zip) or plugin.properties";

    private DescriptorReader() {}

    static Candidate read(PluginCopy staged) throws PluginRejectedException {
        PluginDescriptor descriptor = find(staged);
        String version = text(descriptor.getVersion());
        if (!Versions.isValid(version)) {
            throw invalid(
                    staged,
                    "Plugin-Version is \"" + version + "\", which is not a semantic version",
                    "write it as MAJOR.MINOR.PATCH, for example 1.4.0");
        }
        String requires = range(text(descriptor.getRequires()));
        if (!Versions.isValidRange(requires)) {
            throw invalid(
                    staged,
                    "Plugin-Requires is \"" + requires + "\", which is not a version range",
                    "write it like \">=1.2.0 & <2.0.0\"");
        }
        return new Candidate(
                staged,
                text(descriptor.getPluginId()),
                version,
                requires,
                Optional.of(text(descriptor.getPluginClass()))
                        .filter(name -> !name.isEmpty() && !name.equals(NO_LIFE_CYCLE)),
                dependencies(staged, descriptor));
    }

    private static PluginDescriptor find(PluginCopy staged) throws PluginRejectedException {
        for (PluginDescriptorFinder finder :
                List.of(new ManifestPluginDescriptorFinder(), new PropertiesPluginDescriptorFinder())) {
            PluginDescriptor descriptor = find(finder, staged.content());
            if (descriptor != null && !text(descriptor.getPluginId()).isEmpty()) {
                return descriptor;
            }
        }
        throw new PluginRejectedException(PluginRejection.of(
                staged.file(),
                PluginRejectionCodes.DESCRIPTOR_MISSING,
                "it has no plugin descriptor",
                "name Plugin-Id and Plugin-Version in " + WHERE + ", or move the file out of the plugin directory"));
    }

    /** PF4J throws several kinds of exceptions for a descriptor that is simply not there. */
    private static @Nullable PluginDescriptor find(PluginDescriptorFinder finder, Path content) {
        try {
            return finder.isApplicable(content) ? finder.find(content) : null;
        } catch (RuntimeException notThere) {
            return null;
        }
    }

    private static List<Candidate.Dependency> dependencies(PluginCopy staged, PluginDescriptor descriptor)
            throws PluginRejectedException {
        List<Candidate.Dependency> dependencies = descriptor.getDependencies().stream()
                .map(DescriptorReader::dependency)
                .toList();
        for (Candidate.Dependency dependency : dependencies) {
            if (dependency.id().isEmpty() || !Versions.isValidRange(dependency.range())) {
                throw invalid(
                        staged,
                        "Plugin-Dependencies has the entry \"" + dependency.id() + "@" + dependency.range()
                                + "\", which is not a plugin id with a version range",
                        "write it like \"acme-base@>=1.2.0, acme-extra?\"");
            }
        }
        return dependencies;
    }

    private static Candidate.Dependency dependency(PluginDependency dependency) {
        return new Candidate.Dependency(
                text(dependency.getPluginId()),
                range(text(dependency.getPluginVersionSupport())),
                dependency.isOptional());
    }

    private static String range(String text) {
        return text.isEmpty() ? "*" : text;
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value.trim();
    }

    private static PluginRejectedException invalid(PluginCopy staged, String reason, String fix) {
        return new PluginRejectedException(PluginRejection.of(
                staged.file(), PluginRejectionCodes.DESCRIPTOR_INVALID, reason, fix + ", in " + WHERE));
    }
}
