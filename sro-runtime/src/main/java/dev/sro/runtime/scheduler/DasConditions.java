package dev.sro.runtime.scheduler;

import dev.sro.core.model.ValueTrees;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Conditions of a {@code DASOperator}, in OpenShift's form and with DAS's reasons where it has some. Stateless. */
final class DasConditions {

    /** One of them, without its time. */
    record Condition(String type, String status, String reason, String message) {}

    private static final String AVAILABLE = "Available";
    private static final String PROGRESSING = "Progressing";
    private static final String DEGRADED = "Degraded";
    private static final String TRUE = "True";
    private static final String FALSE = "False";
    private static final String TRANSITION = "lastTransitionTime";

    private DasConditions() {}

    /** Where nothing is done. */
    static List<Condition> unmanaged() {
        String message = "spec.managementState is Unmanaged";
        return List.of(
                new Condition(AVAILABLE, "Unknown", "Unmanaged", message),
                new Condition(PROGRESSING, FALSE, "Unmanaged", message),
                new Condition(DEGRADED, FALSE, "Unmanaged", message));
    }

    /** Of one that nobody reads. */
    static List<Condition> another() {
        String message = "metadata.name: only the DASOperator " + DasOperatorSpec.SINGLETON
                + " is acted on; put what is in this one there, and delete it";
        return List.of(
                new Condition(AVAILABLE, FALSE, "NotTheSingleton", message),
                new Condition(PROGRESSING, FALSE, "NotTheSingleton", message),
                new Condition(DEGRADED, TRUE, "NotTheSingleton", message));
    }

    /**
     * How far agents are.
     *
     * @param fault what could not be done; empty for nothing
     * @param removed whether they are to be on no node
     */
    static List<Condition> of(String name, Optional<DaemonSet> agents, Optional<Condition> fault, boolean removed) {
        DaemonSetStatus counts = agents.map(DaemonSet::getStatus).orElseGet(DaemonSetStatus::new);
        int ready = number(counts.getNumberReady());
        int desired = number(counts.getDesiredNumberScheduled());
        boolean moving = agents.isPresent() && moves(agents.get(), removed);
        List<Condition> all = new ArrayList<>();
        if (removed) {
            all.add(new Condition(
                    AVAILABLE, FALSE, "Removed", "agents run on no node, as spec.managementState is Removed"));
        } else {
            all.add(
                    ready > 0
                            ? new Condition(
                                    AVAILABLE,
                                    TRUE,
                                    "AllRequiredComponentsAvailable",
                                    ready + " of " + desired + " agents are ready")
                            : new Condition(
                                    AVAILABLE,
                                    FALSE,
                                    "ComponentsNotAvailable",
                                    "Components without available replicas: " + name));
        }
        all.add(
                moving
                        ? new Condition(PROGRESSING, TRUE, "Reconciling", "DaemonSet " + name + " is rolled out")
                        : new Condition(PROGRESSING, FALSE, "AllComponentsAtDesiredState", ""));
        all.add(fault.orElseGet(() -> !moving && ready < desired
                ? new Condition(
                        DEGRADED,
                        TRUE,
                        "ComponentReplicaMismatch",
                        "Components not matching configured replica counts: " + name + " (" + ready + " of " + desired
                                + ")")
                : new Condition(DEGRADED, FALSE, "AllComponentsHealthy", "")));
        return all;
    }

    /** What could not be done. */
    static Condition fault(String reason, String message) {
        return new Condition(DEGRADED, TRUE, reason, message);
    }

    /** What is asked for and nobody does. */
    static Condition served(List<String> unserved) {
        return unserved.isEmpty()
                ? new Condition("SettingsServed", TRUE, "AllServed", "")
                : new Condition("SettingsServed", FALSE, "FieldsNotServed", String.join("; ", unserved));
    }

    private static boolean moves(DaemonSet agents, boolean removed) {
        DaemonSetStatus counts = Objects.requireNonNullElseGet(agents.getStatus(), DaemonSetStatus::new);
        Long seen = counts.getObservedGeneration();
        Long generation = agents.getMetadata().getGeneration();
        return seen == null
                || (generation != null && seen < generation)
                || number(counts.getUpdatedNumberScheduled()) < number(counts.getDesiredNumberScheduled())
                || (removed && number(counts.getNumberReady()) > 0);
    }

    private static int number(@Nullable Integer value) {
        return value == null ? 0 : value;
    }

    /** As a status has them: a condition keeps its time as long as its status is the same. */
    static List<Map<String, Object>> trees(List<Condition> conditions, Map<String, Object> before, Instant now) {
        List<Map<String, Object>> trees = new ArrayList<>();
        for (Condition condition : conditions) {
            String since = ValueTrees.maps(before, "conditions").stream()
                    .filter(old -> ValueTrees.text(old, "type").equals(condition.type())
                            && ValueTrees.text(old, "status").equals(condition.status()))
                    .map(old -> ValueTrees.text(old, TRANSITION))
                    .filter(time -> !time.isEmpty())
                    .findFirst()
                    .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
            Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("type", condition.type());
            tree.put("status", condition.status());
            tree.put("reason", condition.reason());
            tree.put("message", condition.message());
            tree.put(TRANSITION, since);
            trees.add(tree);
        }
        return trees;
    }
}
