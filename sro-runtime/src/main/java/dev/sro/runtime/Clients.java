package dev.sro.runtime;

import dev.sro.api.resource.SpecialResource;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes clients of the cluster that was chosen. Stateless. */
public final class Clients {

    /** A request that takes longer has failed; the engine comes back to it. */
    private static final Duration REQUEST = Duration.ofSeconds(30);

    /** With which the names of SRO's kinds end. */
    private static final String GROUP = "." + SpecialResource.GROUP;

    /** How the client says that it asked for a kind and the API server has none of it. */
    private static final String NO_KIND = "Could not find the metadata";

    /** What the client asks where nothing says which cluster: a name that resolves in pods alone, and there the environment goes first. */
    private static final String NOWHERE = Config.DEFAULT_MASTER_URL + "/";

    private Clients() {}

    /**
     * The connection that a kubeconfig, the environment or the service account of the pod describes.
     *
     * @param kubeconfig empty for what kubectl would take, or the service account of the pod
     * @param context of the kubeconfig; empty for the current one
     * @throws UnusableInputException if the file is not there, or has no such context, or if nothing names a cluster
     */
    public static Config config(Optional<Path> kubeconfig, Optional<String> context) {
        Config config;
        if (kubeconfig.isPresent()) {
            Path file = kubeconfig.get();
            if (!Files.isReadable(file)) {
                throw new UnusableInputException("--kubeconfig " + file, "there is no such file, or it cannot be read");
            }
            try {
                config = Config.fromKubeconfig(context.orElse(null), file.toFile());
            } catch (IllegalArgumentException | KubernetesClientException e) {
                throw new UnusableInputException(
                        "--kubeconfig " + file,
                        "is no kubeconfig; a file is needed as \"kubectl config view --raw\" prints it");
            }
        } else {
            config = Config.autoConfigure(context.orElse(null));
            if (config.getCurrentContext() == null && NOWHERE.equals(config.getMasterUrl())) {
                throw new UnusableInputException(
                        "--kubeconfig",
                        "no cluster is known: neither KUBECONFIG nor ~/.kube/config has one, and this is no pod; name a file by --kubeconfig FILE");
            }
        }
        Config found = config;
        context.ifPresent(name -> {
            boolean known = found.getContexts() != null
                    && found.getContexts().stream().anyMatch(entry -> name.equals(entry.getName()));
            if (!known) {
                throw new UnusableInputException("--context " + name, "the kubeconfig has no such context");
            }
        });
        return new ConfigBuilder(found)
                .withUserAgent("sro/" + SroVersion.current())
                .withRequestTimeout((int) REQUEST.toMillis())
                // The engine decides when to try again, and says so in the status.
                .withRequestRetryBackoffLimit(0)
                // Doubled five times at most: a definition that comes late is seen within eight seconds.
                .withWatchReconnectInterval(250)
                .build();
    }

    /** A client whose requests nobody looks at. */
    public static KubernetesClient plain(Config config) {
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    /** A client whose requests pass through an interceptor. */
    public static KubernetesClient through(Config config, String name, Interceptor interceptor) {
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(builder -> builder.addOrReplaceInterceptor(name, interceptor))
                .build();
    }

    /** Which object was not found; nothing where its kind is not known. */
    private static Optional<String> missing(@Nullable Status answer) {
        return Optional.ofNullable(answer).map(Status::getDetails).map(StatusDetails::getName);
    }

    /** Why there was no answer, or not the one that was asked for, for a person. */
    public static String message(KubernetesClientException e) {
        String kind = e.getFullResourceName();
        if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                && kind != null
                && missing(e.getStatus()).isEmpty()) {
            return kind.endsWith(GROUP)
                    ? "special resources are not known here; is SRO installed?"
                    : "the API server serves no " + kind + " in version " + e.getVersion();
        }
        if (e.getStatus() != null) {
            return String.valueOf(e.getMessage());
        }
        if (String.valueOf(e.getMessage()).startsWith(NO_KIND)) {
            return "the API server serves no such kind; its definition has to be there first";
        }
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return "no answer: " + (cause.getMessage() == null ? "the connection failed" : cause.getMessage());
    }
}
