package dev.sro.core.driver;

import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.BuildTrigger;
import dev.sro.api.driver.SignPlan;
import dev.sro.api.resource.BuildResources;
import dev.sro.api.resource.BuildWebhook;
import dev.sro.api.resource.DriverBuild;
import dev.sro.api.resource.DriverSign;
import dev.sro.api.resource.DriverSpec;
import dev.sro.api.resource.GitSource;
import dev.sro.api.resource.LocalReference;
import dev.sro.api.resource.NamedValue;
import dev.sro.core.model.MetadataKeys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** How {@code spec.driver} has an image built and signed. Stateless. */
final class SpecBuilds {

    private static final int MAX_TAG = 128;

    private SpecBuilds() {}

    /** How this image is made. */
    static DriverRequest.Making create(
            RecipeContext context,
            String namespace,
            Pool pool,
            DriverSpec driver,
            KernelMappings.Mapped mapped,
            String target) {
        DriverBuild build = mapped.build();
        DriverSign sign = mapped.sign();
        String pushed = build != null && sign != null ? unsigned(target, namespace, context.name()) : target;
        return new DriverRequest.Making(
                build == null
                        ? Optional.empty()
                        : Optional.of(plan(context, namespace, pool, driver, mapped, build, pushed)),
                sign == null
                        ? Optional.empty()
                        : Optional.of(plan(pool, driver, mapped, sign, target, build == null ? "" : pushed)));
    }

    /** Where a build pushes what is signed afterwards: the same tag with more behind it. */
    static String unsigned(String target, String namespace, String name) {
        int colon = target.lastIndexOf(':');
        if (target.contains("@") || colon < target.lastIndexOf('/')) {
            throw DriverException.invalid(
                    "spec.driver.containerImage", "\"" + target + "\" has no tag; nothing can be built for a digest");
        }
        String tag = target.substring(colon + 1) + "_" + namespace + "_" + name + "_unsigned";
        return target.substring(0, colon + 1) + MetadataKeys.fit(tag, MAX_TAG);
    }

    private static BuildPlan plan(
            RecipeContext context,
            String namespace,
            Pool pool,
            DriverSpec driver,
            KernelMappings.Mapped mapped,
            DriverBuild build,
            String pushed) {
        if (pushed.contains("@")) {
            throw DriverException.invalid(
                    "spec.driver.containerImage", "\"" + pushed + "\" has a digest; nothing can be built for that");
        }
        Map<String, String> arguments = new LinkedHashMap<>();
        for (NamedValue argument : build.getBuildArgs()) {
            arguments.put(argument.getName(), argument.getValue());
        }
        String kernel = KernelNames.matched(pool.kernel());
        arguments.put("KERNEL_VERSION", kernel);
        arguments.put("KERNEL_FULL_VERSION", kernel);
        arguments.put("MOD_NAME", context.name());
        arguments.put("MOD_NAMESPACE", namespace);
        BuildPlan.Builder plan = BuildPlan.builder();
        plan.method(method(build.getMethod()))
                .dockerfile(build.getDockerfile())
                .dockerfileConfigMap(name(build.getDockerfileConfigMap()))
                .putAllArguments(arguments)
                .addAllSecrets(build.getSecrets().stream()
                        .map(LocalReference::getName)
                        .distinct()
                        .toList())
                .baseImage(text(build.getBaseImage()))
                .driverToolkit(Boolean.TRUE.equals(build.getDriverToolkit()))
                .baseImageSecurity(SpecImages.security(build.getBaseImageRegistryTLS()))
                .pushTo(pushed)
                .pushSecret(name(build.getPushSecret()).or(() -> name(driver.getImageRepoSecret())))
                .pushSecurity(SpecImages.security(mapped.registryTls()))
                .putAllNodeSelector(build.getSelector());
        if (build.getKanikoParams() != null) {
            plan.builderTag(text(build.getKanikoParams().getTag()));
        }
        if (!build.getTimeout().isEmpty()) {
            plan.timeout(Durations.parse("spec.driver.build.timeout", build.getTimeout()));
        }
        GitSource git = build.getGit();
        if (git != null) {
            plan.gitUri(text(git.getUri())).gitReference(text(git.getRef()));
        }
        plan.gitDirectory(text(build.getContextDir())).gitSecret(name(build.getSourceSecret()));
        plan.addAllPullSecrets(SpecImages.pullSecrets(driver));
        build.getTriggers().forEach(webhook -> plan.addTriggers(trigger(webhook)));
        BuildResources resources = build.getResources();
        if (resources != null) {
            plan.putAllLimits(resources.getLimits()).putAllRequests(resources.getRequests());
        }
        return plan.build();
    }

    private static BuildTrigger trigger(BuildWebhook webhook) {
        BuildTrigger.Type type = switch (webhook.getType()) {
            case "GitHub" -> BuildTrigger.Type.GITHUB;
            case "GitLab" -> BuildTrigger.Type.GITLAB;
            case "Bitbucket" -> BuildTrigger.Type.BITBUCKET;
            case "Generic" -> BuildTrigger.Type.GENERIC;
            default ->
                throw DriverException.invalid(
                        "spec.driver.build.triggers",
                        "\"" + webhook.getType() + "\" is none of GitHub, GitLab, Bitbucket and Generic; write"
                                + " one of them");
        };
        return new BuildTrigger(
                type, required("spec.driver.build.triggers.secretReference", webhook.getSecretReference()));
    }

    private static BuildPlan.Method method(String name) {
        return switch (name) {
            case "", "Any" -> BuildPlan.Method.ANY;
            case "BuildConfig" -> BuildPlan.Method.BUILD_CONFIG;
            case "Shipwright" -> BuildPlan.Method.SHIPWRIGHT;
            case "Job" -> BuildPlan.Method.JOB;
            default ->
                throw DriverException.invalid(
                        "spec.driver.build.method",
                        "\"" + name + "\" is none of Any, BuildConfig, Shipwright and Job; write one of them");
        };
    }

    private static SignPlan plan(
            Pool pool, DriverSpec driver, KernelMappings.Mapped mapped, DriverSign sign, String target, String built) {
        Map<String, String> values = KernelNames.variables(pool.kernel());
        TreeSet<String> unknown = new TreeSet<>();
        String unsigned = built.isEmpty()
                ? EnvSubst.expand("spec.driver.sign.unsignedImage", sign.getUnsignedImage(), values, unknown)
                : built;
        if (unsigned.isEmpty()) {
            throw DriverException.invalid(
                    "spec.driver.sign.unsignedImage", "there is no image to sign; set it, or spec.driver.build");
        }
        Map<String, String> inFiles = KernelNames.fileVariables(pool.kernel());
        List<String> files = sign.getFilesToSign().stream()
                .map(file -> EnvSubst.expand("spec.driver.sign.filesToSign", file, inFiles, unknown))
                .distinct()
                .toList();
        SignPlan.Builder plan = SignPlan.builder();
        plan.unsignedImage(unsigned)
                .signedImage(target)
                .addAllFiles(files)
                .keySecret(required("spec.driver.sign.keySecret", sign.getKeySecret()))
                .certSecret(required("spec.driver.sign.certSecret", sign.getCertSecret()))
                .unsignedImageSecurity(SpecImages.security(
                        built.isEmpty() ? sign.getUnsignedImageRegistryTLS() : mapped.registryTls()))
                .signedImageSecurity(SpecImages.security(mapped.registryTls()))
                .signImage(text(sign.getSignImage()))
                .pushSecret(name(driver.getImageRepoSecret()));
        if (!sign.getHash().isEmpty()) {
            plan.hash(sign.getHash());
        }
        return plan.build();
    }

    private static String required(String field, @Nullable LocalReference reference) {
        return name(reference).orElseThrow(() -> DriverException.invalid(field, "missing; name a Secret"));
    }

    private static Optional<String> name(@Nullable LocalReference reference) {
        return reference == null ? Optional.empty() : text(reference.getName());
    }

    private static Optional<String> text(String value) {
        return value.isEmpty() ? Optional.empty() : Optional.of(value);
    }
}
