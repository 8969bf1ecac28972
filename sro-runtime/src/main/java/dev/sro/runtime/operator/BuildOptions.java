package dev.sro.runtime.operator;

import dev.sro.api.driver.BuildPlan;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.build.BuildSettings.Tool;
import dev.sro.core.build.ImageGarbage;
import dev.sro.runtime.UnusableInputException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How images of drivers are built, as the command line says it. Filled by the command line parser. */
final class BuildOptions {

    @Option(
            names = "--build-method",
            paramLabel = "METHOD",
            defaultValue = "${env:SRO_BUILD_METHOD:-auto}",
            description =
                    "What builds images of drivers where neither special resource nor plugin says it: auto (what the"
                            + " cluster has), buildconfig, shipwright or job. Default: auto.")
    private String method = "";

    @Option(
            names = "--build-tool",
            paramLabel = "TOOL",
            defaultValue = "${env:SRO_BUILD_TOOL:-buildkit}",
            description = "What runs in Jobs and with Shipwright: buildkit or kaniko. Default: buildkit.")
    private String tool = "";

    @Option(
            names = "--builder-image",
            paramLabel = "IMAGE",
            defaultValue = "${env:SRO_BUILDER_IMAGE:-}",
            description = "The image of that. Default: one of the tool's own, by its version.")
    private String builderImage = "";

    @Option(
            names = "--sign-image",
            paramLabel = "IMAGE",
            defaultValue = "${env:SRO_SIGN_IMAGE:-}",
            description =
                    "Image with the kernel's sign-file, for Secure Boot, where there is no driver toolkit. Default:"
                            + " none.")
    private String signImage = "";

    @Option(
            names = "--build-push-secret",
            paramLabel = "NAME",
            defaultValue = "${env:SRO_BUILD_PUSH_SECRET:-}",
            description = "Secret in the operand namespace to push with, where nothing else names one. Default: none.")
    private String pushSecret = "";

    @Option(
            names = "--builds",
            paramLabel = "N",
            defaultValue = "${env:SRO_BUILDS:-10}",
            description = "Builds of all special resources at a time. Default: 10.")
    private int overall;

    @Option(
            names = "--builds-per-resource",
            paramLabel = "N",
            defaultValue = "${env:SRO_BUILDS_PER_RESOURCE:-3}",
            description = "Builds of one special resource at a time. Default: 3.")
    private int perResource;

    @Option(
            names = "--build-timeout",
            paramLabel = "SECONDS",
            defaultValue = "${env:SRO_BUILD_TIMEOUT:-3600}",
            description = "Longest build. Default: 3600.")
    private int timeout;

    @Option(
            names = "--base-image-check",
            paramLabel = "SECONDS",
            defaultValue = "${env:SRO_BASE_IMAGE_CHECK:-3600}",
            description = "How often the registry is asked whether the tag of a base image has moved; 0 for never."
                    + " Default: 3600.")
    private int baseImageCheck;

    @Option(
            names = "--delete-images",
            paramLabel = "WHERE",
            defaultValue = "${env:SRO_DELETE_IMAGES:-openshift}",
            description = "From where images are deleted that SRO built and nobody needs: never, openshift (its own"
                    + " registry) or everywhere. Default: openshift.")
    private String deleteImages = "";

    @Option(
            names = "--keep-images",
            paramLabel = "N",
            defaultValue = "${env:SRO_KEEP_IMAGES:-5}",
            description = "How many images of a special resource that nobody needs stay. Default: 5.")
    private int keepImages;

    @Option(
            names = "--keep-images-days",
            paramLabel = "DAYS",
            defaultValue = "${env:SRO_KEEP_IMAGES_DAYS:-30}",
            description = "For how long nobody must have needed an image that is deleted. Default: 30.")
    private int keepImagesDays;

    @Option(
            names = "--build-limits",
            paramLabel = "NAME=QUANTITY,...",
            defaultValue = "${env:SRO_BUILD_LIMITS:-memory=4Gi}",
            description = "What a build may use. Default: memory=4Gi.")
    private String limits = "";

    @Option(
            names = "--build-requests",
            paramLabel = "NAME=QUANTITY,...",
            defaultValue = "${env:SRO_BUILD_REQUESTS:-cpu=500m,memory=512Mi}",
            description = "What a build needs. Default: cpu=500m,memory=512Mi.")
    private String requests = "";

    /** For the command line parser. */
    BuildOptions() {}

    /** The settings. */
    BuildSettings settings() {
        BuildSettings.Builder settings = BuildSettings.builder();
        settings.method(method())
                .tool(tool())
                .signImage(given(signImage))
                .pushSecret(given(pushSecret))
                .overall(OperatorCommand.atLeast("--builds", overall, 1))
                .perResource(OperatorCommand.atLeast("--builds-per-resource", perResource, 1))
                .timeout(Duration.ofSeconds(OperatorCommand.atLeast("--build-timeout", timeout, 1)))
                .baseImageCheck(Duration.ofSeconds(OperatorCommand.atLeast("--base-image-check", baseImageCheck, 0)))
                .garbage(garbage())
                .limits(quantities("--build-limits", limits))
                .requests(quantities("--build-requests", requests));
        given(builderImage).ifPresent(settings::builderImage);
        try {
            return settings.build();
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("--build-*", String.valueOf(e.getMessage()));
        }
    }

    private BuildPlan.Method method() {
        return switch (method.toLowerCase(Locale.ROOT)) {
            case "auto" -> BuildPlan.Method.ANY;
            case "buildconfig" -> BuildPlan.Method.BUILD_CONFIG;
            case "shipwright" -> BuildPlan.Method.SHIPWRIGHT;
            case "job" -> BuildPlan.Method.JOB;
            default ->
                throw UnusableInputException.noneOf(
                        "--build-method", method, List.of("auto", "buildconfig", "shipwright", "job"));
        };
    }

    private Tool tool() {
        return switch (tool.toLowerCase(Locale.ROOT)) {
            case "buildkit" -> Tool.BUILDKIT;
            case "kaniko" -> Tool.KANIKO;
            default -> throw UnusableInputException.noneOf("--build-tool", tool, List.of("buildkit", "kaniko"));
        };
    }

    private ImageGarbage.Policy garbage() {
        ImageGarbage.Reach reach = switch (deleteImages.toLowerCase(Locale.ROOT)) {
            case "never" -> ImageGarbage.Reach.NOWHERE;
            case "openshift" -> ImageGarbage.Reach.OPENSHIFT;
            case "everywhere" -> ImageGarbage.Reach.EVERYWHERE;
            default ->
                throw UnusableInputException.noneOf(
                        "--delete-images", deleteImages, List.of("never", "openshift", "everywhere"));
        };
        return new ImageGarbage.Policy(
                reach,
                OperatorCommand.atLeast("--keep-images", keepImages, 0),
                Duration.ofDays(OperatorCommand.atLeast("--keep-images-days", keepImagesDays, 0)));
    }

    private static Optional<String> given(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    private static Map<String, String> quantities(String option, String text) {
        Map<String, String> quantities = new LinkedHashMap<>();
        for (String pair : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1 || equals == pair.length() - 1) {
                throw new UnusableInputException(option + " " + text, "is not NAME=QUANTITY,..., such as memory=4Gi");
            }
            quantities.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return quantities;
    }
}
