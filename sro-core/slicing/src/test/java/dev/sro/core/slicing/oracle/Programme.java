package dev.sro.core.slicing.oracle;

import com.google.ortools.Loader;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.slicing.catalogue.SliceProfile;
import dev.sro.core.slicing.geometry.Geometry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * Devices in the words of the solver, straight from the device model: one variable per device and placement, and the rules of
 * hardware as constraints. Nothing of the tables, inequalities and searches under test is used.
 */
final class Programme {
    private static final double SECONDS = 60;

    final CpModel model = new CpModel();

    /** Skips the test, with the reason, where the solver has no native library. */
    static void needsSolver() {
        try {
            Loader.loadNativeLibraries();
        } catch (RuntimeException | UnsatisfiedLinkError e) {
            Assumptions.abort("OR-Tools does not load here: " + e.getMessage());
        }
    }

    /** Variables of one device, by placement. */
    IntVar[] device(Geometry geometry) {
        IntVar[] on = new IntVar[geometry.placements()];
        for (int k = 0; k < on.length; k++) {
            on[k] = model.newBoolVar("");
        }
        DeviceModel device = geometry.model();
        for (int unit = 0; unit < geometry.units(); unit++) {
            LinearExprBuilder taken = LinearExpr.newBuilder();
            for (int k = 0; k < on.length; k++) {
                SliceProfile profile = geometry.profile(geometry.profileOf(k));
                if (unit >= geometry.startOf(k) && unit < geometry.startOf(k) + profile.size()) {
                    taken.add(on[k]);
                }
            }
            model.addLessOrEqual(taken, 1);
        }
        device.engineCapacity().forEach((engine, capacity) -> {
            LinearExprBuilder taken = LinearExpr.newBuilder();
            for (int k = 0; k < on.length; k++) {
                taken.addTerm(
                        on[k], geometry.profile(geometry.profileOf(k)).engines().getOrDefault(engine, 0));
            }
            model.addLessOrEqual(taken, capacity);
        });
        for (int p = 0; p < geometry.profiles(); p++) {
            LinearExprBuilder count = LinearExpr.newBuilder();
            addTerms(count, geometry, on, p);
            model.addLessOrEqual(count, geometry.profile(p).maxInstances());
        }
        return on;
    }

    /** Adds the number of instances of a profile on a device. */
    static void addTerms(LinearExprBuilder sum, Geometry geometry, IntVar[] on, int profile) {
        for (int k = geometry.firstPlacement(profile); k < geometry.firstPlacement(profile + 1); k++) {
            sum.add(on[k]);
        }
    }

    /** Devices of which all together carry exactly these counts. */
    List<IntVar[]> fleet(Geometry geometry, int devices, long[] counts) {
        List<IntVar[]> fleet = new ArrayList<>();
        for (int d = 0; d < devices; d++) {
            fleet.add(device(geometry));
        }
        for (int p = 0; p < counts.length; p++) {
            LinearExprBuilder sum = LinearExpr.newBuilder();
            for (IntVar[] on : fleet) {
                addTerms(sum, geometry, on, p);
            }
            model.addEquality(sum, counts[p]);
        }
        return fleet;
    }

    /** The least of an expression; -1 if there is no solution. Fails if the solver can not tell. */
    long least(LinearExprBuilder sum) {
        model.minimize(sum);
        CpSolver solver = new CpSolver();
        solver.getParameters().setNumWorkers(1).setRandomSeed(1).setMaxTimeInSeconds(SECONDS);
        CpSolverStatus status = solver.solve(model);
        if (status == CpSolverStatus.INFEASIBLE) {
            return -1;
        }
        if (status != CpSolverStatus.OPTIMAL) {
            throw new AssertionError("the solver says " + status);
        }
        return Math.round(solver.objectiveValue());
    }
}
