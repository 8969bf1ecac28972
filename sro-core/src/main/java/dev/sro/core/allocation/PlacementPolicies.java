package dev.sro.core.allocation;

import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.PlacementPolicy;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.policy.Regime;
import java.util.HashMap;
import java.util.Map;

/** The standard policy for each model, as the publisher has it. Not thread-safe. */
final class PlacementPolicies {
    private final Map<Geometry, PlacementPolicy> policies = new HashMap<>();

    PlacementPolicy of(Geometry geometry) {
        return policies.computeIfAbsent(geometry, known -> Policies.standard().specialise(known, Regime.STEADY));
    }
}
