package dev.sro.core.slicing.policy;

/**
 * The use of a fleet of one model, as far as a policy may learn it.
 *
 * @param regime what comes and goes
 * @param shares what is asked for
 * @param devices devices in service, coarsely: {@link #coarse}
 */
public record FleetUsage(Regime regime, RequestShares shares, int devices) {
    /** 8, 24 or 96, whichever is nearest by ratio: small fleets are used differently, and large ones are alike. */
    public static int coarse(int devices) {
        return devices <= 13 ? 8 : devices <= 48 ? 24 : 96;
    }
}
