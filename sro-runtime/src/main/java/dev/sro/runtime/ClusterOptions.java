package dev.sro.runtime;

import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which cluster, for every command that talks to one. Filled by the command line parser. */
public final class ClusterOptions {

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = "${env:SRO_KUBECONFIG}",
            description = "Default: as kubectl finds it, or the service account of the pod.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            defaultValue = "${env:SRO_CONTEXT}",
            description = "Context of the kubeconfig. Default: the current one.")
    private @Nullable String context;

    /** Filled by the command line parser. */
    public ClusterOptions() {}

    /** Empty for what kubectl would take, or the service account of the pod. */
    public Optional<Path> kubeconfig() {
        return Optional.ofNullable(kubeconfig);
    }

    /** Empty for the current one. */
    public Optional<String> context() {
        return Optional.ofNullable(context);
    }

    /**
     * The connection.
     *
     * @throws UnusableInputException if there is no such file or context
     */
    public Config config() {
        return Clients.config(kubeconfig(), context());
    }
}
