package dev.sro.runtime.scheduler;

import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.UnknownModelException;
import dev.sro.core.yaml.PlainYaml;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the configuration of a scheduler that asks {@code sro slices scheduler}. */
@Command(
        name = "scheduler-config",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Prints a KubeSchedulerConfiguration for a scheduler that asks \"sro slices scheduler\" where slices are:"
                    + " give it to kube-scheduler by --config.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 printed; 2 wrong arguments.",
            "",
            "Example, for a scheduler in the same pod:",
            "  sro slices scheduler-config --scheduler-name sro-slices > config.yaml"
        })
public final class SchedulerConfigCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8888",
            description = "By which the scheduler reaches the extender. Default: ${DEFAULT-VALUE}, in the same pod.")
    private String url = "";

    @Option(
            names = "--scheduler-name",
            paramLabel = "NAME",
            defaultValue = "default-scheduler",
            description = "Name by which pods choose the scheduler. Default: ${DEFAULT-VALUE}.")
    private String name = "";

    @Option(
            names = "--models",
            paramLabel = "MODEL",
            split = ",",
            description = "Slices of these models only. Default: those of all models that are known.")
    private List<String> models = new ArrayList<>();

    @Option(
            names = "--weight",
            paramLabel = "N",
            defaultValue = "10",
            description =
                    "Weight of the choice of node against other scores of the scheduler. Default: ${DEFAULT-VALUE}.")
    private int weight;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "PEM of whoever signed the extender's certificate; needed for https.")
    private @Nullable Path ca;

    @Option(
            names = "--client-certificate",
            paramLabel = "DIR",
            description = "Folder, as the scheduler sees it, with tls.crt and tls.key by which the extender knows it.")
    private @Nullable String client;

    @Option(
            names = "--ignore-counts",
            description = "The scheduler does not count slices at all: where nodes do not advertise them.")
    private boolean ignoreCounts;

    @Option(
            names = "--lease",
            paramLabel = "NAMESPACE/NAME",
            defaultValue = "",
            description = "Lease of the scheduler, not that of the cluster's own. Default: none, for one replica.")
    private String lease = "";

    /** Filled by the command line parser. */
    public SchedulerConfigCommand() {}

    @Override
    public Integer call() {
        boolean https = url.startsWith("https://");
        if (!https && !url.startsWith("http://")) {
            throw new UnusableInputException("--url " + url, "is not http://HOST:PORT or https://HOST:PORT");
        }
        Path bundle = ca;
        if (https != (bundle != null)) {
            throw new UnusableInputException(
                    "--url " + url,
                    https ? "needs --ca, or the scheduler would believe anybody" : "has no use for --ca");
        }
        if (weight < 1) {
            throw new UnusableInputException("--weight " + weight, "is not 1 or more");
        }
        int slash = lease.indexOf('/');
        if (!lease.isEmpty() && (slash < 1 || slash == lease.length() - 1)) {
            throw new UnusableInputException("--lease " + lease, "is not NAMESPACE/NAME");
        }
        SchedulerConfig config = new SchedulerConfig(
                url,
                name,
                weight,
                Optional.ofNullable(bundle).map(SchedulerConfigCommand::base64),
                Optional.ofNullable(client),
                ignoreCounts,
                lease.substring(slash + 1),
                slash < 1 ? "" : lease.substring(0, slash));
        spec.commandLine().getOut().print(PlainYaml.write(config.tree(chosen())));
        spec.commandLine().getOut().flush();
        return ExitCodes.OK;
    }

    private List<DeviceModel> chosen() {
        Catalogue catalogue = Catalogue.builtin();
        try {
            return models.isEmpty()
                    ? catalogue.models()
                    : models.stream().map(catalogue::resolve).toList();
        } catch (UnknownModelException e) {
            throw new UnusableInputException("--models", String.valueOf(e.getMessage()));
        }
    }

    private static String base64(Path file) {
        try {
            return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UnusableInputException("--ca " + file, "there is no such file, or it cannot be read");
        }
    }
}
