package dev.sro.core.plan;

import java.time.Instant;

/** Times at which a plan has to be made anew: whoever finds a wait says until when. Lives for one plan; not thread-safe. */
public interface WakeUps {

    /** Looks again at this time at the latest; {@link Instant#MAX} for no sooner than it is anyway. */
    void wakeAt(Instant at);
}
