package dev.sro.core.plan;

import dev.sro.api.Outcome;

/** Reasons for waiting that one part of a plan gives and another one acts on. Stateless. */
public final class Reasons {

    /** Of an object that is written in this very plan. */
    public static final String APPLYING = "Applying";

    /** Of an object that a deleted special resource of the same name left behind. */
    public static final String FORMER = "FormerOwner";

    /** Of a state that waits for the one before it. */
    public static final String PREVIOUS_STATE = "PreviousState";

    /** Of a state whose driver has devices allocated. */
    public static final String CLAIMS_IN_USE = "DeviceClaimsInUse";

    private Reasons() {}

    /** Whether it waits for this. */
    public static boolean is(Outcome outcome, String reason) {
        return outcome instanceof Outcome.Waiting waiting && waiting.reason().equals(reason);
    }
}
