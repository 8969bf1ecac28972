package dev.sro.core.slicing.fleet;

import dev.sro.core.slicing.geometry.Geometry;
import dev.sro.core.slicing.policy.FleetUsage;
import dev.sro.core.slicing.policy.PolicyTable;
import dev.sro.core.slicing.policy.Regime;
import dev.sro.core.slicing.policy.RequestShares;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells by what a fleet is asked how it is used: counts of grants, releases and refusals, halved every {@value #WINDOW} events so
 * that the recent past counts most, and counts of requests per profile, halved every {@value #MEMORY}. The first {@value #WINDOW} events are
 * looked at every {@value #EARLY}, since a fleet of few devices may be full after them. A {@link ModelFleet} has one of its own. Not thread-safe.
 */
public final class UsageMeter {
    /** Events between two judgements. */
    static final int WINDOW = 32;

    /** Requests that are remembered: some holding times of a hundred devices. */
    static final int MEMORY = 1024;

    /** Requests before which their shares are chance; of small fleets half as many as devices, which are full before. */
    static final int ENOUGH = 32;

    /** Events between two looks at what is asked for, until the first judgement. */
    static final int EARLY = 4;

    /** Requests before which a fleet is not known to be calm or crowded. */
    private static final int SETTLED = 256;

    /** A fleet is calm below this load: what is asked for, as a share of what there is. */
    private static final double CALM = 0.84;

    /** And crowded above this one. */
    private static final double CROWDED = 0.95;

    /** And overloaded above this one. */
    private static final double OVERLOADED = 1.2;

    /** One grant to what had waited is remembered for half a dozen judgements. */
    private static final int WAITING = 64;

    /** Counts of few requests differ by chance: by this over the square root of their number, on devices of six profiles. */
    private static final double CHANCE = 1.5;

    /** The difference of the load, beyond chance, that is worth working out another table. */
    private static final double CHANGE = 0.1;

    /** So many times as many requests are worth another look, however small the difference. */
    private static final int MORE = 4;

    /** And so many times as many where the first look was at few. */
    private static final int SOON = 2;

    private final Geometry geometry;
    private final int[] grantedOf;
    private final int[] refusedOf;
    /** What is asked for, counted for a judgement. */
    private final int[] counts;

    private int asked;
    /** Sum of the used share of memory units at each judgement, and their number; halved as the requests are. */
    private double used;

    private double judgements;
    private int @Nullable [] learnedFrom;
    private @Nullable RequestShares shares;
    private @Nullable FleetUsage usage;
    private int granted;
    private int released;
    private int refused;
    private int again;
    private int waited;
    /** Looks until the first judgement, that one too. */
    private int early = WINDOW / EARLY;

    private int left = EARLY;
    private Regime regime = Regime.FILLING;

    /**
     * What a meter says.
     *
     * @param regime what comes and goes
     * @param usage the same with what is asked for; empty while too little is known of that
     */
    public record Judgement(Regime regime, Optional<FleetUsage> usage) {}

    /** One that was told nothing, for devices of a model. */
    public UsageMeter(Geometry geometry) {
        this.geometry = geometry;
        this.grantedOf = new int[geometry.profiles()];
        this.refusedOf = new int[geometry.profiles()];
        this.counts = new int[geometry.profiles()];
    }

    private UsageMeter(UsageMeter other) {
        geometry = other.geometry;
        grantedOf = other.grantedOf.clone();
        refusedOf = other.refusedOf.clone();
        counts = other.counts.clone();
        asked = other.asked;
        used = other.used;
        judgements = other.judgements;
        learnedFrom = other.learnedFrom;
        shares = other.shares;
        usage = other.usage;
        granted = other.granted;
        released = other.released;
        refused = other.refused;
        again = other.again;
        waited = other.waited;
        early = other.early;
        left = other.left;
        regime = other.regime;
    }

    UsageMeter copy() {
        return new UsageMeter(this);
    }

    /** Counts a grant of a profile of the model; true if it is time to {@link #judge}. */
    public boolean granted(int profile) {
        granted++;
        grantedOf[profile]++;
        asked++;
        return --left == 0;
    }

    /** Counts that a slice was given back; true if it is time to {@link #judge}. */
    public boolean released() {
        released++;
        return --left == 0;
    }

    /** Counts a request for a profile that is refused for the first time; true if it is time to {@link #judge}. */
    public boolean refused(int profile) {
        refused++;
        refusedOf[profile]++;
        asked++;
        return --left == 0;
    }

    /** Counts that a request that was refused before is refused again: it waits, and is the same request. */
    public void refusedAgain() {
        again++;
    }

    /** Counts that the last grant went to a request that was refused before. */
    public void waited() {
        waited += WAITING;
    }

    /** The table of a policy that fits, as {@link #judge} has it, without garbage. */
    PolicyTable table(PolicyTable policy, int devices, double inUse) {
        FleetUsage now = look(devices, inUse, policy.learns());
        return now == null ? policy.in(regime) : policy.in(now);
    }

    /**
     * Judges, and starts a new window.
     *
     * @param inUse share of the memory units of {@code devices} that is in use, 0 to 1
     */
    public Judgement judge(int devices, double inUse) {
        FleetUsage now = look(devices, inUse, true);
        return new Judgement(regime, Optional.ofNullable(now));
    }

    /** Null while too little is known of what is asked for. */
    private @Nullable FleetUsage look(int devices, double inUse, boolean learns) {
        if (early > 1) {
            early--;
            left = EARLY;
        } else {
            used += inUse;
            judgements++;
            judgeRegime();
        }
        Regime now = regime;
        if (!learns) {
            return null;
        }
        learn(devices);
        return shares == null || now == Regime.SATURATED ? null : usage(now, shares, FleetUsage.coarse(devices));
    }

    // The one of before while it is true: judging makes no garbage on a steady load.
    private FleetUsage usage(Regime now, RequestShares shares, int devices) {
        FleetUsage before = usage;
        if (before != null && before.regime() == now && before.shares().equals(shares) && before.devices() == devices) {
            return before;
        }
        FleetUsage made = new FleetUsage(now, shares, devices);
        usage = made;
        return made;
    }

    /**
     * Filling: fewer than one release per eight grants. Saturated: more refusals than grants, with those of requests that ask again, until
     * there are fewer than half as many, so that a fleet at the border does not flap, and some grants to what was refused before. Else by
     * the load.
     */
    private void judgeRegime() {
        int refusals = refused + again;
        boolean full = refusals > granted || (regime == Regime.SATURATED && refusals * 2 > granted);
        if (released * 8 < granted) {
            regime = Regime.FILLING;
        } else {
            regime = full && waited > 0 ? Regime.SATURATED : busy();
        }
        granted /= 2;
        released /= 2;
        refused /= 2;
        again /= 2;
        waited /= 2;
        left = WINDOW;
    }

    // By a longer memory, since hardly anything is refused in 32 events of a fleet that is well used. By the load
    // and not by what is refused, which is a tenth on devices that cannot be cut to fit where it is a hundredth on
    // others.
    private Regime busy() {
        if (asked < SETTLED) {
            return refused > granted && waited == 0 ? Regime.OVERLOADED : Regime.STEADY;
        }
        double load = load();
        if (load > OVERLOADED && waited == 0) {
            return Regime.OVERLOADED;
        }
        return load > CROWDED ? Regime.CROWDED : load < CALM ? Regime.CALM : Regime.STEADY;
    }

    /** What is asked for: what is in use, and as much more as the refused share of the units asked for. */
    private double load() {
        double granted = 0;
        double refused = 0;
        for (int profile = 0; profile < grantedOf.length; profile++) {
            granted += (double) grantedOf[profile] * geometry.sizeOf(profile);
            refused += (double) refusedOf[profile] * geometry.sizeOf(profile);
        }
        return granted == 0 ? 1 : used / judgements * (granted + refused) / granted;
    }

    private void learn(int devices) {
        int sum = 0;
        for (int profile = 0; profile < counts.length; profile++) {
            counts[profile] = grantedOf[profile] + (regime == Regime.SATURATED ? 0 : refusedOf[profile]);
            sum += counts[profile];
        }
        if (sum >= enough(devices) && changed(sum)) {
            shares = RequestShares.of(geometry, counts);
            learnedFrom = counts.clone();
        }
        if (asked >= MEMORY) {
            asked = 0;
            used /= 2;
            judgements /= 2;
            for (int profile = 0; profile < counts.length; profile++) {
                grantedOf[profile] /= 2;
                refusedOf[profile] /= 2;
                asked += grantedOf[profile] + (regime == Regime.SATURATED ? 0 : refusedOf[profile]);
            }
        }
    }

    private static int enough(int devices) {
        return Math.max(EARLY, Math.min(devices / 2, ENOUGH));
    }

    private boolean changed(int sum) {
        if (learnedFrom == null) {
            return true;
        }
        int before = 0;
        for (int count : learnedFrom) {
            before += count;
        }
        double chance = CHANCE / Math.sqrt(Math.min(sum, before));
        return sum >= (sum <= 2 * ENOUGH ? SOON : MORE) * before
                || RequestShares.distance(geometry, counts, learnedFrom) > CHANGE + chance;
    }
}
