package dev.sro.core.slicing.fleet;

import dev.sro.core.slicing.policy.Regime;

/**
 * Tells regimes apart by what a fleet is asked: counts of grants, releases and refusals, halved every {@value #WINDOW} events so
 * that the recent past counts most. Not thread-safe.
 */
final class UsageMeter {
    /** Events between two judgements. */
    static final int WINDOW = 32;

    private int granted;
    private int released;
    private int refused;
    private int left = WINDOW;
    private Regime regime = Regime.FILLING;

    UsageMeter copy() {
        UsageMeter copy = new UsageMeter();
        copy.granted = granted;
        copy.released = released;
        copy.refused = refused;
        copy.left = left;
        copy.regime = regime;
        return copy;
    }

    /** Counts; true if it is time to look at {@link #regime}. */
    boolean granted() {
        granted++;
        return --left == 0;
    }

    /** Counts; true if it is time to look at {@link #regime}. */
    boolean released() {
        released++;
        return --left == 0;
    }

    /** Counts; true if it is time to look at {@link #regime}. */
    boolean refused() {
        refused++;
        return --left == 0;
    }

    /**
     * Judges and starts a new window. Filling: fewer than one release per eight grants. Saturated: more refusals than grants; back to
     * steady only when there are fewer than half as many, so that a fleet at the border does not flap.
     */
    Regime regime() {
        if (released * 8 < granted) {
            regime = Regime.FILLING;
        } else if (refused > granted || (regime == Regime.SATURATED && refused * 2 > granted)) {
            regime = Regime.SATURATED;
        } else {
            regime = Regime.STEADY;
        }
        granted /= 2;
        released /= 2;
        refused /= 2;
        left = WINDOW;
        return regime;
    }
}
