package dev.sro.core.recipe;

import dev.sro.api.Outcome;
import dev.sro.api.Pool;
import dev.sro.api.State;
import dev.sro.api.operation.Scheduling;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ObjectRef;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A recipe that is text and no code, by the rules of the Special Resource Operator: it names no device, asks for no scheduling, has
 * no placeholders of its own, and waits only for what it says.
 */
abstract class ManifestRecipe implements Recipe {

    private static final Scheduling NO_POLICY = Scheduling.builder().build();

    ManifestRecipe() {}

    @Override
    public final Scheduling scheduling() {
        return NO_POLICY;
    }

    @Override
    public final Map<String, Object> variables(Pool pool) {
        return Map.of();
    }

    @Override
    public final boolean sharesFirst() {
        return true;
    }

    @Override
    public boolean dropsUndeclaredFields() {
        return true;
    }

    @Override
    public final boolean hasHooks() {
        return true;
    }

    @Override
    public final boolean hasProbe() {
        return true;
    }

    /** Only what the recipe wants waited for is judged, and DaemonSets, by which nodes get their labels. */
    @Override
    public Optional<Outcome> probe(
            KubeObject live, Function<KubeObject, GenericKubernetesResource> typed, State state, Instant now) {
        return live.ref().kind().equals("DaemonSet")
                        || live.ref().kind().equals("CustomResourceDefinition")
                        || live.annotation(MetadataKeys.WAIT).orElse("").equals("true")
                ? Optional.empty()
                : Optional.of(Outcome.ready());
    }

    @Override
    public final Instant retryProbes(Set<ObjectRef> live, Instant now) {
        return Instant.MAX;
    }
}
