package dev.sro.runtime.operator;

import ch.qos.logback.classic.Level;
import dev.sro.api.Checks;
import dev.sro.core.embed.OperatorEnd;
import dev.sro.core.embed.OperatorLease;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.LabelSelector;
import dev.sro.core.model.RelatedImages;
import dev.sro.core.runtimehook.RuntimeState;
import dev.sro.runtime.ClusterOptions;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.PluginOptions;
import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the operator until it is told to stop. */
@Command(
        name = "operator",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs SRO on a cluster: in a pod, or anywhere with a kubeconfig.",
            "",
            "Every option can also be an environment variable: SRO_ and its name, as in SRO_LEASE_NAME.",
            ""
        },
        footer = {
            "",
            "Stops on SIGTERM or SIGINT: what is being reconciled ends, then the lease is given back.",
            "Exit codes: 0 stopped as asked; 1 the lease was lost, or another failure, which is printed; 2 wrong"
                    + " arguments."
        })
public final class OperatorCommand implements Callable<Integer> {

    /** The Lease, unless chosen otherwise. */
    public static final String LEASE = "special-resource-operator";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            defaultValue = "${env:SRO_NAMESPACE}",
            description =
                    "SRO's own namespace, where its lease is; operands have theirs. Default: that of the pod or of the"
                            + " context, or default.")
    private @Nullable String namespace;

    @Option(
            names = "--leader-elect",
            negatable = true,
            defaultValue = "${env:SRO_LEADER_ELECT:-true}",
            fallbackValue = "true",
            description = "Take part in the election of a leader; --no-leader-elect if no other replica runs.")
    private boolean leaderElect;

    @Option(
            names = "--lease-name",
            paramLabel = "NAME",
            defaultValue = "${env:SRO_LEASE_NAME:-" + LEASE + "}",
            description = "The Lease. Default: " + LEASE + ".")
    private String leaseName = "";

    @Option(
            names = "--lease-duration",
            paramLabel = "SECONDS",
            defaultValue = "${env:SRO_LEASE_DURATION:-15}",
            description = "After which another replica takes over from one that is silent. Default: 15.")
    private int leaseDuration;

    @Option(
            names = "--renew-deadline",
            paramLabel = "SECONDS",
            defaultValue = "${env:SRO_RENEW_DEADLINE:-10}",
            description = "After which a leader that cannot renew the lease gives up. Default: 10.")
    private int renewDeadline;

    @Option(
            names = "--retry-period",
            paramLabel = "SECONDS",
            defaultValue = "${env:SRO_RETRY_PERIOD:-2}",
            description = "Between attempts to get or renew the lease. Default: 2.")
    private int retryPeriod;

    @Option(
            names = "--bind-address",
            paramLabel = "HOST:PORT",
            defaultValue = "${env:SRO_BIND_ADDRESS:-0.0.0.0:8080}",
            description =
                    "Where /livez, /readyz and /metrics are; port 0 for any, \"none\" for none. Default: 0.0.0.0:8080.")
    private String bindAddress = "";

    @Option(
            names = "--selector",
            paramLabel = "SELECTOR",
            defaultValue = "${env:SRO_SELECTOR:-}",
            description = "Looks after special resources, preflights and modules with these labels only, as in"
                    + " '!example.com/operator', and leaves the others to other operators. Default: all.")
    private String selector = "";

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "${env:SRO_WORKERS:-4}",
            description = "Special resources that are reconciled at once. Default: 4.")
    private int workers;

    @Option(
            names = "--requests-per-second",
            paramLabel = "X",
            defaultValue = "${env:SRO_REQUESTS_PER_SECOND:-50}",
            description =
                    "Most requests to the API server, in the long run; those for the lease are not counted. Default:"
                            + " 50.")
    private double requestsPerSecond;

    @Option(
            names = "--image-mirrors",
            paramLabel = "FROM=TO,...",
            defaultValue = "${env:SRO_IMAGE_MIRRORS:-}",
            description =
                    "Prefixes of images that are pulled from elsewhere: quay.io/acme=mirror.example.com/acme. Default:"
                            + " none.")
    private String imageMirrors = "";

    @Option(
            names = "--runtime-image",
            paramLabel = "IMAGE",
            defaultValue = "${env:SRO_RUNTIME_IMAGE:-}",
            description =
                    "Whose shell puts files for container runtimes onto nodes, unless a plugin names one. Default: "
                            + RuntimeState.DEFAULT_IMAGE + ".")
    private String runtimeImage = "";

    @Mixin
    private TrustOptions trust = new TrustOptions();

    @Mixin
    private WebhookOptions webhooks = new WebhookOptions();

    @Option(
            names = "--request-burst",
            paramLabel = "N",
            defaultValue = "${env:SRO_REQUEST_BURST:-100}",
            description = "Requests that may be made at once after a pause. Default: 100.")
    private int requestBurst;

    @Option(
            names = "--relist-after",
            paramLabel = "SECONDS",
            defaultValue = "${env:SRO_RELIST_AFTER:-900}",
            description = "Silence of a watch after which its objects are listed anew. Default: 900.")
    private int relistAfter;

    @Option(
            names = "--recipe-account",
            paramLabel = "NAME",
            defaultValue = "${env:SRO_RECIPE_ACCOUNT:-sro-recipe}",
            description =
                    "ServiceAccount in the namespace of the operands by whose rights charts and numbered manifests are"
                            + " applied; SRO makes it. Empty: SRO's own rights, so that whoever may write a recipe acts"
                            + " with them. Default: sro-recipe.")
    private String recipeAccount = "";

    @Option(
            names = "--helm",
            paramLabel = "FILE",
            defaultValue = "${env:SRO_HELM_COMMAND}",
            description =
                    "The command helm, version 3, that renders charts. Default: Helm's library, which is in SRO; on"
                            + " machines that it is not for (arm64, musl) helm in PATH.")
    private @Nullable Path helm;

    @Option(
            names = "--label-grace",
            paramLabel = "SECONDS",
            defaultValue = "${env:SRO_LABEL_GRACE:-300}",
            description = "For how long a label of Node Feature Discovery that vanishes from a node that is served says"
                    + " nothing. Default: 300.")
    private int labelGrace;

    @Option(
            names = "--stop-timeout",
            paramLabel = "SECONDS",
            defaultValue = "${env:SRO_STOP_TIMEOUT:-20}",
            description = "How long a stop waits for what is being reconciled. Default: 20.")
    private int stopTimeout;

    @Mixin
    private BuildOptions builds = new BuildOptions();

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            defaultValue = "${env:SRO_LOG_FORMAT:-text}",
            description = "text or json. Default: text.")
    private Logs.Form logFormat = Logs.Form.TEXT;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            defaultValue = "${env:SRO_LOG_LEVEL:-info}",
            description = "error, warn, info, debug or trace. Default: info.")
    private String logLevel = "";

    @Option(
            names = "--log-level-file",
            paramLabel = "FILE",
            defaultValue = "${env:SRO_LOG_LEVEL_FILE}",
            description = "Read again every five seconds: a line with a level, or logger=level.")
    private @Nullable Path logLevelFile;

    /** Filled by the command line parser. */
    public OperatorCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        OperatorSettings settings = settings();
        Logs logs = Logs.configure(settings.log(), settings.logLevel());
        OperatorRun run;
        try {
            run = OperatorRun.start(settings, logs);
        } catch (IOException e) {
            throw new UnusableInputException(
                    "--bind-address " + bindAddress + " --webhook-address " + webhooks.address(),
                    String.valueOf(e.getMessage()));
        }
        Thread stop = new Thread(
                () -> {
                    run.close();
                    // A stop that was asked for is no failure, whatever code the signal would give.
                    Runtime.getRuntime().halt(ExitCodes.OK);
                },
                "sro-stop");
        Runtime.getRuntime().addShutdownHook(stop);
        run.port().ifPresent(port -> {
            spec.commandLine().getErr().println("listening on port " + port);
            spec.commandLine().getErr().flush();
        });
        OperatorEnd end = run.await();
        if (end != OperatorEnd.STOPPED) {
            Runtime.getRuntime().removeShutdownHook(stop);
            run.close();
            return ExitCodes.FAILED;
        }
        return ExitCodes.OK;
    }

    /** What the options come to. */
    OperatorSettings settings() {
        Level level = Level.toLevel(logLevel.toUpperCase(Locale.ROOT), null);
        if (level == null) {
            throw UnusableInputException.noneOf(
                    "--log-level", logLevel, List.of("error", "warn", "info", "debug", "trace"));
        }
        if (!(requestsPerSecond > 0)) {
            throw new UnusableInputException("--requests-per-second " + requestsPerSecond, "must be more than 0");
        }
        String[] address = bindAddress.equals("none")
                ? new String[] {"", "-1"}
                : address("--bind-address", bindAddress, "0.0.0.0:8080");
        return new OperatorSettings(
                new OperatorSettings.Connection(cluster.kubeconfig(), cluster.context()),
                plugins.directory(),
                selector(),
                atLeast("--workers", workers, 1),
                leaderElect ? Optional.of(election()) : Optional.empty(),
                address[0],
                Integer.parseInt(address[1]),
                requestsPerSecond,
                atLeast("--request-burst", requestBurst, 1),
                plugins.deadline(),
                Duration.ofSeconds(atLeast("--stop-timeout", stopTimeout, 0)),
                Duration.ofSeconds(atLeast("--relist-after", relistAfter, 0)),
                Duration.ofSeconds(atLeast("--label-grace", labelGrace, 0)),
                mirrors(),
                builds.settings(),
                runtimeImage(),
                account(),
                Optional.ofNullable(helm),
                trust.settings(System.getenv()),
                webhooks.settings(),
                logFormat,
                level,
                Optional.ofNullable(logLevelFile));
    }

    private String selector() {
        try {
            LabelSelector.parse("--selector", selector);
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("--selector " + selector, String.valueOf(e.getMessage()));
        }
        return selector;
    }

    private Optional<String> runtimeImage() {
        if (runtimeImage.isEmpty()) {
            return Optional.empty();
        }
        try {
            Checks.image("--runtime-image", runtimeImage);
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("--runtime-image " + runtimeImage, String.valueOf(e.getMessage()));
        }
        return Optional.of(runtimeImage);
    }

    private String account() {
        if (!recipeAccount.isEmpty()) {
            try {
                Checks.dnsLabel("--recipe-account", recipeAccount);
            } catch (IllegalArgumentException e) {
                throw new UnusableInputException("--recipe-account " + recipeAccount, String.valueOf(e.getMessage()));
            }
        }
        return recipeAccount;
    }

    private ImageMirrors mirrors() {
        return mirrors(imageMirrors, System.getenv());
    }

    /** From where images are pulled: by the option, and by variables of which each is about one image. */
    static ImageMirrors mirrors(String mirrors, Map<String, String> environment) {
        ImageMirrors prefixes;
        try {
            prefixes = ImageMirrors.parse(mirrors);
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("--image-mirrors", String.valueOf(e.getMessage()));
        }
        try {
            return prefixes.after(RelatedImages.of(environment));
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("environment", String.valueOf(e.getMessage()));
        }
    }

    /** Host and port. */
    static String[] address(String option, String value, String example) {
        int colon = value.lastIndexOf(':');
        String port = value.substring(colon + 1);
        if (colon < 0 || !port.matches("\\d{1,5}") || Integer.parseInt(port) > 65_535) {
            throw new UnusableInputException(option + " " + value, "is not HOST:PORT, such as " + example);
        }
        String host = value.substring(0, colon);
        return new String[] {host.isEmpty() ? "0.0.0.0" : host, port};
    }

    static int atLeast(String option, int value, int least) {
        if (value < least) {
            throw new UnusableInputException(option + " " + value, "must be at least " + least);
        }
        return value;
    }

    private OperatorSettings.Election election() {
        try {
            return new OperatorSettings.Election(
                    Optional.ofNullable(namespace),
                    new OperatorLease(
                            leaseName,
                            OperatorLease.of(leaseName).identity(),
                            Duration.ofSeconds(leaseDuration),
                            Duration.ofSeconds(renewDeadline),
                            Duration.ofSeconds(retryPeriod)));
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("--lease-duration", String.valueOf(e.getMessage()));
        }
    }
}
