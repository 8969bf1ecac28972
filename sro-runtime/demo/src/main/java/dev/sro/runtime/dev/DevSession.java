package dev.sro.runtime.dev;

import dev.sro.api.resource.NodeCounts;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.core.client.ClientOperator;
import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.Plugins;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.HelmRenderer;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.PluginDirectory;
import dev.sro.runtime.PluginOptions;
import dev.sro.runtime.UnusableInputException;
import dev.sro.runtime.status.StatusText;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.VirtualClock;
import dev.sro.testkit.http.HttpFront;
import dev.sro.testkit.operator.SroSandbox;
import dev.sro.testkit.sim.OpenShiftNamespaces;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One run of {@code sro dev}, from its cluster to its exit code. Confined to one thread. */
final class DevSession {

    /** How often the cluster works. */
    private static final Duration TICK = Duration.ofMillis(100);

    /** How often files are looked at, in ticks. */
    private static final int LOOK = 3;

    private final DevSettings settings;
    private final PluginOptions plugins;
    private final DevScreen screen;
    private final Clock clock;

    DevSession(DevSettings settings, PluginOptions plugins, PrintWriter out, Clock clock) {
        this.settings = settings;
        this.plugins = plugins;
        this.screen = new DevScreen(out, settings.plain());
        this.clock = clock;
    }

    /**
     * Runs until there is a reason to end.
     *
     * @param stop ends it at zero
     * @param started is run when the cluster is there, before anything is printed
     * @return the exit code
     * @throws UnusableInputException if files cannot be used, or the port is taken
     */
    int run(CountDownLatch stop, Runnable started) {
        DevObjects objects = new DevObjects(settings.files());
        if (settings.noOperator()) {
            return run(Plugins.of(), Optional.empty(), objects, stop, started);
        }
        try (PluginHost host = plugins.open()) {
            Path folder = plugins.directory().orElseGet(PluginDirectory::shipped);
            return run(host, Optional.of(new DevPlugins(host, folder)), objects, stop, started);
        }
    }

    /**
     * @param loaded empty where the operator is somebody else's
     */
    private int run(
            Plugins used, Optional<DevPlugins> loaded, DevObjects objects, CountDownLatch stop, Runnable started) {
        Map<String, Chart> charts = DevCharts.load(settings.charts());
        EmbeddedCluster.Builder cluster =
                EmbeddedCluster.builder().openShift(settings.openShift()).clock(VirtualClock.stepped(clock.instant()));
        try (HelmRenderer renderer = new HelmRenderer();
                SroSandbox sandbox = SroSandbox.create(
                                cluster, used, created -> DevCharts.open(created, charts, renderer))
                        .offerDevices();
                HttpFront front = serve(sandbox)) {
            if (loaded.isEmpty()) {
                sandbox.kill();
            }
            settings.missing().forEach(sandbox.registry()::onlyPushed);
            if (!settings.logs().isEmpty()) {
                sandbox.simulation().logs().image("*", String.join("\n", settings.logs()) + "\n");
            }
            int nodes = DevNodes.add(sandbox.nodes(), settings.nodes(), objects.documents());
            Path kubeconfig = write(front.kubeconfig());
            try {
                started.run();
                greet(front, kubeconfig, nodes);
                loaded.ifPresent(plugins -> plugins.news().forEach(screen::say));
                objects.applyTo(sandbox);
                return live(sandbox, loaded, objects, stop);
            } finally {
                screen.end();
                discard(kubeconfig);
            }
        }
    }

    private HttpFront serve(SroSandbox sandbox) {
        try {
            return HttpFront.start(sandbox.cluster().server(), settings.port());
        } catch (IOException e) {
            throw new UnusableInputException("--port " + settings.port(), "cannot be used: " + e.getMessage());
        }
    }

    private Path write(String kubeconfig) {
        try {
            Path file = settings.kubeconfig().isPresent()
                    ? settings.kubeconfig().get()
                    : Files.createTempFile("sro-dev-", ".kubeconfig");
            return Files.writeString(file, kubeconfig);
        } catch (IOException e) {
            throw new UnusableInputException("--write-kubeconfig", "cannot be written: " + e);
        }
    }

    private void discard(Path kubeconfig) {
        try {
            Files.deleteIfExists(kubeconfig);
        } catch (IOException e) {
            screen.say(kubeconfig + " is left, as it cannot be deleted: " + e);
        }
    }

    private void greet(HttpFront front, Path kubeconfig, int nodes) {
        screen.say("The cluster listens on " + front.uri() + " until Ctrl-C; it has " + nodes
                + (nodes == 1 ? " node" : " nodes") + ". Look at it with:");
        screen.say("  kubectl --kubeconfig " + kubeconfig + " get specialresources,daemonsets,jobs,pods,nodes -A");
        if (settings.noOperator()) {
            screen.say("No operator runs here. Start yours with:");
            screen.say("  KUBECONFIG=" + kubeconfig);
        }
    }

    private int live(SroSandbox sandbox, Optional<DevPlugins> loaded, DevObjects objects, CountDownLatch stop) {
        Duration step = Duration.ofNanos((long) (TICK.toNanos() * settings.speed()));
        Instant begin = clock.instant();
        OpenShiftNamespaces namespaces = new OpenShiftNamespaces();
        for (long tick = 1; true; tick++) {
            if (settings.openShift()) {
                namespaces.complete(sandbox.client());
            }
            sandbox.run(step);
            if (tick % LOOK == 0) {
                look(sandbox, loaded, objects);
            }
            Duration since = Duration.between(begin, clock.instant());
            boolean ready = objects.specialResources().stream().allMatch(sandbox::isReady);
            screen.status(since, status(sandbox, objects));
            if (ready && settings.untilReady()) {
                return ExitCodes.OK;
            }
            if (settings.limit().filter(limit -> since.compareTo(limit) >= 0).isPresent()) {
                return ready ? ExitCodes.OK : unfinished(sandbox, objects);
            }
            if (isStopped(stop)) {
                return ExitCodes.OK;
            }
        }
    }

    private static boolean isStopped(CountDownLatch stop) {
        try {
            return stop.await(TICK.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    private void look(SroSandbox sandbox, Optional<DevPlugins> loaded, DevObjects objects) {
        loaded.filter(DevPlugins::look).ifPresent(plugins -> {
            plugins.news().forEach(screen::say);
            sandbox.operator().ifPresent(ClientOperator::requestAll);
        });
        try {
            if (objects.changed()) {
                objects.applyTo(sandbox);
                screen.say("the files of -f are applied again");
            }
        } catch (UnusableInputException e) {
            screen.say(e.getMessage() + "; what was applied before stays");
        }
    }

    private static String status(SroSandbox sandbox, DevObjects objects) {
        return objects.specialResources().stream()
                .map(name -> name + ": " + status(sandbox, name))
                .collect(Collectors.joining(" | "));
    }

    private static String status(SroSandbox sandbox, String name) {
        Optional<SpecialResource> found = sandbox.get(name);
        if (found.isEmpty()) {
            return "deleted";
        }
        SpecialResourceStatus status = found.get().getStatus();
        if (status == null || !StatusText.isCurrent(found.get())) {
            return "not looked at yet";
        }
        if (StatusText.isReady(found.get())) {
            return "Ready" + nodes(status.getNodes());
        }
        return Optional.ofNullable(status.getState()).orElse("not ready");
    }

    private static String nodes(@Nullable NodeCounts counts) {
        if (counts == null || counts.getSelected() == 0) {
            return ", but no node is selected";
        }
        return " on " + counts.getReady() + " of " + counts.getSelected() + " nodes";
    }

    /** What somebody needs who finds out why. */
    private int unfinished(SroSandbox sandbox, DevObjects objects) {
        objects.specialResources().stream()
                .flatMap(name -> sandbox.get(name).stream())
                .filter(resource -> !StatusText.isReady(resource))
                .forEach(resource -> StatusText.write(
                                resource, sandbox.cluster().clock().instant())
                        .lines()
                        .forEach(screen::say));
        return ExitCodes.FAILED;
    }
}
