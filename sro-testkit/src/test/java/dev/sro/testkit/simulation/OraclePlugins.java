package dev.sro.testkit.simulation;

import dev.sro.api.operation.UpgradeStrategy;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.PluginRejection;
import dev.sro.core.plugin.Plugins;
import dev.sro.testkit.load.LoadingPlugin;
import dev.sro.testkit.operator.JealousPlugin;
import dev.sro.testkit.operator.KmodPlugin;
import dev.sro.testkit.preflight.DriverPlugin;
import dev.sro.testkit.upgrade.GpuPlugin;
import java.util.List;
import java.util.Optional;

/** The plugins of random histories, one of which may be taken away and put back. Confined to one thread. */
final class OraclePlugins implements Plugins {

    private static final String COMING = "jealous";

    private final Plugins all = Plugins.of(
            new KmodPlugin(),
            new JealousPlugin(COMING),
            new GpuPlugin(
                    "gpu",
                    UpgradeStrategy.builder()
                            .validateBefore(List.of("2000-validation"))
                            .build()),
            new GpuPlugin(
                    "net",
                    UpgradeStrategy.builder()
                            .safeLoadAnnotation("example.com/net-driver-wait-for-safe-load")
                            .build()),
            new LoadingPlugin("loader"),
            new DriverPlugin());

    private boolean complete = true;

    /** Whether all are there from now on. Who changes it tells the operator. */
    void complete(boolean on) {
        complete = on;
    }

    @Override
    public Optional<LoadedPlugin> find(String name) {
        return complete || !name.equals(COMING) ? all.find(name) : Optional.empty();
    }

    @Override
    public List<String> names() {
        return all.names().stream()
                .filter(name -> complete || !name.equals(COMING))
                .toList();
    }

    @Override
    public List<PluginRejection> rejections() {
        return List.of();
    }
}
