package dev.sro.core.driver;

import dev.sro.api.NodeBarrier;
import dev.sro.api.Pool;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidate.Kind;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.resource.DriverSpec;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the special resource and its recipe together ask for in a pool. What the special resource says goes over what the plugin
 * says: its images instead of the plugin's, its settings on top of them. Calls the plugin; stateless.
 */
public final class DriverRequests {

    private final TagCatalogue catalogue;
    private final SpecDriver spec;

    /** @param catalogue how tags are made */
    public DriverRequests(TagCatalogue catalogue) {
        this.catalogue = catalogue;
        this.spec = new SpecDriver(catalogue);
    }

    /** How tags are made. */
    TagCatalogue catalogue() {
        return catalogue;
    }

    /**
     * The drivers of pools as they would be if every image were there, the first one taken: to see what a recipe makes, without a
     * look at any registry.
     *
     * @throws RecipeFailure if the plugin gives no answer
     */
    public Drivers assumed(Recipe recipe, String namespace, List<Pool> pools) {
        Map<String, PoolDriver> drivers = new HashMap<>();
        for (Pool pool : pools) {
            DriverRequest request = of(recipe, namespace, pool);
            if (!request.equals(DriverRequest.NOTHING)) {
                ImageResolution.DatedFinding found = new ImageResolution.DatedFinding(
                        new RegistryProbe.Finding(RegistryProbe.Kind.FOUND, "", ""), Instant.EPOCH);
                drivers.put(pool.name(), new ImageResolution(request, List.of(), false, candidate -> found).resolve());
            }
        }
        return new Drivers(List.of(), drivers);
    }

    /**
     * What is asked for in a pool. What is wrong is in {@link DriverRequest#none}.
     *
     * @param namespace of the operands
     * @throws RecipeFailure if the plugin gives no answer
     */
    public DriverRequest of(Recipe recipe, String namespace, Pool pool) {
        return of(recipe, namespace, pool, CoreOsBuilds.NONE);
    }

    /**
     * The same where something is known of the pool's nodes.
     *
     * @param builds of the nodes; only asked for the variable {@code rhcos} in what the special resource says
     * @throws RecipeFailure if the plugin gives no answer
     */
    public DriverRequest of(Recipe recipe, String namespace, Pool pool, CoreOsBuilds builds) {
        DriverSpec driver = recipe.context().spec().getDriver();
        try {
            DriverRequest said = driver == null
                    ? DriverRequest.NOTHING
                    : spec.of(recipe.context(), namespace, builds.in(pool), driver);
            DriverRequest images = said.hasImages() ? said : ofPlugin(recipe, namespace, pool, driver, said);
            Optional<LoadPlan> load = said.load().isPresent()
                    ? Optional.of(guarded(said.load().get(), recipe.loadPlan(pool)))
                    : recipe.loadPlan(pool);
            return new DriverRequest(
                    images.candidates(),
                    images.none(),
                    images.keepCurrent(),
                    images.pollEvery(),
                    images.pinDigest(),
                    images.makings(),
                    load,
                    images.pullSecrets(),
                    images.warnings(),
                    true);
        } catch (DriverException e) {
            return DriverRequest.refused(e.problem());
        }
    }

    /** What the plugin's operands wait for on a node, whatever is loaded there. */
    private static LoadPlan guarded(LoadPlan said, Optional<LoadPlan> ofPlugin) {
        Optional<NodeBarrier> barrier = ofPlugin.flatMap(LoadPlan::barrier);
        if (barrier.isEmpty()) {
            return said;
        }
        try {
            return LoadPlan.builder().from(said).barrier(barrier).build();
        } catch (IllegalArgumentException e) {
            throw DriverException.invalid(
                    "spec.driver.loader",
                    "the operands of the plugin wait on each node for "
                            + barrier.get().path()
                            + ", which only DriverDaemonSet and WorkerPod leave there; choose one of these");
        }
    }

    private DriverRequest ofPlugin(
            Recipe recipe, String namespace, Pool pool, @Nullable DriverSpec given, DriverRequest settings) {
        Optional<ImageCandidates> answer = recipe.images(pool);
        if (answer.isEmpty()) {
            return settings;
        }
        DriverSpec driver = Objects.requireNonNullElseGet(given, DriverSpec::new);
        ImageCandidates images = TaggedCandidates.named(
                answer.get(),
                catalogue,
                recipe.label(),
                pool,
                recipe.context().cluster().openShiftVersion());
        List<ImageCandidate> candidates = ordered(images.candidates(), driver).stream()
                .map(candidate -> with(candidate, driver, settings))
                .toList();
        if (candidates.isEmpty() && images.none().isEmpty()) {
            throw DriverException.invalid(
                    "spec.driver.imagePolicy",
                    "\"" + driver.getImagePolicy() + "\" leaves none of the images of " + recipe.label() + ": "
                            + images.candidates().stream()
                                    .map(ImageCandidate::reference)
                                    .toList());
        }
        Map<String, DriverRequest.Making> makings = new HashMap<>();
        for (ImageCandidate candidate : candidates) {
            if (candidate.kind() == Kind.BUILD) {
                makings.put(candidate.reference(), making(recipe, namespace, pool, driver, candidate));
            }
        }
        boolean said = driver.getKeepCurrentUntilAvailable() != null;
        return new DriverRequest(
                candidates,
                images.none(),
                said ? settings.keepCurrent() : images.keepCurrentUntilAvailable(),
                settings.pollEvery().or(images::pollEvery),
                settings.pinDigest(),
                makings,
                settings.load(),
                settings.pullSecrets(),
                settings.warnings(),
                true);
    }

    private static List<ImageCandidate> ordered(List<ImageCandidate> all, DriverSpec driver) {
        if (driver.getImagePolicy().isEmpty()) {
            return all;
        }
        List<ImageCandidate> ordered = new ArrayList<>();
        for (Kind kind : SpecImages.policy(driver, false)) {
            all.stream().filter(candidate -> candidate.kind() == kind).forEach(ordered::add);
        }
        return ordered;
    }

    private static ImageCandidate with(ImageCandidate candidate, DriverSpec driver, DriverRequest settings) {
        boolean verify = Boolean.TRUE.equals(driver.getVerifyKernel()) && candidate.kind() != Kind.COMPILE_ON_NODE;
        TreeSet<String> secrets = new TreeSet<>(candidate.pullSecrets());
        secrets.addAll(settings.pullSecrets());
        ImageCandidate.Builder changed = ImageCandidate.builder();
        changed.from(candidate)
                .pullSecrets(secrets)
                .needsProbe(candidate.needsProbe() || verify || settings.pinDigest())
                .verifyKernel(candidate.verifyKernel() || verify);
        if (driver.getRegistryTLS() != null) {
            changed.security(SpecImages.security(driver.getRegistryTLS()));
        }
        return changed.build();
    }

    private static DriverRequest.Making making(
            Recipe recipe, String namespace, Pool pool, DriverSpec driver, ImageCandidate candidate) {
        KernelMappings.Mapped mapped = KernelMappings.map(driver, pool.kernel());
        if (mapped.build() != null || mapped.sign() != null) {
            try {
                return SpecBuilds.create(recipe.context(), namespace, pool, driver, mapped, candidate.reference());
            } catch (IllegalArgumentException e) {
                throw DriverException.invalid("spec.driver", String.valueOf(e.getMessage()));
            }
        }
        return new DriverRequest.Making(recipe.buildPlan(pool, candidate), recipe.signPlan(pool, candidate));
    }
}
