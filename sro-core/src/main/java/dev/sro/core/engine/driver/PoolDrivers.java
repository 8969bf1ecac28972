package dev.sro.core.engine.driver;

import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.core.driver.CoreOsBuilds;
import dev.sro.core.driver.DriverRequest;
import dev.sro.core.driver.DriverRequests;
import dev.sro.core.driver.DriverState;
import dev.sro.core.driver.Drivers;
import dev.sro.core.driver.ImageResolution;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.driver.RegistryProbe;
import dev.sro.core.engine.background.ImageAccess;
import dev.sro.core.engine.background.ImageFindings;
import dev.sro.core.model.ImageMirrors;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The drivers of one special resource: what is asked for is kept as long as recipe and pool stay the same, what runs is read from
 * the objects each time. Guarded by the resource session that has it.
 */
public final class PoolDrivers {

    /** A plugin that gave no answer is asked again after this time. */
    private static final Duration RETRY = Duration.ofSeconds(30);

    private record CachedRequest(DriverRequest request, CoreOsBuilds builds, Instant again) {}

    private final ImageAccess access;
    private final DriverRequests requests;
    private final ImageFindings findings;
    private @Nullable Recipe wishedFor;
    private Map<Pool, CachedRequest> kept = new HashMap<>();

    public PoolDrivers(ImageAccess access, DriverRequests requests, ImageFindings findings) {
        this.access = access;
        this.requests = requests;
        this.findings = findings;
    }

    /** What is known of images. */
    public ImageFindings findings() {
        return findings;
    }

    /**
     * What is asked for in the pools, by their names; empty where nothing is.
     *
     * @param pools without their nodes
     * @param builds what their nodes run; asked only where it matters, as it looks at all nodes
     */
    public Map<String, DriverRequest> requests(
            Recipe recipe, String namespace, List<Pool> pools, Function<Pool, CoreOsBuilds> builds, Instant now) {
        boolean used = CoreOsBuilds.isUsed(recipe.context().spec().getDriver());
        if (wishedFor != recipe) {
            kept.clear();
            wishedFor = recipe;
        }
        Map<Pool, CachedRequest> next = new HashMap<>();
        Map<String, DriverRequest> all = new HashMap<>();
        for (Pool pool : pools) {
            CachedRequest known = kept.get(pool);
            CoreOsBuilds run = used ? builds.apply(pool) : CoreOsBuilds.NONE;
            if (known == null || !now.isBefore(known.again) || !run.equals(known.builds)) {
                known = ask(recipe, namespace, pool, run, now);
            }
            next.put(pool, known);
            if (!known.request.equals(DriverRequest.NOTHING)) {
                all.put(pool.name(), known.request);
            }
        }
        kept = next;
        return all;
    }

    private CachedRequest ask(Recipe recipe, String namespace, Pool pool, CoreOsBuilds builds, Instant now) {
        try {
            return new CachedRequest(requests.of(recipe, namespace, pool, builds), builds, Instant.MAX);
        } catch (RecipeFailure e) {
            Problem problem = e.problem();
            return new CachedRequest(DriverRequest.refused(problem), builds, now.plus(RETRY));
        }
    }

    /** When a plugin is asked again that just gave no answer to {@link #requests}; {@link Instant#MAX} when none is. */
    public Instant retry() {
        return kept.values().stream()
                .map(CachedRequest::again)
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
    }

    /** Warnings of all pools, each once. */
    public static List<String> warnings(Collection<DriverRequest> requests) {
        TreeSet<String> all = new TreeSet<>();
        requests.forEach(request -> all.addAll(request.warnings()));
        return List.copyOf(all);
    }

    /**
     * The drivers.
     *
     * @param pools without their nodes
     * @param owned what exists of the special resource
     * @param children what an object controls
     * @param mirrors from where images are pulled instead
     */
    public Drivers resolve(
            Map<String, DriverRequest> requested,
            String namespace,
            List<Pool> pools,
            Collection<KubeObject> owned,
            Function<String, List<KubeObject>> children,
            ImageMirrors mirrors,
            Instant now) {
        if (requested.isEmpty()) {
            return Drivers.NONE;
        }
        Map<String, Live> live = Live.of(owned);
        Map<String, PoolDriver> drivers = new HashMap<>();
        for (Pool pool : pools) {
            DriverRequest request = requested.get(pool.name());
            if (request != null) {
                Live running = live.getOrDefault(pool.name(), Live.NONE).and(live.get(""));
                ImageResolution resolution = new ImageResolution(
                        request,
                        List.copyOf(running.images),
                        !running.builds.isEmpty(),
                        candidate -> findings.of(
                                query(candidate, namespace, pool, mirrors),
                                request.pollEvery(),
                                progress(running.builds, children)));
                drivers.put(pool.name(), resolution.resolve());
            }
        }
        return new Drivers(access.states(), drivers);
    }

    static RegistryProbe.Query query(ImageCandidate candidate, String namespace, Pool pool, ImageMirrors mirrors) {
        return new RegistryProbe.Query(
                mirrors.of(candidate.reference()),
                pool.architecture(),
                candidate.verifyKernel() ? Optional.of(pool.kernel()) : Optional.empty(),
                candidate.security(),
                namespace,
                candidate.pullSecrets());
    }

    /** What changes when a build gets further. */
    private static String progress(List<KubeObject> builds, Function<String, List<KubeObject>> children) {
        TreeSet<String> states = new TreeSet<>();
        for (KubeObject build : builds) {
            states.add(build.uid() + ValueTrees.digest(build.map("status")));
            children.apply(build.uid())
                    .forEach(child -> states.add(child.uid() + ValueTrees.digest(child.map("status"))));
        }
        return String.join(",", states);
    }

    /** What there is of one pool, or under the empty name for all. */
    private record Live(TreeSet<String> images, List<KubeObject> builds) {
        static final Live NONE = new Live(new TreeSet<>(), List.of());

        static Map<String, Live> of(Collection<KubeObject> owned) {
            Map<String, Live> all = new HashMap<>();
            for (KubeObject object : owned) {
                Optional<String> image = object.annotation(MetadataKeys.DRIVER_IMAGE);
                boolean build = DriverState.isBuild(
                        object.annotation(MetadataKeys.STATE).orElse(""));
                if ((image.isEmpty() && !build) || object.terminating()) {
                    continue;
                }
                Live live = all.computeIfAbsent(
                        object.annotation(MetadataKeys.POOL).orElse(""),
                        unused -> new Live(new TreeSet<>(), new ArrayList<>()));
                image.ifPresent(live.images::add);
                if (build) {
                    live.builds.add(object);
                }
            }
            return all;
        }

        Live and(@Nullable Live shared) {
            if (shared == null) {
                return this;
            }
            Live both = new Live(new TreeSet<>(images), builds);
            both.images.addAll(shared.images);
            return both;
        }
    }
}
