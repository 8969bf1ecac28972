package dev.sro.core.engine.driver;

import dev.sro.api.Pool;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.core.build.BuildInputs;
import dev.sro.core.build.BuildSettings;
import dev.sro.core.build.BuildSources;
import dev.sro.core.build.BuildSteps;
import dev.sro.core.build.BuildTarget;
import dev.sro.core.build.InputReading;
import dev.sro.core.build.Toolkits;
import dev.sro.core.driver.BuildRequest;
import dev.sro.core.driver.DriverRequest;
import dev.sro.core.driver.ImageChoice;
import dev.sro.core.driver.ImageResolution;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.driver.RegistryProbe;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which image the driver of a pool to come would get, if nothing of the pool were there yet. Immutable.
 *
 * @param driver with the image, or with what would be awaited
 * @param named the image that rendered objects name: the one that would be used, or else the first in question; empty if there is none
 * @param looked what the registries say of each image that counted, in the order in which they count
 * @param request what would be built or signed, with the operator's settings; empty when the image is there, or nobody makes it
 * @param build the steps of that, or what stands in their way; empty when nothing would be built
 */
public record DriverForecast(
        PoolDriver driver,
        Optional<String> named,
        Map<ImageCandidate, RegistryProbe.Finding> looked,
        Optional<BuildRequest> request,
        Optional<BuildSteps> build) {

    /** Keeps the order. */
    public DriverForecast {
        looked = Collections.unmodifiableMap(new LinkedHashMap<>(looked));
    }

    /** Port: what can be known beforehand. Implementations may block. */
    public interface Prospects {
        /** Looks for an image, at once. */
        RegistryProbe.Finding look(RegistryProbe.Query query);

        /** Driver toolkits that the cluster does not have yet, and will have with the kernel to come. */
        List<Toolkits.ToolkitImage> toolkits(String architecture);

        /** The time. */
        Instant now();
    }

    public static DriverForecast of(
            DriverRequest driverRequest,
            BuildTarget target,
            BuildSources sources,
            BuildSettings settings,
            Prospects prospects) {
        Map<ImageCandidate, RegistryProbe.Finding> looked = new LinkedHashMap<>();
        PoolDriver driver = new ImageResolution(
                        driverRequest,
                        List.of(),
                        false,
                        candidate -> new ImageResolution.DatedFinding(
                                looked.computeIfAbsent(candidate, one -> prospects.look(query(one, target))),
                                prospects.now()))
                .resolve();
        // What is taken without a look has to be there all the same.
        taken(driver.choice()).ifPresent(one -> looked.computeIfAbsent(one, it -> prospects.look(query(it, target))));
        Optional<BuildRequest> request =
                driver.build().filter(BuildRequest::missing).map(settings::completed);
        Optional<String> named = driver.choice()
                .image()
                .or(() -> driverRequest.candidates().stream()
                        .map(ImageCandidate::reference)
                        .findFirst())
                .map(target.mirrors()::of);
        return new DriverForecast(
                driver, named, looked, request, request.map(one -> steps(one, target, sources, settings, prospects)));
    }

    /** The image that the pool would get without waiting. */
    public static Optional<ImageCandidate> taken(ImageChoice choice) {
        if (choice instanceof ImageChoice.Chosen chosen) {
            return Optional.of(chosen.candidate());
        }
        return choice instanceof ImageChoice.CompileOnNode compiles
                ? Optional.of(compiles.candidate())
                : Optional.empty();
    }

    private static BuildSteps steps(
            BuildRequest request,
            BuildTarget target,
            BuildSources sources,
            BuildSettings settings,
            Prospects prospects) {
        BuildInputs inputs = InputReading.read(
                target,
                request,
                with(sources, prospects),
                question -> DriverBuilds.answer(prospects.look(DriverBuilds.query(question))),
                prospects.now());
        return BuildSteps.of(target, request, inputs, settings);
    }

    private static RegistryProbe.Query query(ImageCandidate candidate, BuildTarget target) {
        Pool pool = target.pool();
        return PoolDrivers.query(candidate, target.namespace(), pool, target.mirrors());
    }

    /** The sources with the toolkits to come. */
    private static BuildSources with(BuildSources sources, Prospects prospects) {
        return new BuildSources() {
            @Override
            public Answer dockerfile(String namespace, String configMap) {
                return sources.dockerfile(namespace, configMap);
            }

            @Override
            public Answer secret(String namespace, String name) {
                return sources.secret(namespace, name);
            }

            @Override
            public Set<String> awaitedKernels() {
                return sources.awaitedKernels();
            }

            @Override
            public List<Toolkits.ToolkitImage> toolkits(String architecture) {
                List<Toolkits.ToolkitImage> all = new ArrayList<>(prospects.toolkits(architecture));
                all.addAll(sources.toolkits(architecture));
                return all;
            }
        };
    }
}
