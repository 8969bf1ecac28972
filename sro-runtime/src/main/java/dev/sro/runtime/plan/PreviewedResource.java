package dev.sro.runtime.plan;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.engine.trip.Preview;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.Code;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A special resource with what would be done for it. Immutable.
 *
 * @param resource as it was given, or is in the cluster
 * @param preview what a reconcile would do
 * @param nodes how many nodes were looked at; empty when that is not known
 * @param idle why no node is served; empty where some are, or a problem says more
 */
public record PreviewedResource(SpecialResource resource, Preview preview, Optional<Integer> nodes, String idle) {

    /** A problem and where it is. */
    public record LocatedProblem(String where, Problem problem) {}

    /** Its name. */
    public String name() {
        return String.valueOf(resource.getMetadata().getName());
    }

    /** All problems: of the special resource, of nodes, and of states that cannot be rendered. */
    public List<LocatedProblem> problems() {
        List<LocatedProblem> found = new ArrayList<>();
        preview.plan().problems().forEach(problem -> found.add(new LocatedProblem("", problem)));
        preview.plan()
                .nodeProblems()
                .forEach((node, problem) -> found.add(new LocatedProblem("node " + node, problem)));
        for (DesiredState state : preview.states()) {
            new TreeMap<>(state.problems())
                    .forEach((pool, problem) -> found.add(new LocatedProblem(
                            "state " + state.state().id() + (pool.isEmpty() ? "" : ", pool " + pool), problem)));
        }
        return found;
    }

    /** Everything that shall exist, in the order in which it is made: namespace, states, and in these the pools. */
    public List<Desired> desired() {
        List<Desired> all = new ArrayList<>();
        preview.namespace().ifPresent(all::add);
        for (DesiredState state : preview.states()) {
            all.addAll(state.shared());
            new TreeSet<>(state.byPool().keySet())
                    .forEach(pool -> all.addAll(state.byPool().getOrDefault(pool, List.of())));
        }
        return all;
    }

    /** What of it cannot be shown yet, in the order of the recipe. */
    public List<UnshownObjects> unshown() {
        return UnshownObjects.in(preview);
    }

    /** Why objects of a kind cannot be seen, for kinds that are there and hidden. */
    Optional<Problem> hidden() {
        return preview.unseen().entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getKey()))
                .map(entry -> entry.getValue())
                .filter(Outcome.Failed.class::isInstance)
                .map(outcome -> ((Outcome.Failed) outcome).problem())
                .filter(problem -> !Code.KIND_NOT_SERVED.is(problem))
                .findFirst();
    }
}
