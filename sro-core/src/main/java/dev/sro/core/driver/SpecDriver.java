package dev.sro.core.driver;

import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.resource.DriverSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code spec.driver} asks for in one pool. Pure. */
final class SpecDriver {

    private final TagCatalogue catalogue;

    SpecDriver(TagCatalogue catalogue) {
        this.catalogue = catalogue;
    }

    /**
     * The request; without candidates where it says nothing of images.
     *
     * @throws DriverException if it makes no sense for this pool
     */
    DriverRequest of(RecipeContext context, String namespace, Pool pool, DriverSpec driver) {
        try {
            return request(context, namespace, pool, driver);
        } catch (IllegalArgumentException e) {
            // The rules of the values that come of it.
            throw DriverException.invalid("spec.driver", String.valueOf(e.getMessage()));
        }
    }

    private DriverRequest request(RecipeContext context, String namespace, Pool pool, DriverSpec driver) {
        KernelMappings.Mapped mapped = KernelMappings.map(driver, pool.kernel());
        List<ImageCandidate> candidates = List.of();
        List<String> warnings = List.of();
        Map<String, DriverRequest.Making> makings = new HashMap<>();
        if (SpecImages.isGiven(driver)) {
            SpecImages images = new SpecImages(catalogue, context, namespace, pool, driver, mapped);
            candidates = images.candidates();
            warnings = images.warnings();
            for (ImageCandidate candidate : candidates) {
                if (candidate.kind() == ImageCandidate.Kind.BUILD) {
                    makings.put(
                            candidate.reference(),
                            SpecBuilds.create(context, namespace, pool, driver, mapped, candidate.reference()));
                }
            }
        }
        return new DriverRequest(
                candidates,
                Optional.empty(),
                !Boolean.FALSE.equals(driver.getKeepCurrentUntilAvailable()),
                pollEvery(driver),
                Boolean.TRUE.equals(driver.getPinDigest()),
                makings,
                SpecLoads.create(driver, mapped.inTreeModulesToRemove()),
                SpecImages.pullSecrets(driver),
                warnings,
                true);
    }

    private static Optional<Duration> pollEvery(DriverSpec driver) {
        return driver.getPollEvery().isEmpty()
                ? Optional.empty()
                : Optional.of(Durations.parse("spec.driver.pollEvery", driver.getPollEvery()));
    }
}
