package dev.sro.core.client;

import dev.sro.core.client.codec.Fabric8Codec;
import dev.sro.core.client.companion.ClientModules;
import dev.sro.core.client.companion.ClientPreflights;
import dev.sro.core.client.discovery.ToolkitReader;
import dev.sro.core.client.informer.Informers;
import dev.sro.core.client.source.ClientBuildSources;
import dev.sro.core.client.source.ClusterRegistries;
import dev.sro.core.client.writer.ClientWriter;
import dev.sro.core.engine.Engine;
import dev.sro.core.engine.Forecasts;
import dev.sro.core.image.Images;
import dev.sro.core.module.VersionResolver;
import dev.sro.core.preflight.PreflightReconciler;
import dev.sro.core.recipe.ChartRecipes;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What runs beside the engine on the same informers: preflights, modules, and what builds take in. Thread-safe.
 */
final class CompanionControllers implements AutoCloseable {

    private final CompanionSettings settings;
    private final KubernetesClient client;
    private final Informers informers;
    private final ClientBuildSources buildSources;
    private volatile @Nullable ClientPreflights preflights;
    private volatile @Nullable ClientModules modules;
    private Runnable begin = () -> {};
    private boolean closed;

    CompanionControllers(CompanionSettings settings, KubernetesClient client, Informers informers) {
        this.settings = settings;
        this.client = client;
        this.informers = informers;
        this.buildSources = new ClientBuildSources(
                client,
                settings.clock(),
                settings.timers(),
                informers::toolkits,
                () -> {
                    ClientPreflights checks = preflights;
                    return checks == null ? Set.of() : checks.kernels();
                },
                informers.caches()::requestAll);
    }

    /** What builds take in. */
    ClientBuildSources buildSources() {
        return buildSources;
    }

    /** Starts those that the cluster has kinds for, and the others when it comes to have them. */
    void start(Engine engine, Fabric8Codec codec, ClientWriter writer, ChartRecipes charts) {
        synchronized (this) {
            begin = () -> {
                if (preflights == null) {
                    preflights = preflights(engine, writer);
                }
                if (modules == null) {
                    modules = modules(codec, writer, charts);
                }
            };
        }
        served();
        Set<String> lacking = new TreeSet<>();
        if (preflights == null && settings.images() != null && settings.imageReader() != null) {
            lacking.add(ClientPreflights.RESOURCE);
        }
        if (modules == null && settings.resolver() != null && settings.moduleWorker() != null) {
            lacking.add(ClientModules.RESOURCE);
        }
        informers.await(lacking);
    }

    private Set<String> running() {
        Set<String> running = new TreeSet<>();
        if (preflights != null) {
            running.add(ClientPreflights.RESOURCE);
        }
        if (modules != null) {
            running.add(ClientModules.RESOURCE);
        }
        return running;
    }

    /** The cluster serves something else than before. */
    synchronized void served() {
        if (!closed) {
            begin.run();
            informers.came(running());
        }
    }

    /** Whether it is the name of something else than a special resource, which is seen to here. */
    boolean takes(String name) {
        if (name.equals(Forecasts.ASKER)) {
            requestPreflights();
            return true;
        }
        ClientModules others = modules;
        return others != null && others.changed(name);
    }

    /** Has modules look again. */
    void requestModules() {
        ClientModules others = modules;
        if (others != null) {
            others.requestAll();
        }
    }

    /** Has preflights look again. */
    void requestPreflights() {
        ClientPreflights checks = preflights;
        if (checks != null) {
            checks.requestAll();
        }
    }

    /** Looks after all watches, see {@link Informers#check}. */
    void check(Duration silence) {
        informers.check(silence);
        buildSources.check(silence);
        ClientModules others = modules;
        if (others != null) {
            others.check(silence);
        }
        ClientPreflights checks = preflights;
        if (checks != null) {
            checks.check(silence);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        ClientPreflights checks = preflights;
        if (checks != null) {
            checks.close();
        }
        ClientModules others = modules;
        if (others != null) {
            others.close();
        }
        buildSources.close();
    }

    /** For which kernels driver toolkits are says nothing but the images themselves. */
    void readToolkits() {
        Images images = settings.toolkitImages() == null ? settings.images() : settings.toolkitImages();
        Executor executor = settings.imageReader();
        if (images != null && executor != null) {
            informers.read(new ToolkitReader(
                    images, executor, registries(), settings.clock(), settings.timers(), informers::toolkitsRead));
        }
    }

    /** Only where the cluster has the kind. */
    private @Nullable ClientPreflights preflights(Engine engine, ClientWriter writer) {
        Images images = settings.images();
        Executor executor = settings.imageReader();
        if (images == null
                || executor == null
                || !informers.facts().servedKinds().contains(ClientPreflights.KIND)) {
            return null;
        }
        PreflightReconciler.Settings registries = registries();
        return new ClientPreflights(
                client,
                writer,
                engine.forecasts(),
                new ClientPreflights.Services(
                        images, executor, registries, settings.metrics(), settings.scope()::serves),
                settings.timers(),
                settings.clock());
    }

    /** As {@link #preflights}. */
    private @Nullable ClientModules modules(Fabric8Codec codec, ClientWriter writer, ChartRecipes charts) {
        VersionResolver resolver = settings.resolver();
        Executor executor = settings.moduleWorker();
        if (resolver == null
                || executor == null
                || !informers.facts().servedKinds().contains(ClientModules.KIND)) {
            return null;
        }
        PreflightReconciler.Settings registries = registries();
        return new ClientModules(
                client,
                codec,
                informers,
                writer,
                new ClientModules.Services(
                        charts, resolver, executor, registries, settings.accounts(), settings.scope()::serves),
                settings.timers(),
                settings.clock());
    }

    /** How registries are asked. */
    ClusterRegistries registries() {
        return new ClusterRegistries(
                client, settings.registriesConf(), () -> informers.facts().isOpenShift());
    }
}
