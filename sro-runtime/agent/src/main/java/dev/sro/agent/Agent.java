package dev.sro.agent;

import dev.sro.agent.cdi.ClaimSpecs;
import dev.sro.agent.cdi.DeviceEdits;
import dev.sro.agent.cdi.DriverEdits;
import dev.sro.agent.cdi.EmulatedEdits;
import dev.sro.agent.cdi.NvidiaEdits;
import dev.sro.agent.claims.ApiClaims;
import dev.sro.agent.claims.ApiServer;
import dev.sro.agent.claims.PatientClaims;
import dev.sro.agent.device.CatalogueCheck;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DevicePort;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedSource;
import dev.sro.agent.file.LocalDisk;
import dev.sro.agent.file.WholeFile;
import dev.sro.agent.health.HealthKeeper;
import dev.sro.agent.health.HealthLoop;
import dev.sro.agent.kubelet.KubeletPlugin;
import dev.sro.agent.kubelet.PluginListener;
import dev.sro.agent.kubelet.PluginSockets;
import dev.sro.agent.kubelet.PodResources;
import dev.sro.agent.kubelet.RegistrationStatus;
import dev.sro.agent.metrics.AgentMetrics;
import dev.sro.agent.metrics.MeasuredDevices;
import dev.sro.agent.metrics.MetricsServer;
import dev.sro.agent.mode.ModeKeeper;
import dev.sro.agent.node.ApiNode;
import dev.sro.agent.node.NodeEvents;
import dev.sro.agent.node.NodeWatch;
import dev.sro.agent.node.PcieRoots;
import dev.sro.agent.nvml.NvmlDevices;
import dev.sro.agent.plugin.ApiPromises;
import dev.sro.agent.plugin.DevicePlugins;
import dev.sro.agent.plugin.NodePods;
import dev.sro.agent.plugin.PluginHardware;
import dev.sro.agent.publish.ApiSlices;
import dev.sro.agent.publish.NodeReader;
import dev.sro.agent.publish.PublishLoop;
import dev.sro.agent.publish.SlicePublisher;
import dev.sro.agent.slice.Checkpoint;
import dev.sro.agent.slice.ClaimSource;
import dev.sro.agent.slice.RepairReport;
import dev.sro.agent.slice.SliceException;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.core.das.DasNames;
import dev.sro.core.dra.PublishRule;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.mig.MigResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The agent, running. Thread-safe. */
public final class Agent implements AutoCloseable {
    private static final long LOOK_SECONDS = 2;

    private final ExecutorService work = Executors.newCachedThreadPool();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    /** Of its own: an API server that does not answer keeps nothing from being repaired. */
    private final ScheduledExecutorService publishing = Executors.newSingleThreadScheduledExecutor();
    /** Waits for the API server most of its time. */
    private final ScheduledExecutorService watching = Executors.newSingleThreadScheduledExecutor();
    /** Events for people, one after the other. */
    private final ScheduledExecutorService telling = Executors.newSingleThreadScheduledExecutor();
    /** Of device plugins: asks kubelet every few seconds. */
    private final ScheduledExecutorService plugging = Executors.newSingleThreadScheduledExecutor();
    /** Waits for the driver most of its time. */
    private final ScheduledExecutorService listening = Executors.newSingleThreadScheduledExecutor();

    private final AgentMetrics metrics = new AgentMetrics();
    private final AtomicBoolean registered = new AtomicBoolean();
    private final NodeWatch node;
    private final KubeletPlugin plugin;
    private final DevicePlugins plugins;
    private final ScheduledFuture<?> looks;
    private final Optional<MetricsServer> server;

    private Agent(AgentOptions options, Emulation devices, Consumer<String> log) throws IOException, DeviceException {
        DevicePort port = new MeasuredDevices(devices.port, metrics, System::nanoTime);
        String boot = Files.readString(options.bootId()).strip();
        Checkpoint checkpoint = Checkpoint.open(new LocalDisk(), options.state().resolve("checkpoint"), boot);
        ApiServer api = ApiServer.at(options.api(), options.token(), options.authority());
        ApiNode apiNode = new ApiNode(api, options.node());
        NodeEvents events = new NodeEvents(apiNode, options.node(), telling, Clock.systemUTC(), log);
        checkpoint.notes().forEach(events.as("CheckpointLost", true));
        List<Gpu> gpus = port.gpus();
        DeviceEdits edits = devices.emulated ? new EmulatedEdits() : edits(options, port, gpus, events, log);
        SliceKeeper keeper = new SliceKeeper(port, checkpoint, new ClaimSpecs(new LocalDisk(), options.cdi(), edits));
        tell(port, gpus, log, events.as("CatalogueDiffers", true));
        ApiClaims claims = new ApiClaims(api, options.driver());
        // Of what device plugins gave, kubelet is asked.
        ClaimSource standing = claim -> claim.isOfPlugin() ? ClaimSource.Standing.UNKNOWN : claims.standing(claim);
        say(keeper.reconcile(new PatientClaims(standing, System::nanoTime)), events);
        node = new NodeWatch(apiNode, watching);
        HealthKeeper health = new HealthKeeper(
                port,
                new WholeFile(new LocalDisk(), options.state().resolve("health")),
                boot,
                events.as("GpuHealth", true));
        DevicePluginUse old = new DevicePluginUse(new PodResources(options.kubelet())::list, port, log);
        OfferSwitch offers = new OfferSwitch(node, options.offer(), port, keeper, health, old::gpus, Clock.systemUTC());
        PublishLoop loop =
                publishing(options, port, keeper, health, api, apiNode, events, old, offers, devices.roots(), log);
        offers.published(loop::hasPublished);
        plugins = plugins(options, api, port, keeper, offers, log);
        plugin = KubeletPlugin.start(
                options.driver(),
                PluginSockets.of(options.kubelet(), options.driver(), options.podUid()),
                keeper,
                claims,
                work,
                new Kubelet(loop, metrics, registered, log));
        loop.changed();
        node.start(loop::changed);
        ScheduledFuture<?> unused =
                plugging.scheduleWithFixedDelay(() -> plug(plugins, log), 0, LOOK_SECONDS, TimeUnit.SECONDS);
        new HealthLoop(health, listening, devices.faults, loop::changed, log).start();
        server = options.metrics().isPresent()
                ? Optional.of(new MetricsServer(
                        options.metrics().get(), metrics, () -> registered.get() && loop.hasPublished()))
                : Optional.empty();
        long seconds = options.interval().toSeconds();
        looks = timer.scheduleWithFixedDelay(
                () -> look(keeper, standing, loop, events), seconds, seconds, TimeUnit.SECONDS);
    }

    private static DeviceEdits edits(
            AgentOptions options, DevicePort port, List<Gpu> gpus, NodeEvents events, Consumer<String> log)
            throws DeviceException {
        String before = port.version().driver();
        DriverEdits driver = new DriverEdits(
                options.driverPlace(), () -> now(port, before), events.as("DriverIncomplete", true), log);
        return new NvidiaEdits(Path.of("/"), () -> now(port, gpus), driver);
    }

    private PublishLoop publishing(
            AgentOptions options,
            DevicePort port,
            SliceKeeper keeper,
            HealthKeeper health,
            ApiServer api,
            ApiNode apiNode,
            NodeEvents events,
            DevicePluginUse old,
            OfferSwitch offers,
            PcieRoots roots,
            Consumer<String> log) {
        ModeKeeper modes = new ModeKeeper(port, keeper, health::cleared, events.as("GpuMode", false));
        SlicePublisher publisher = new SlicePublisher(
                        options.driver(),
                        options.authoritative(),
                        new ApiSlices(api, options.node(), options.driver()),
                        new NodeReader(options.node(), port, keeper, Catalogue.builtin(), roots),
                        node,
                        new AgentCare(health, modes, keeper, old, offers, metrics, apiNode, log),
                        PublishRule.standard().withLossClasses(options.lossClasses()),
                        log)
                .warning(events.as("KubernetesDefect", false));
        return new PublishLoop(publisher::publish, publishing, Clock.systemUTC(), log);
    }

    private DevicePlugins plugins(
            AgentOptions options,
            ApiServer api,
            DevicePort port,
            SliceKeeper keeper,
            OfferSwitch offers,
            Consumer<String> log) {
        String prefix = options.dasNames() ? DasNames.RESOURCES : MigResources.PREFIX;
        return new DevicePlugins(
                options.kubelet(),
                options.dasNames() ? DasNames::resource : MigResources::resource,
                keeper,
                new PluginHardware(port, Catalogue.builtin(), offers),
                new NodePods(new PodResources(options.kubelet()), api, options.node(), name -> name.startsWith(prefix)),
                new ApiPromises(api, options.node(), options.inventory(), Clock.systemUTC(), log),
                work,
                Clock.systemUTC(),
                log);
    }

    /** A defect in one look must not be the end of all. */
    private static void plug(DevicePlugins plugins, Consumer<String> log) {
        try {
            plugins.look();
        } catch (RuntimeException e) {
            log.accept("device plugins: not looked at everything: " + e);
        }
    }

    /** {@code faults} has emulated devices as ill as their file says now. */
    private record Emulation(DevicePort port, boolean emulated, Runnable faults) {
        PcieRoots roots() {
            return emulated ? PcieRoots.none() : PcieRoots.below(Path.of("/sys"));
        }
    }

    private record Kubelet(
            PublishLoop publisher, AgentMetrics metrics, AtomicBoolean isRegistered, Consumer<String> log)
            implements PluginListener {
        @Override
        public void registered(RegistrationStatus status) {
            isRegistered.set(status.registered());
            log.accept(status.registered() ? "kubelet registered the plugin" : "kubelet refused: " + status.error());
            // At its start it takes the slices of all drivers away that have not registered.
            publisher.changed();
        }

        @Override
        public void claimsChanged() {
            publisher.changed();
        }

        @Override
        public void refused(SliceException.Reason reason) {
            metrics.add(
                    "sro_agent_refusals_total",
                    AgentMetrics.label("reason", reason.name().toLowerCase(Locale.ROOT)),
                    1);
        }
    }

    /**
     * Starts it: what is left of earlier lives is put right before kubelet hears of it.
     *
     * @param arguments see {@link AgentMain}
     * @param pause waits for as long as an emulated operation takes
     * @param log takes a sentence at a time
     * @throws IllegalArgumentException if the arguments or the file of emulated devices are wrong
     * @throws IOException if files, sockets or certificates cannot be had
     * @throws DeviceException if there is no driver
     */
    public static Agent start(
            String[] arguments, Map<String, String> environment, Consumer<Duration> pause, Consumer<String> log)
            throws IOException, DeviceException {
        AgentOptions options = AgentOptions.parse(arguments, environment);
        return new Agent(options, devices(options, pause, log), log);
    }

    /**
     * As the other one, with devices that are not there and outlive the agent, as those of hardware do.
     *
     * @param devices instead of those that the arguments name
     */
    public static Agent start(
            String[] arguments, Map<String, String> environment, EmulatedDevices devices, Consumer<String> log)
            throws IOException, DeviceException {
        return new Agent(AgentOptions.parse(arguments, environment), new Emulation(devices, true, () -> {}), log);
    }

    /**
     * Takes the node's ResourceSlices away, if the arguments ask for that. What claims have stays as it is.
     *
     * @return whether they do
     * @throws IOException if not all of them are gone
     */
    public static boolean uninstall(String[] arguments, Map<String, String> environment, Consumer<String> log)
            throws IOException {
        AgentOptions options = AgentOptions.parse(arguments, environment);
        if (options.uninstall()) {
            ApiServer api = ApiServer.at(options.api(), options.token(), options.authority());
            new ApiSlices(api, options.node(), options.driver()).remove(log);
        }
        return options.uninstall();
    }

    private static Emulation devices(AgentOptions options, Consumer<Duration> pause, Consumer<String> log)
            throws DeviceException {
        if (options.emulated().isEmpty()) {
            return new Emulation(NvmlDevices.open(options.driverRoot(), log), false, () -> {});
        }
        EmulatedSource source = new EmulatedSource(options.emulated().get(), options.node());
        EmulatedDevices devices = new EmulatedDevices(options.node(), source.read(), pause);
        return new Emulation(devices, true, () -> source.ifChanged().ifPresent(now -> devices.faults(now.faults())));
    }

    private static List<Gpu> now(DevicePort port, List<Gpu> before) {
        try {
            return port.gpus();
        } catch (DeviceException e) {
            return before;
        }
    }

    private static String now(DevicePort port, String before) {
        try {
            return port.version().driver();
        } catch (DeviceException e) {
            return before;
        }
    }

    private static void tell(DevicePort port, List<Gpu> gpus, Consumer<String> log, Consumer<String> differences)
            throws DeviceException {
        log.accept(
                "driver " + port.version().driver() + ", CUDA " + port.version().cuda() + ", " + gpus.size() + " GPUs");
        for (Gpu gpu : gpus) {
            log.accept(gpu.address() + ": " + gpu.product() + ", " + gpu.mode().text());
            gpu.unavailable().forEach(missing -> log.accept(gpu.address() + ": " + missing));
            if (gpu.mode() == GpuMode.SLICES) {
                CatalogueCheck.of(Catalogue.builtin(), gpu).differences().forEach(differences);
            }
        }
    }

    /** A defect in one look must not be the end of all. */
    private void look(SliceKeeper keeper, ClaimSource claims, PublishLoop publisher, NodeEvents events) {
        try {
            say(keeper.reconcile(new PatientClaims(claims, System::nanoTime)), events);
        } catch (RuntimeException e) {
            events.as("SliceNotRepaired", true).accept("not looked at everything: " + e);
        }
        publisher.look();
    }

    private void say(RepairReport report, NodeEvents events) {
        report.repaired().forEach(text -> events.as("SliceRepaired", false).accept("repaired: " + text));
        report.left().forEach(text -> events.as("SliceNotRepaired", true).accept("not repaired: " + text));
        metrics.add("sro_agent_repairs_total", "", report.repaired().size());
        metrics.set("sro_agent_not_repaired", report.left().size());
    }

    /** Ends it. Slices and ResourceSlices stay; the next agent knows them. */
    @Override
    public void close() throws IOException {
        looks.cancel(false);
        plugging.shutdownNow();
        timer.shutdownNow();
        publishing.shutdownNow();
        watching.shutdownNow();
        listening.shutdownNow();
        telling.shutdownNow();
        server.ifPresent(MetricsServer::close);
        node.close();
        plugins.close();
        plugin.close();
        work.shutdownNow();
    }
}
