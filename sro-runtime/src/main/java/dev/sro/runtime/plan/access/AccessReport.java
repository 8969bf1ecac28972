package dev.sro.runtime.plan.access;

import dev.sro.core.model.ObjectRef;
import dev.sro.core.model.RecipeAccount;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of asking whether accounts may write. Immutable.
 *
 * @param refused what the API server would refuse, by object, in the order of the plan
 * @param unchecked what is not known
 */
public record AccessReport(Map<ObjectRef, List<Lack>> refused, List<Unchecked> unchecked) {

    /** Nothing is written by the rights of an account. */
    public static final AccessReport NOTHING = new AccessReport(Map.of(), List.of());

    /**
     * An account of which it is not known whether it may.
     *
     * @param account which one
     * @param why nobody answered
     * @param bound whether SRO binds to it what comes with the installation, which is not among the needs
     * @param needs what it has to be allowed
     */
    public record Unchecked(RecipeAccount account, String why, boolean bound, List<Lack> needs) {

        /** Copies. */
        public Unchecked {
            needs = List.copyOf(needs);
        }
    }

    /** Copies, and keeps the order. */
    public AccessReport {
        refused = Collections.unmodifiableMap(new LinkedHashMap<>(refused));
        unchecked = List.copyOf(unchecked);
    }

    /** What an object is refused for; empty if for nothing that is known. */
    public List<Lack> of(ObjectRef object) {
        return refused.getOrDefault(object, List.of());
    }
}
