package dev.sro.runtime.bundle;

import dev.sro.runtime.SroVersion;
import dev.sro.runtime.UnusableInputException;
import dev.sro.runtime.install.OperatorParts;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a bundle is to be, by options. Filled by the command line parser. */
final class BundleOptions {

    /** The variable of reproducible builds: seconds since 1970. */
    private static final String EPOCH = "SOURCE_DATE_EPOCH";

    @Option(
            names = "--bundle-version",
            paramLabel = "X.Y.Z",
            description = "Version of the bundle. Default: that of SRO, in lower case.")
    private @Nullable String version;

    @Option(
            names = "--channels",
            paramLabel = "NAME,...",
            split = ",",
            defaultValue = "stable",
            description = "Channels of the package. Default: ${DEFAULT-VALUE}.")
    private List<String> channels = List.of();

    @Option(
            names = "--default-channel",
            paramLabel = "NAME",
            description = "The one that is offered. Default: the first.")
    private @Nullable String defaultChannel;

    @Option(
            names = "--replaces",
            paramLabel = "NAME",
            description = "Bundle that was the newest before: " + OperatorParts.NAME + ".vX.Y.Z, or only X.Y.Z.")
    private @Nullable String replaces;

    @Option(
            names = "--skips",
            paramLabel = "NAME,...",
            split = ",",
            description = "Bundles that nobody is to have any more, named in the same way.")
    private List<String> skips = new ArrayList<>();

    @Option(
            names = "--skip-range",
            paramLabel = "RANGE",
            description = "Versions that may be updated to this one at once, such as \">=0.1.0 <0.3.0\".")
    private @Nullable String skipRange;

    @Option(
            names = "--openshift-versions",
            paramLabel = "RANGE",
            description = "Versions of OpenShift whose catalogues get it: v4.18, v4.18-v4.22 or =v4.18.")
    private @Nullable String openShift;

    @Option(
            names = "--min-kube-version",
            paramLabel = "X.Y.Z",
            defaultValue = "1.28.0",
            description = "Least version of Kubernetes. Default: ${DEFAULT-VALUE}.")
    private String minKubeVersion = "";

    @Option(
            names = "--arch",
            paramLabel = "NAME,...",
            split = ",",
            defaultValue = "amd64",
            description = "What the operator's image is built for: amd64, arm64, ppc64le, s390x. Default:"
                    + " ${DEFAULT-VALUE}.")
    private List<String> architectures = List.of();

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = OperatorParts.NAME,
            description = "Where consoles suggest to install it. Default: ${DEFAULT-VALUE}.")
    private String namespace = "";

    @Option(
            names = "--created-at",
            paramLabel = "TIME",
            description = "When, such as 2026-01-31T12:00:00Z. Default: the time of the variable " + EPOCH
                    + ", or nothing: equal input makes equal files.")
    private @Nullable String createdAt;

    @Option(
            names = "--scorecard-image",
            paramLabel = "IMAGE",
            defaultValue = "quay.io/operator-framework/scorecard-test:v1.31.0",
            description = "Image with the tests of the scorecard. Default: ${DEFAULT-VALUE}.")
    private String scorecardImage = "";

    @Option(
            names = "--monitoring",
            description = "With a ServiceMonitor, a PrometheusRule and a dashboard. Where a cluster does not have these"
                    + " kinds, such a bundle cannot be installed.")
    private boolean monitoring;

    /** @throws UnusableInputException for what can be no bundle at all; the rest is for the check */
    BundleSettings settings(Map<String, String> environment) {
        String own = version == null ? SroVersion.current().toLowerCase(Locale.ROOT) : version;
        return new BundleSettings(
                own,
                new BundleSettings.Update(
                        Optional.ofNullable(replaces).map(BundleOptions::name),
                        skips.stream().map(BundleOptions::name).toList(),
                        Optional.ofNullable(skipRange)),
                channels,
                defaultChannel == null ? channels.get(0) : defaultChannel,
                Optional.ofNullable(openShift),
                minKubeVersion,
                architectures,
                namespace,
                created(environment),
                scorecardImage,
                monitoring);
    }

    private static String name(String given) {
        return given.startsWith(OperatorParts.NAME + ".") ? given : OperatorParts.NAME + ".v" + given;
    }

    private Optional<String> created(Map<String, String> environment) {
        try {
            String epoch = environment.getOrDefault(EPOCH, "");
            if (createdAt == null) {
                return epoch.isEmpty()
                        ? Optional.empty()
                        : Optional.of(
                                Instant.ofEpochSecond(Long.parseLong(epoch)).toString());
            }
            return Optional.of(Instant.parse(createdAt).toString());
        } catch (DateTimeParseException e) {
            throw new UnusableInputException(
                    "--created-at " + createdAt, "is no date and time such as 2026-01-31T12:00:00Z");
        } catch (NumberFormatException e) {
            throw new UnusableInputException(EPOCH, "is not a number of seconds");
        }
    }
}
