package dev.sro.runtime.allocator;

import dev.sro.core.dra.DraOptions;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gives devices to claims of a cluster in place of its scheduler, until it is told to stop. */
@Command(
        name = "allocator",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Gives slices and GPUs to ResourceClaims itself, from Kubernetes 1.36 on: which node and which place, for"
                    + " gangs of pods all or none, slices of a pod on one GPU or on several. Agents with --allocator sro"
                    + " taint all devices, so that the scheduler leaves them alone; pods wait at the gate"
                    + " slices.sro.dev/placement until their claims have devices, and the scheduler binds them.",
            ""
        },
        footer = {
            "",
            "Stops on SIGTERM or SIGINT.",
            "Exit codes: 0 stopped as asked; 1 the lease was lost, or another failure, which is printed; 2 wrong"
                    + " arguments."
        })
public final class AllocatorCommand implements Callable<Integer> {
    private static final LeaderLease.Times TIMES =
            new LeaderLease.Times(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    private static final int MOST_PORT = 65_535;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--lease",
            paramLabel = "NAMESPACE/NAME",
            required = true,
            description =
                    "The Lease of who gives devices. One does at a time, however many run: nothing in the API keeps two"
                            + " claims from one device.")
    private String lease = "";

    @Option(
            names = "--driver",
            paramLabel = "NAME",
            defaultValue = DraOptions.DRIVER,
            description = "Name of the driver whose devices it gives. Default: ${DEFAULT-VALUE}.")
    private String driver = "";

    @Option(
            names = "--preempt",
            description =
                    "Has pods of lower priority evicted where one finds no room and their slices would do; needs the"
                            + " right to create pods/eviction. PodDisruptionBudgets hold.")
    private boolean preempt;

    @Option(
            names = "--make-room",
            paramLabel = "MODE",
            arity = "0..1",
            defaultValue = "off",
            fallbackValue = "report",
            description = {
                "off, report or evict: what is done where a pod or a gang finds no room, and moves of others would"
                        + " make some. report says in an event which would; evict has pods with the annotation"
                        + " slices.sro.dev/movable: \"true\" evicted, those of a controller that makes another one, the"
                        + " fewest slices, one pod after the other, and keeps the room and the places of those in their"
                        + " place; it needs the right to create pods/eviction. PodDisruptionBudgets hold. Without a value:"
                        + " report. Default: ${DEFAULT-VALUE}."
            })
    private MakeRoom.Mode makeRoom = MakeRoom.Mode.OFF;

    @Option(
            names = "--make-room-after",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description =
                    "With --make-room: how long a pod or a gang has to have found none. Default: ${DEFAULT-VALUE}.")
    private int makeRoomAfter;

    @Option(
            names = "--moves-per-hour",
            paramLabel = "N",
            defaultValue = "10",
            description = "With --make-room=evict: pods that are evicted in an hour at most, whichever replica leads."
                    + " Default: ${DEFAULT-VALUE}.")
    private int movesPerHour;

    @Option(
            names = "--hold-room-after",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description =
                    "Holds room for a pod or a gang that has found none for so long: places that are its own as soon"
                            + " as whoever has them has ended, so that smaller pods do not pass it for ever. For one at a"
                            + " time; nobody is evicted for it. 0: never. Default: ${DEFAULT-VALUE}.")
    private int holdRoomAfter;

    @Option(
            names = "--probes",
            paramLabel = "HOST:PORT",
            defaultValue = "",
            description =
                    "Where kubelet asks over plain HTTP for /healthz and /readyz, and Prometheus for /metrics. Default:"
                            + " nowhere.")
    private String probes = "";

    @Option(
            names = "--webhook",
            paramLabel = "HOST:PORT",
            defaultValue = "",
            description =
                    "Where the API server asks over HTTPS how pods that ask by limits are to be changed, so that they"
                            + " have a claim in their place; templates for them are made and removed, which needs the"
                            + " right to. Default: nowhere, and pods that ask by limits get nothing.")
    private String webhook = "";

    @Option(
            names = "--webhook-certificates",
            paramLabel = "DIR",
            defaultValue = "/etc/sro-webhook",
            description =
                    "tls.crt and tls.key of the webhook; read again every five seconds, and may come later. Default:"
                            + " ${DEFAULT-VALUE}.")
    private Path certificates = Path.of("");

    /** Filled by the command line parser. */
    public AllocatorCommand() {}

    @Override
    public Integer call() throws InterruptedException, IOException {
        int slash = lease.indexOf('/');
        if (slash < 1 || slash == lease.length() - 1 || lease.indexOf('/', slash + 1) >= 0) {
            throw new UnusableInputException("--lease " + lease, "is not NAMESPACE/NAME");
        }
        AllocatorRun.Settings settings = new AllocatorRun.Settings(
                new AllocatorOptions(
                        driver,
                        preempt,
                        new MakeRoom(
                                makeRoom,
                                Duration.ofSeconds(atLeast("--make-room-after", makeRoomAfter, 0)),
                                atLeast("--moves-per-hour", movesPerHour, 1)),
                        Optional.of(Duration.ofSeconds(atLeast("--hold-room-after", holdRoomAfter, 0)))
                                .filter(after -> !after.isZero()),
                        !webhook.isEmpty()),
                lease.substring(0, slash),
                lease.substring(slash + 1),
                TIMES,
                address("--probes", probes, "0.0.0.0:8080"),
                address("--webhook", webhook, "0.0.0.0:9443")
                        .map(address -> new AllocatorRun.Webhook(address, certificates)));
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(stopped::countDown, "sro-stop"));
        try (AllocatorRun run = AllocatorRun.start(
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

    /** Empty for nowhere. */
    private static Optional<InetSocketAddress> address(String option, String text, String example) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        if (colon < 1 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > MOST_PORT) {
            throw new UnusableInputException(option + " " + text, "is not HOST:PORT, such as " + example);
        }
        return Optional.of(new InetSocketAddress(text.substring(0, colon), Integer.parseInt(port)));
    }
}
