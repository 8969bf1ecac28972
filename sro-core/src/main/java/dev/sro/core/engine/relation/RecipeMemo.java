package dev.sro.core.engine.relation;

import dev.sro.api.ClusterFacts;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.Code;
import dev.sro.core.recipe.Recipe;
import dev.sro.core.recipe.RecipeResolver;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The recipe of a special resource as it was resolved last, for as long as nothing changes that it depends on. Not thread-safe. */
public final class RecipeMemo {

    /** A recipe that could not be resolved is asked for again after this time at the earliest. */
    public static final Duration RETRY_RECIPE = Duration.ofSeconds(30);

    /** One that nobody expects to be resolved is, too: what it depends on may be mended where no event tells of it. */
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(RecipeMemo.class);

    private record ResolvedFor(
            String uid,
            @Nullable Long generation,
            @Nullable Map<String, String> labels,
            @Nullable Map<String, String> annotations,
            ClusterFacts cluster,
            Optional<Object> plugin) {}

    private final Runnable onOther;
    private @Nullable ResolvedFor resolvedFor;
    private RecipeResolver.@Nullable Resolution resolution;
    private Instant retryRecipe = Instant.MAX;
    private Instant lookForKinds = Instant.MAX;
    private List<String> told = List.of();

    /** @param onOther called when what the recipe depends on is something else than before */
    public RecipeMemo(Runnable onOther) {
        this.onOther = onOther;
    }

    /** When what {@link #resolve} just said is asked again although nothing changed; {@link Instant#MAX} when it need not be. */
    public Instant retryRecipe() {
        return retryRecipe;
    }

    /**
     * The recipe.
     *
     * @param asker the special resource that needs it: this one, or that whose rival this one is
     */
    public RecipeResolver.Resolution resolve(
            SpecialResource resource, String asker, ClusterFacts cluster, RecipeResolver resolver, Instant now) {
        RecipeContext context = context(resource, cluster);
        ResolvedFor wanted = new ResolvedFor(
                String.valueOf(resource.getMetadata().getUid()),
                resource.getMetadata().getGeneration(),
                resource.getMetadata().getLabels(),
                resource.getMetadata().getAnnotations(),
                cluster,
                resolver.identity(context, asker));
        RecipeResolver.Resolution known = resolution;
        if (known != null && wanted.equals(resolvedFor) && now.isBefore(retryRecipe)) {
            return known;
        }
        if (!wanted.equals(resolvedFor)) {
            onOther.run();
        }
        RecipeResolver.Resolution fresh = resolver.resolve(context, asker);
        tell(resource, fresh.recipe());
        resolution = fresh;
        resolvedFor = wanted;
        boolean retry = fresh.problems().stream().anyMatch(problem -> problem.retryable());
        boolean unresolved = !fresh.problems().isEmpty();
        retryRecipe = retry ? now.plus(RETRY_RECIPE) : unresolved ? now.plus(LOOK_AGAIN) : Instant.MAX;
        return fresh;
    }

    /** When to ask what the cluster serves, as no event will tell; {@link Instant#MAX} when one will. */
    public void lookForKinds(Instant at) {
        lookForKinds = at;
    }

    /** Whether it is time to look for what the plugin needs of the cluster and does not have. */
    public boolean looksForCrds(Instant now) {
        RecipeResolver.Resolution known = resolution;
        if (!now.isBefore(lookForKinds)) {
            lookForKinds = Instant.MAX;
            return true;
        }
        return known != null
                && !now.isBefore(retryRecipe)
                && known.problems().stream().anyMatch(Code.REQUIRED_CRD_MISSING::is);
    }

    private void tell(SpecialResource resource, @Nullable Recipe recipe) {
        List<String> notices = recipe == null ? told : recipe.notActedOn();
        if (recipe != null && !notices.equals(told)) {
            told = notices;
            LOG.atWarn()
                    .addKeyValue("specialResource", resource.getMetadata().getName())
                    .log("{}: not acted on by this version of SRO: {}", recipe.label(), notices);
        }
    }

    /** What recipes may depend on, of this special resource. */
    public static RecipeContext context(SpecialResource resource, ClusterFacts cluster) {
        return new RecipeContext(withoutStatus(resource), cluster);
    }

    /** A status that changed must not mean another recipe. */
    private static SpecialResource withoutStatus(SpecialResource resource) {
        ObjectMeta from = resource.getMetadata();
        SpecialResource copy = new SpecialResource();
        copy.setMetadata(new ObjectMetaBuilder()
                .withName(from.getName())
                .withUid(from.getUid())
                .withGeneration(from.getGeneration())
                .withLabels(from.getLabels())
                .withAnnotations(from.getAnnotations())
                .build());
        copy.setSpec(resource.getSpec());
        return copy;
    }
}
