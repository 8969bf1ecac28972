package dev.sro.runtime.waiting;

import dev.sro.core.dra.DraOptions;
import dev.sro.core.lease.LeaderLease;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.runtime.Clients;
import dev.sro.runtime.ClusterOptions;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tells by events and certificates why pods of a cluster wait for slices, until it is told to stop. */
@Command(
        name = "explainer",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Tells why pods wait for slices, where people look first: by events of the pod and of its claims, in the words of"
                    + " sro slices explain, and by the annotation slices.sro.dev/waiting of the claim, with the certificate that"
                    + " no arrangement leaves room, or the moves that make some. Gives nobody anything, whoever schedules.",
            ""
        },
        footer = {
            "",
            "Stops on SIGTERM or SIGINT.",
            "Exit codes: 0 stopped as asked; 1 the lease was lost, or another failure, which is printed; 2 wrong"
                    + " arguments."
        })
public final class ExplainerCommand implements Callable<Integer> {
    private static final LeaderLease.Times TIMES =
            new LeaderLease.Times(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    private static final int MOST_PORT = 65_535;

    /** Events of a pod are no stream. */
    private static final int LEAST_AGAIN = 60;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--lease",
            paramLabel = "NAMESPACE/NAME",
            required = true,
            description = "The Lease of who tells. One does at a time, however many run.")
    private String lease = "";

    @Option(
            names = "--driver",
            paramLabel = "NAME",
            defaultValue = DraOptions.DRIVER,
            description = "Name of the driver for whose devices pods wait. Default: ${DEFAULT-VALUE}.")
    private String driver = "";

    @Option(
            names = "--after",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description =
                    "A pod is explained when a scheduler has had no place for it for so long. Default: ${DEFAULT-VALUE}.")
    private int after;

    @Option(
            names = "--again",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = {
                "A pod that still waits is looked at again after so long. It is told only when it has come to something else.",
                "Default: ${DEFAULT-VALUE}."
            })
    private int again;

    @Option(
            names = "--gpus-per-minute",
            paramLabel = "N",
            defaultValue = "80000",
            description = {
                "What explanations may cost: an explanation looks at all GPUs that are published. Default: ${DEFAULT-VALUE}, ten"
                        + " explanations a minute in a cluster of 8,000 GPUs."
            })
    private int gpus;

    @Option(
            names = "--writes-per-minute",
            paramLabel = "N",
            defaultValue = "60",
            description = "Events and annotations, all together. Default: ${DEFAULT-VALUE}.")
    private int writes;

    @Option(
            names = "--probes",
            paramLabel = "HOST:PORT",
            defaultValue = "",
            description =
                    "Where kubelet asks over plain HTTP for /healthz and /readyz, and Prometheus for /metrics. Default: nowhere.")
    private String probes = "";

    /** Filled by the command line parser. */
    public ExplainerCommand() {}

    @Override
    public Integer call() throws InterruptedException, IOException {
        int slash = lease.indexOf('/');
        if (slash < 1 || slash == lease.length() - 1 || lease.indexOf('/', slash + 1) >= 0) {
            throw new UnusableInputException("--lease " + lease, "is not NAMESPACE/NAME");
        }
        ExplainerRun.Settings settings = new ExplainerRun.Settings(
                new SliceExplainer.Settings(
                        driver,
                        Duration.ofSeconds(atLeast("--after", after, 0)),
                        Duration.ofSeconds(atLeast("--again", again, LEAST_AGAIN)),
                        atLeast("--gpus-per-minute", gpus, 1),
                        atLeast("--writes-per-minute", writes, 1)),
                lease.substring(0, slash),
                lease.substring(slash + 1),
                TIMES,
                probes.isEmpty() ? Optional.empty() : Optional.of(address()));
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(stopped::countDown, "sro-stop"));
        try (ExplainerRun run = ExplainerRun.start(
                settings, Clients.plain(cluster.config()), Catalogue.builtin(), stopped::countDown)) {
            stopped.await();
            return run.isLost() ? ExitCodes.FAILED : ExitCodes.OK;
        }
    }

    private static int atLeast(String option, int value, int least) {
        if (value < least) {
            throw new UnusableInputException(option + " " + value, "must be at least " + least);
        }
        return value;
    }

    private InetSocketAddress address() {
        int colon = probes.lastIndexOf(':');
        String port = probes.substring(colon + 1);
        if (colon < 1 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > MOST_PORT) {
            throw new UnusableInputException("--probes " + probes, "is not HOST:PORT, such as 0.0.0.0:8080");
        }
        return new InetSocketAddress(probes.substring(0, colon), Integer.parseInt(port));
    }
}
