package dev.sro.runtime.preflight;

import dev.sro.api.resource.CredentialsSecret;
import dev.sro.api.resource.PreflightEvidence;
import dev.sro.api.resource.PreflightTargetStatus;
import dev.sro.api.resource.PreflightValidation;
import dev.sro.api.resource.PreflightValidationSpec;
import dev.sro.api.resource.PreflightValidationStatus;
import dev.sro.api.resource.SpecialResourcePreflight;
import dev.sro.api.resource.VerificationStatus;
import dev.sro.core.image.ImageReference;
import dev.sro.runtime.Clients;
import dev.sro.runtime.ClusterOptions;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.PluginOptions;
import dev.sro.runtime.Progress;
import dev.sro.runtime.RegistriesConf;
import dev.sro.runtime.UnusableInputException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says whether the special resources of a cluster are ready for a kernel to come. */
@Command(
        name = "preflight",
        mixinStandardHelpOptions = true,
        description = {
            "Says whether the special resources of a cluster are ready for a kernel to come, before any node gets it.",
            "",
            "Reads the cluster and the registries from this machine, and changes nothing. A PreflightValidation in the"
                    + " cluster asks the operator the same.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 all are ready, or will be as soon as SRO has built their images (CouldBeBuilt); 1 one is"
                    + " not, or could not be checked; 2 wrong arguments, or no answer from the cluster.",
            "",
            "Example:",
            "  sro preflight --update-image quay.io/openshift-release-dev/ocp-release:4.12.3-x86_64"
        })
public final class PreflightCommand implements Callable<Integer> {

    /** For what to check: one of them. */
    static final class Wanted {
        @Option(
                names = "--update-image",
                required = true,
                paramLabel = "IMAGE",
                description = "Release payload image of the OpenShift version to come.")
        private @Nullable String updateImage;

        @Option(
                names = "--kernel",
                required = true,
                paramLabel = "VERSION",
                description = "Kernel to come, as uname -r prints it.")
        private @Nullable String kernel;
    }

    @ArgGroup(multiplicity = "1")
    private Wanted wanted = new Wanted();

    @Parameters(arity = "0..*", paramLabel = "NAME", description = "Special resources to check. Default: all.")
    private List<String> names = List.of();

    @Option(
            names = "--pull-secret",
            paramLabel = "NAMESPACE/NAME",
            description = "Secret of the cluster with logins of registries. Default: on OpenShift the cluster's own.")
    private @Nullable String pullSecret;

    @Option(
            names = "--registries-conf",
            paramLabel = "FILE",
            description = "Mirrors of registries. Default: /etc/containers/registries.conf, where it is there.")
    private @Nullable Path registriesConf;

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private OutputForm form = new OutputForm();

    /** Filled by the command line parser. */
    public PreflightCommand() {}

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        PreflightValidation asked = asked();
        Path mirrors = RegistriesConf.given(registriesConf);
        Config config = cluster.config();
        PreflightValidationStatus status;
        try (Progress progress = Progress.saying(spec.commandLine().getErr(), form.isText(), "asking the cluster");
                KubernetesClient client = Clients.plain(config)) {
            progress.say("checking recipes and looking up images for the new kernel");
            status = Checking.run(client, plugins, asked, mirrors);
        } catch (KubernetesClientException e) {
            throw new UnusableInputException(config.getMasterUrl(), "no answer: " + e.getMessage());
        } catch (IOException e) {
            throw new UnusableInputException("preflight", String.valueOf(e.getMessage()));
        }
        form.print(() -> text(status), () -> status);
        boolean good = status.getSrStatuses().stream()
                .allMatch(verdict -> verdict.getVerificationStatus() == VerificationStatus.TRUE);
        return good ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private PreflightValidation asked() {
        PreflightValidationSpec asked = new PreflightValidationSpec();
        String image = wanted.updateImage;
        if (image != null) {
            try {
                ImageReference.parse(image);
            } catch (IllegalArgumentException e) {
                throw new UnusableInputException("--update-image", String.valueOf(e.getMessage()));
            }
        }
        asked.setUpdateImage(image);
        asked.setKernelVersion(wanted.kernel);
        asked.setSpecialResources(names.isEmpty() ? null : names);
        String secret = pullSecret;
        if (secret != null) {
            String[] parts = secret.split("/", -1);
            if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
                throw new UnusableInputException("--pull-secret", "\"" + secret + "\" is not NAMESPACE/NAME");
            }
            CredentialsSecret reference = new CredentialsSecret();
            reference.setNamespace(parts[0]);
            reference.setName(parts[1]);
            asked.setPullSecret(reference);
        }
        PreflightValidation preflight = new PreflightValidation();
        preflight.setSpec(asked);
        return preflight;
    }

    private static String text(PreflightValidationStatus status) {
        StringBuilder out = new StringBuilder();
        for (PreflightTargetStatus target : status.getTargets()) {
            String version =
                    target.getReleaseVersion().isEmpty() ? "" : "OpenShift " + target.getReleaseVersion() + ", ";
            out.append(version + target.getArchitecture() + ": kernel " + target.getKernelVersion())
                    .append("\n");
        }
        if (status.getSrStatuses().isEmpty()) {
            out.append("there are no special resources").append("\n");
        }
        for (SpecialResourcePreflight verdict : status.getSrStatuses()) {
            String value = String.valueOf(verdict.getVerificationStatus());
            String reason = verdict.getReason().isEmpty() ? "" : "  " + verdict.getReason();
            out.append(verdict.getName() + "  " + value + reason + "  " + verdict.getStatusReason())
                    .append("\n");
            for (PreflightEvidence evidence : verdict.getEvidence()) {
                String kernel = evidence.getKernelVersion().isEmpty() ? "" : "  kernel " + evidence.getKernelVersion();
                String layer = evidence.getLayer().isEmpty() ? "" : "  layer " + evidence.getLayer();
                String digest = evidence.getDigest().isEmpty()
                        ? ""
                        : "  from " + evidence.getSource() + "@" + evidence.getDigest();
                out.append("  " + evidence.getObject() + "  " + evidence.getImage() + kernel + digest + layer)
                        .append("\n");
            }
        }
        return out.toString();
    }
}
