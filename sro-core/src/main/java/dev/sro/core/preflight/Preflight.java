package dev.sro.core.preflight;

import dev.sro.api.ClusterFacts;
import dev.sro.api.KernelVersion;
import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.resource.PreflightTargetStatus;
import dev.sro.api.resource.PreflightValidationSpec;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.engine.Forecasts;
import dev.sro.core.image.Images;
import dev.sro.core.image.RegistrySettings;
import dev.sro.core.pool.Pools;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One run of checks: what is read of a registry is read once in it. Blocks; confined to one thread. */
final class Preflight {

    private final Forecasts forecasts;
    private final Targets targets;
    private final ImageInspection inspection;
    private final RegistryProbe probe;
    private final RegistrySettings settings;
    private final Clock clock;

    Preflight(
            Forecasts forecasts, PreflightValidationSpec spec, Images images, RegistrySettings settings, Clock clock) {
        this.probe = new RegistryProbe(images);
        this.settings = settings;
        this.clock = clock;
        this.forecasts = forecasts;
        this.targets = new Targets(spec, images, settings);
        this.inspection = new ImageInspection(images, settings);
    }

    /** The kernels to come, as far as they had to be found out. */
    List<PreflightTargetStatus> targets() {
        return targets.all().stream().map(Target::status).toList();
    }

    Verdict check(SpecialResource resource) {
        Forecasts.Forecast present = forecasts.present(resource);
        Optional<Verdict> none = withoutAnswer(present);
        if (none.isPresent()) {
            return none.get();
        }
        // Pools that differ in nothing but the present kernel come together.
        Map<String, Verdict> verdicts = new TreeMap<>();
        for (Pool pool : present.pools().isEmpty() ? standIns() : present.pools()) {
            try {
                Optional<Target> target = targets.of(pool.architecture());
                if (target.isPresent()) {
                    check(resource, pool, target.get(), verdicts);
                }
            } catch (IOException e) {
                verdicts.put(pool.name(), Verdict.error(String.valueOf(e.getMessage())));
            }
        }
        return verdicts.values().stream()
                .reduce(Verdict::and)
                .orElseGet(() -> Verdict.error("no node has the architecture of the kernel to come"));
    }

    private void check(SpecialResource resource, Pool pool, Target target, Map<String, Verdict> verdicts) {
        Optional<String> kernel = target.kernelFor(pool);
        if (kernel.isEmpty()) {
            verdicts.put(
                    pool.name(),
                    Verdict.error("nodes have the real-time kernel " + pool.kernel() + ", and the release names none"));
            return;
        }
        ClusterFacts cluster = target.on(forecasts.cluster());
        Pool next = target.moved(
                pool,
                kernel.get(),
                forecasts.poolKey(resource, cluster, pool, node -> target.moved(node, kernel.get())));
        if (!verdicts.containsKey(next.name())) {
            Forecasts.Forecast forecast =
                    forecasts.render(resource, cluster, next, new RegistryProspects(probe, settings, target, clock));
            verdicts.put(
                    next.name(),
                    withoutAnswer(forecast)
                            .orElseGet(() -> PluginVerdict.combine(
                                    forecast.said(),
                                    resource.getMetadata().getName(),
                                    next,
                                    () -> found(resource, forecast, next)))
                            .noting(target.note()));
        }
    }

    /** What the image of the driver is worth, and what the other driver containers are. */
    private Verdict found(SpecialResource resource, Forecasts.Forecast forecast, Pool pool) {
        Optional<DriverVerdict> driver = forecast.driver()
                .map(one -> DriverVerdict.of(one, resource.getMetadata().getName(), pool));
        DriverContainers others =
                new DriverContainers(forecast.states(), pool, inspection, driver.flatMap(DriverVerdict::settled));
        return driver.isEmpty()
                ? others.verdict()
                : others.isEmpty()
                        ? driver.get().verdict()
                        : driver.get().verdict().and(others.verdict());
    }

    private static Optional<Verdict> withoutAnswer(Forecasts.Forecast forecast) {
        return forecast.waiting()
                .map(Verdict::unknown)
                .or(() -> forecast.problems().stream()
                        .findFirst()
                        .map(Problem::message)
                        .map(Verdict::error));
    }

    /** For a special resource that has no nodes yet: nodes like those that there are. */
    private List<Pool> standIns() {
        Map<String, Pool> byArchitecture = new TreeMap<>();
        forecasts.allPools().forEach(pool -> byArchitecture.putIfAbsent(pool.architecture(), pool));
        return byArchitecture.isEmpty()
                ? List.of(Pools.create(new KernelVersion("0"), new OsRelease("rhcos", ""), "amd64"))
                : List.copyOf(byArchitecture.values());
    }
}
