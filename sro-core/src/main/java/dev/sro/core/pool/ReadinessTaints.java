package dev.sro.core.pool;

import dev.sro.api.operation.NodeTaint;
import dev.sro.api.operation.Scheduling;
import dev.sro.api.resource.ReadinessTaint;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.model.Specs;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The taint that nodes carry until a special resource is ready on them. Stateless. */
public final class ReadinessTaints {

    private ReadinessTaints() {}

    /**
     * The taint, and what takes it away.
     *
     * @param key of the taint, with its domain
     * @param value may be empty
     * @param effect as Kubernetes writes it
     * @param state id of the state that has to be ready; empty for all
     */
    public record Wanted(String key, String value, String effect, Optional<String> state) {

        /** As nodes have it in their facts: {@code key=value:Effect}. */
        public String text() {
            return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
        }

        /** What pods have in their spec to come to nodes that carry it, whatever its value. */
        public Map<String, Object> toleration() {
            return Map.of("key", key, "operator", "Exists", "effect", effect);
        }
    }

    /** What the special resource says, or else its recipe. */
    public static Optional<Wanted> resolve(SpecialResource resource, Scheduling scheduling) {
        ReadinessTaint said = Specs.of(resource).getReadinessTaint();
        if (said != null && !said.getKey().isEmpty()) {
            String effect = Objects.requireNonNullElse(said.getEffect(), ReadinessTaint.NO_SCHEDULE);
            return Optional.of(new Wanted(said.getKey(), said.getValue(), effect, Optional.empty()));
        }
        return scheduling.readinessTaint().map(taint -> resolve(taint, scheduling.readyState()));
    }

    private static Wanted resolve(NodeTaint taint, Optional<String> state) {
        return new Wanted(taint.key(), taint.value(), taint.effect().word(), state);
    }

    /** Whether two taints, as texts, are one to Kubernetes: a node has one of each key and effect. */
    public static boolean isSame(String one, String other) {
        return identity(one).equals(identity(other));
    }

    /** Key and effect of {@code key=value:Effect}. */
    private static String identity(String text) {
        int colon = text.lastIndexOf(':');
        int equals = text.indexOf('=');
        return text.substring(0, equals < 0 ? colon : equals) + text.substring(colon);
    }
}
