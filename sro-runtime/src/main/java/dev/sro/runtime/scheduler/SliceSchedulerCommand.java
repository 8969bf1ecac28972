package dev.sro.runtime.scheduler;

import dev.sro.core.lease.LeaderLease;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.Clients;
import dev.sro.runtime.ClusterOptions;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs the placement of slices on a cluster whose scheduler cannot tell them apart, until it is told to stop. */
@Command(
        name = "scheduler",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Decides which slice of which GPU a pod gets before it runs, where slices come from the device plugin: on"
                    + " clusters before Kubernetes 1.36. With --extender it answers a scheduler that is configured to ask"
                    + " (see scheduler-config); with --gates it places pods that wait at the scheduling gate"
                    + " slices.sro.dev/placement, and needs no scheduler to be configured; with --webhook it has pods with"
                    + " slices go one of these ways by themselves.",
            ""
        },
        footer = {
            "",
            "Stops on SIGTERM or SIGINT.",
            "Exit codes: 0 stopped as asked; 1 the lease was lost, or another failure, which is printed; 2 wrong"
                    + " arguments."
        })
public final class SliceSchedulerCommand implements Callable<Integer> {
    private static final LeaderLease.Times TIMES =
            new LeaderLease.Times(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    private static final String AGENTS = "sro-agent/sro-agent";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--extender",
            paramLabel = "HOST:PORT",
            defaultValue = "",
            description =
                    "Where the scheduler is answered, such as 127.0.0.1:8888. Without --certificates over plain HTTP,"
                            + " which is for the loopback interface alone: who reaches it can have pods bound. Default:"
                            + " nowhere.")
    private String extender = "";

    @Option(
            names = "--certificates",
            paramLabel = "DIR",
            description = "tls.crt and tls.key of the extender; read again every five seconds.")
    private @Nullable Path certificates;

    @Option(
            names = "--client-ca",
            paramLabel = "FILE",
            description = "PEM of whoever signs certificates of schedulers; nobody else is answered then.")
    private @Nullable Path clientCa;

    @Option(names = "--gates", description = "Place pods that wait at the gate slices.sro.dev/placement.")
    private boolean gates;

    @Option(
            names = "--lease",
            paramLabel = "NAMESPACE/NAME",
            defaultValue = "",
            description =
                    "The Lease of who places pods; needed where more than one replica runs. An extender beside its"
                            + " scheduler needs none, as the scheduler has one. Default: none.")
    private String lease = "";

    @Option(
            names = "--webhook",
            paramLabel = "HOST:PORT",
            defaultValue = "",
            description = "Where the API server asks over HTTPS how pods with slices are to be changed; needs"
                    + " --webhook-certificates. Default: nowhere.")
    private String webhook = "";

    @Option(
            names = "--webhook-certificates",
            paramLabel = "DIR",
            description = "tls.crt and tls.key of the webhook; read again every five seconds, and may come later.")
    private @Nullable Path webhookCertificates;

    @Option(
            names = "--das-operator",
            paramLabel = "NAMESPACE/NAME",
            arity = "0..1",
            fallbackValue = AGENTS,
            defaultValue = "",
            description = "Acts on the DASOperator cluster in namespace das-operator: its node selector becomes that of"
                    + " this DaemonSet of agents, " + AGENTS + " where none is named, and its status says how far that"
                    + " is. DAS's own operator must not run. Default: nobody acts on one.")
    private String dasOperator = "";

    @Option(
            names = "--probes",
            paramLabel = "HOST:PORT",
            defaultValue = "",
            description = "Where kubelet asks over plain HTTP for /healthz and /readyz. Default: nowhere.")
    private String probes = "";

    /** Filled by the command line parser. */
    public SliceSchedulerCommand() {}

    @Override
    public Integer call() throws InterruptedException, IOException {
        if (extender.isEmpty() && !gates && webhook.isEmpty() && dasOperator.isEmpty()) {
            throw new UnusableInputException(
                    "sro slices scheduler",
                    "has nothing to do: give --extender, --gates, --webhook, --das-operator or several");
        }
        Path folder = webhookCertificates;
        if (webhook.isEmpty() != (folder == null)) {
            throw new UnusableInputException("--webhook " + webhook, "goes with --webhook-certificates");
        }
        Optional<InetSocketAddress> address = address();
        Optional<SliceSchedulerRun.Election> election =
                named("--lease", lease).map(names -> new SliceSchedulerRun.Election(names[0], names[1], TIMES));
        CountDownLatch stopped = new CountDownLatch(1);
        Thread hook = new Thread(stopped::countDown, "sro-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        SliceSchedulerRun.Settings settings = new SliceSchedulerRun.Settings(
                address,
                Optional.ofNullable(certificates),
                Optional.ofNullable(clientCa),
                gates,
                election,
                folder == null
                        ? Optional.empty()
                        : Optional.of(
                                new SliceSchedulerRun.Webhook(parsed("--webhook", webhook, "0.0.0.0:9443"), folder)),
                probes.isEmpty() ? Optional.empty() : Optional.of(parsed("--probes", probes, "0.0.0.0:8080")),
                named("--das-operator", dasOperator).map(names -> new DasOperatorActor.Agents(names[0], names[1])));
        try (SliceSchedulerRun run = SliceSchedulerRun.start(
                settings, Clients.plain(cluster.config()), Catalogue.builtin(), stopped::countDown)) {
            stopped.await();
            return run.isLost() ? ExitCodes.FAILED : ExitCodes.OK;
        }
    }

    /** Namespace and name of an object; empty where none is given. */
    private static Optional<String[]> named(String option, String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        int slash = text.indexOf('/');
        if (slash < 1 || slash == text.length() - 1) {
            throw new UnusableInputException(option + " " + text, "is not NAMESPACE/NAME");
        }
        return Optional.of(new String[] {text.substring(0, slash), text.substring(slash + 1)});
    }

    private Optional<InetSocketAddress> address() {
        if (extender.isEmpty()) {
            return Optional.empty();
        }
        InetSocketAddress address = parsed("--extender", extender, "127.0.0.1:8888");
        if (certificates == null
                && (address.isUnresolved() || !address.getAddress().isLoopbackAddress())) {
            throw new UnusableInputException(
                    "--extender " + extender,
                    "is not the loopback interface: give --certificates, so that nobody listens in");
        }
        return Optional.of(address);
    }

    private static InetSocketAddress parsed(String option, String text, String example) {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (colon > 0 && port >= 0 && port < 1 << 16) {
                return new InetSocketAddress(text.substring(0, colon), port);
            }
        } catch (NumberFormatException e) {
            // Is said below.
        }
        throw new UnusableInputException(option + " " + text, "is not HOST:PORT, such as " + example);
    }
}
