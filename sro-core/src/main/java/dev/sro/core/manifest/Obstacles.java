package dev.sro.core.manifest;

import dev.sro.api.Outcome;
import dev.sro.api.Problem;
import java.util.HashMap;
import java.util.Map;

/** Why pools could not be rendered. For one state. */
final class Obstacles {

    final Map<String, Problem> problems = new HashMap<>();
    final Map<String, Outcome> waits = new HashMap<>();

    void put(String pool, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            problems.put(pool, failed.problem());
        } else {
            waits.put(pool, outcome);
        }
    }
}
