package dev.sro.core.driver;

import dev.sro.api.Pool;
import dev.sro.api.resource.DriverSpec;
import dev.sro.api.resource.DriverTagOverride;
import dev.sro.api.resource.DriverTags;
import dev.sro.core.driver.TagCatalogue.Use;
import dev.sro.core.model.MetadataKeys;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Images by rules: a repository, and tags made for the pool. Stateless. */
public final class TagTemplates {

    /** From the distribution specification, 1.1. */
    private static final Pattern TAG = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");

    private static final Pattern NOT_TAG = Pattern.compile("[^A-Za-z0-9._-]");
    private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");
    private static final int MAX_TAG = 128;
    private static final String FIELD = "spec.driver.tags";

    private TagTemplates() {}

    /**
     * The image of this use for the pool.
     *
     * @param openShiftVersion empty elsewhere
     * @throws DriverException if there is no template for it, or a value that it needs is not known
     */
    public static String image(TagCatalogue catalogue, DriverSpec driver, Pool pool, String openShiftVersion, Use use) {
        String version = driver.getVersion();
        if (version.startsWith("sha256:")) {
            return byDigest(driver.getRepository(), version, use);
        }
        String template = template(catalogue, driver, pool, use);
        Map<String, String> values =
                TagVariables.collect(catalogue, pool, openShiftVersion, version, driver.getBranch());
        TreeSet<String> unknown = new TreeSet<>();
        String field = FIELD + "." + use.field();
        String tag = NOT_TAG.matcher(EnvSubst.expand(field, template, values, unknown))
                .replaceAll("_");
        if (!unknown.isEmpty()) {
            throw DriverException.invalid(
                    field,
                    "\"" + template + "\" needs " + unknown + ", of which nothing is known for pool " + pool.name()
                            + "; " + advice(unknown, values));
        }
        // What SRO pushes it also looks for; what others pushed has the name that they gave it.
        String fitting = use == Use.BUILD ? MetadataKeys.fit(tag, MAX_TAG) : tag;
        if (!TAG.matcher(fitting).matches()) {
            throw DriverException.invalid(
                    field,
                    "\"" + template + "\" becomes \"" + tag
                            + "\", which is no tag: letters, digits, '_', '.' and '-', at"
                            + " most 128, and no '.' or '-' in front");
        }
        return driver.getRepository() + ":" + fitting;
    }

    private static String byDigest(String repository, String version, Use use) {
        if (use != Use.COMPILE_ON_NODE) {
            throw DriverException.invalid(
                    "spec.driver.version",
                    "one digest is one image, which cannot have modules for every kernel; use a version, or imagePolicy"
                            + " CompileOnNode");
        }
        if (!DIGEST.matcher(version).matches()) {
            throw DriverException.invalid(
                    "spec.driver.version", "\"" + version + "\" is no digest: sha256: and 64 digits from 0 to f");
        }
        return repository + "@" + version;
    }

    private static String advice(Set<String> unknown, Map<String, String> values) {
        if (unknown.contains("driverVersion") || unknown.contains("driverBranch")) {
            return "set spec.driver.version" + (unknown.contains("driverBranch") ? " or spec.driver.branch" : "");
        }
        return "known are " + values.keySet();
    }

    private static String template(TagCatalogue catalogue, DriverSpec driver, Pool pool, Use use) {
        DriverTags tags = Objects.requireNonNullElseGet(driver.getTags(), DriverTags::new);
        Optional<String> own = override(tags, pool.os().toString(), use)
                .or(() -> override(tags, pool.os().id(), use))
                .or(() -> given(tags, use));
        if (own.isPresent()) {
            return own.get();
        }
        String scheme = tags.getScheme().isEmpty() ? "Kernel" : tags.getScheme();
        if (!catalogue.schemes().contains(scheme)) {
            throw DriverException.invalid(
                    FIELD + ".scheme", "\"" + scheme + "\" is none of " + catalogue.schemes() + "; write one of them");
        }
        return catalogue
                .template(scheme, pool.os().id(), use)
                .orElseThrow(() -> DriverException.invalid(
                        FIELD + ".scheme",
                        "\"" + scheme + "\" has no tags for " + use.field() + " on " + pool.os() + "; set " + FIELD
                                + "." + use.field()));
    }

    private static Optional<String> override(DriverTags tags, String os, Use use) {
        return tags.getOverrides().stream()
                .filter(override -> override.getOs().equals(os))
                .findFirst()
                .flatMap(override -> text(override, use));
    }

    private static Optional<String> text(DriverTagOverride tags, Use use) {
        return first(use, tags.getPrebuilt(), tags.getBuild(), tags.getCompileOnNode());
    }

    private static Optional<String> given(DriverTags tags, Use use) {
        return first(use, tags.getPrebuilt(), tags.getBuild(), tags.getCompileOnNode());
    }

    private static Optional<String> first(Use use, String prebuilt, String build, String compileOnNode) {
        String text = switch (use) {
            case PREBUILT -> prebuilt;
            case BUILD -> build.isEmpty() ? prebuilt : build;
            case COMPILE_ON_NODE -> compileOnNode;
        };
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
