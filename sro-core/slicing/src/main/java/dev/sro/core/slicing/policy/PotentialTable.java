package dev.sro.core.slicing.policy;

import dev.sro.core.slicing.geometry.Geometry;
import java.util.Map;

/** A policy by numbers from outside: see {@link Policies#potential}. */
final class PotentialTable implements PlacementPolicy {
    private final String name;
    private final Map<String, Double> byUnits;

    PotentialTable(String name, Map<String, Double> byUnits) {
        this.name = name;
        this.byUnits = Map.copyOf(byUnits);
        byUnits.forEach((units, value) -> {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("policy " + name + ": the potential of " + units + " is " + value
                        + ", which is not a finite number");
            }
        });
    }

    @Override
    public String name() {
        return name;
    }

    /** Looks everything up once, so that what is missing is told before anything is placed. */
    @Override
    public PlacementPolicy specialise(Geometry geometry, Regime regime) {
        for (int occupancy = 0; occupancy < geometry.occupancies(); occupancy++) {
            of(geometry, occupancy);
        }
        return this;
    }

    @Override
    public double cost(Geometry geometry, int before, int placement, int after) {
        return of(geometry, before) - of(geometry, after);
    }

    private double of(Geometry geometry, int occupancy) {
        String units = units(geometry, occupancy);
        Double value = byUnits.get(units);
        if (value == null) {
            throw new IllegalArgumentException("policy " + name + ": no potential for " + units
                    + ", which is an occupancy of " + geometry.model().key() + "; every occupancy needs one");
        }
        return value;
    }

    static String units(Geometry geometry, int occupancy) {
        StringBuilder units = new StringBuilder();
        for (int unit = 0; unit < geometry.units(); unit++) {
            units.append((geometry.maskOf(occupancy) >>> unit & 1) != 0 ? '#' : '.');
        }
        return units.toString();
    }
}
