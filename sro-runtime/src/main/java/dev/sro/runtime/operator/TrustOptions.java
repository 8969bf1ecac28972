package dev.sro.runtime.operator;

import dev.sro.core.outgoing.OutgoingRules;
import dev.sro.core.outgoing.ProxyRules;
import dev.sro.runtime.RegistriesConf;
import dev.sro.runtime.UnusableInputException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whom an operator asks, and whom it believes. Filled by the command line parser. */
final class TrustOptions {

    @Option(
            names = "--outgoing",
            paramLabel = "SERVERS",
            defaultValue = "${env:SRO_OUTGOING:-*}",
            description = "Servers that may be asked for charts and images: *, names, domains (*.example.com), networks"
                    + " (10.0.0.0/8). Loopback, link-local and metadata addresses only where a network has them."
                    + " Default: *.")
    private String outgoing = "*";

    @Option(
            names = "--registries-conf",
            paramLabel = "FILE",
            defaultValue = "${env:SRO_REGISTRIES_CONF}",
            description = "Mirrors of the registries that the operator looks into. Default:"
                    + " /etc/containers/registries.conf, where it is there.")
    private @Nullable Path registriesConf;

    @Option(
            names = "--extra-plugins",
            paramLabel = "DIR,...",
            split = ",",
            defaultValue = "${env:SRO_EXTRA_PLUGINS}",
            description = "Folders into which more plugins are dropped, beside those of --plugins: mounted volumes."
                    + " Default: none.")
    private List<Path> extraPlugins = List.of();

    @Option(
            names = "--plugin-digests",
            paramLabel = "FILE,...",
            split = ",",
            defaultValue = "${env:SRO_PLUGIN_DIGESTS}",
            description = "SHA-256 digests of the plugins that may be loaded, as sha256sum writes them; those that come"
                    + " with the image may be anyway. Default: all may.")
    private List<Path> pluginDigests = List.of();

    @Option(
            names = "--plugin-keys",
            paramLabel = "FILE,...",
            split = ",",
            defaultValue = "${env:SRO_PLUGIN_KEYS}",
            description = "Public keys (PEM): plugins with a signature by one of them, made by cosign sign-blob, may be"
                    + " loaded, too. Default: none.")
    private List<Path> pluginKeys = List.of();

    @Option(
            names = "--plugin-rescan",
            paramLabel = "SECONDS",
            defaultValue = "${env:SRO_PLUGIN_RESCAN:-30}",
            description = "How often the folders are looked at for new plugins; 0 for at the start only. Default: 30.")
    private int pluginRescan;

    @Option(
            names = "--metrics-address",
            paramLabel = "HOST:PORT",
            defaultValue = "${env:SRO_METRICS_ADDRESS:-none}",
            description =
                    "Where /metrics is, over HTTPS and for those alone who have a token of the cluster and may get"
                            + " /metrics; \"none\" for with the probes and for everybody. Default: none.")
    private String metricsAddress = "none";

    /** Filled by the command line parser. */
    TrustOptions() {}

    /** @throws UnusableInputException if a list or a key cannot be read: at the start nothing else is loaded instead */
    private PluginSources plugins() {
        PluginSources sources = new PluginSources(
                given(extraPlugins),
                given(pluginDigests),
                given(pluginKeys),
                Duration.ofSeconds(OperatorCommand.atLeast("--plugin-rescan", pluginRescan, 0)));
        try {
            sources.trust();
        } catch (UncheckedIOException e) {
            throw new UnusableInputException(
                    "--plugin-digests, --plugin-keys",
                    String.valueOf(Objects.requireNonNullElse(e.getCause(), e).getMessage()));
        }
        return sources;
    }

    /** A variable of the environment that is not set is an empty path. */
    private Path mirrors() {
        Path given = registriesConf;
        return RegistriesConf.given(given == null || given.toString().isEmpty() ? null : given);
    }

    private Optional<InetSocketAddress> metrics() {
        if (metricsAddress.equals("none")) {
            return Optional.empty();
        }
        String[] address = OperatorCommand.address("--metrics-address", metricsAddress, "0.0.0.0:8443");
        return Optional.of(new InetSocketAddress(address[0], Integer.parseInt(address[1])));
    }

    /** A variable of the environment that is not set is an empty path. */
    private static List<Path> given(@Nullable List<Path> paths) {
        return paths == null
                ? List.of()
                : paths.stream().filter(path -> !path.toString().isEmpty()).toList();
    }

    /** What the options come to. */
    TrustSettings settings(Map<String, String> environment) {
        try {
            // What is wrong with them is said at the start, and not by the first chart.
            ProxyRules.ofEnvironment(environment);
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("environment", String.valueOf(e.getMessage()));
        }
        try {
            return new TrustSettings(OutgoingRules.parse("--outgoing", outgoing), plugins(), mirrors(), metrics());
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("--outgoing", String.valueOf(e.getMessage()));
        }
    }
}
