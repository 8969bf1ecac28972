package dev.sro.plugins.nvidia;

import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which images may serve a pool, best first: one with modules for the kernel, one that SRO builds, one that compiles on the
 * node. Tags are NVIDIA's: {@code <version>-<kernel>-<system>} and {@code <version>-<system>}. Stateless.
 */
final class DriverImages {

    /** Systems that drivers are published for by their major release only. */
    private static final Set<String> BY_MAJOR = Set.of("rhel", "rocky", "ol");

    private static final Pattern MINOR = Pattern.compile("(\\d+\\.\\d+).*");

    /**
     * Key of pools of RHEL CoreOS: the release of OpenShift that the nodes run, which while a cluster is updated is not that of
     * the cluster.
     */
    static final String RELEASE = "release";

    /** Longest tag that registries take. */
    private static final int MAX_TAG = 128;

    private static final String DOCKERFILE = Resources.text("driver.Dockerfile");

    private DriverImages() {}

    /** The system in tags: {@code ubuntu22.04}, {@code rhel9}, {@code rhcos4.19}; empty when it is not known. */
    static String system(RecipeContext context, Pool pool) {
        String id = pool.os().id();
        if (id.isEmpty() || pool.os().version().isEmpty()) {
            return "";
        }
        if (id.equals("rhcos")) {
            Matcher release = MINOR.matcher(
                    pool.key().getOrDefault(RELEASE, context.cluster().openShiftVersion()));
            return release.matches() ? id + release.group(1) : "";
        }
        return id + (BY_MAJOR.contains(id) ? pool.os().major() : pool.os().version());
    }

    static ImageCandidates choose(RecipeContext context, Settings settings, Pool pool) {
        Catalogue.Entry driver = settings.image("driver");
        if (!settings.hasDriver()) {
            return ImageCandidates.none(Problem.user(
                    "NvidiaHostDriver", "spec.plugin.config.driver.enabled is false: the host brings the driver"));
        }
        Optional<Boolean> precompiled = settings.flag("driver.usePrecompiled");
        if (driver.isDigest()) {
            return precompiled.orElse(false)
                    ? ImageCandidates.none(Problem.user(
                            "NvidiaDigestOfOneKernel",
                            "spec.plugin.config.driver.version: a digest is the image of one kernel, and"
                                    + " usePrecompiled needs one for each; name a version, or unset usePrecompiled"))
                    : ImageCandidates.of(candidate(settings, ImageCandidate.Kind.COMPILE_ON_NODE, driver.reference()));
        }
        String system = system(context, pool);
        if (system.isEmpty()) {
            return ImageCandidates.none(Problem.platform(
                    "NvidiaUnknownSystem",
                    "pool " + pool.name() + ": there is no driver for operating system \"" + pool.os()
                            + "\"; Node Feature Discovery has to label its nodes with system-os_release.ID and"
                            + " VERSION_ID"
                            + (pool.os().id().equals("rhcos") ? ", and the release of OpenShift must be known" : "")));
        }
        List<ImageCandidate> candidates = candidates(settings, pool, system, precompiled);
        return candidates.isEmpty()
                ? ImageCandidates.none(Problem.platform(
                        "NvidiaTagTooLong",
                        "pool " + pool.name() + ": a tag for kernel " + pool.kernel() + " would be longer than "
                                + MAX_TAG + " characters; unset spec.plugin.config.driver.usePrecompiled"))
                : ImageCandidates.builder().addAllCandidates(candidates).build();
    }

    /** @param precompiled whether modules for the kernel are all that is wanted, or nothing that is; empty for whatever there is */
    private static List<ImageCandidate> candidates(
            Settings settings, Pool pool, String system, Optional<Boolean> precompiled) {
        Catalogue.Entry driver = settings.image("driver");
        List<ImageCandidate> candidates = new ArrayList<>();
        String ofKernel = "-" + pool.kernel().normalized() + "-" + system;
        if (precompiled.orElse(true) && driver.version().length() + ofKernel.length() <= MAX_TAG) {
            candidates.add(candidate(settings, ImageCandidate.Kind.PREBUILT, driver.reference(ofKernel)));
            // Images for OpenShift compile in the driver toolkit, beside the driver.
            settings.maybe("driver.build.pushTo")
                    .filter(repository -> !settings.isOpenShift())
                    .ifPresent(repository -> candidates.add(candidate(
                            settings, ImageCandidate.Kind.BUILD, repository + ":" + driver.version() + ofKernel)));
        }
        if (!precompiled.orElse(false)) {
            candidates.add(candidate(settings, ImageCandidate.Kind.COMPILE_ON_NODE, driver.reference("-" + system)));
        }
        return candidates;
    }

    private static ImageCandidate candidate(Settings settings, ImageCandidate.Kind kind, String reference) {
        return ImageCandidate.builder()
                .kind(kind)
                .reference(reference)
                .addAllPullSecrets(settings.texts("driver.imagePullSecrets"))
                .build();
    }

    /** The published image of the system, with modules for the kernel compiled into it. */
    static BuildPlan build(RecipeContext context, Settings settings, Pool pool, ImageCandidate image) {
        BuildPlan.Builder plan = BuildPlan.builder()
                .dockerfile(DOCKERFILE)
                .baseImage(settings.image("driver").reference("-" + system(context, pool)))
                .putArguments("KERNEL_MODULE_TYPE", moduleType(settings))
                .pushTo(image.reference())
                .addAllPullSecrets(settings.texts("driver.imagePullSecrets"));
        settings.maybe("driver.build.pushSecret").ifPresent(plan::pushSecret);
        return plan.build();
    }

    static String moduleType(Settings settings) {
        return settings.flag("driver.useOpenKernelModules").orElse(false)
                ? "open"
                : settings.text("driver.kernelModuleType");
    }
}
