package dev.sro.core.dra;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a Kubernetes API server and scheduler, as far as it decides what may be published: 1.{@code minor}.{@code patch}.
 * Immutable.
 *
 * @param minor 34 or later; older servers have no {@code resource.k8s.io/v1}
 * @param patch as printed
 */
public record DraServer(int minor, int patch) {
    private static final Pattern VERSION = Pattern.compile("v?1\\.([0-9]{1,4})(?:\\.([0-9]{1,4}))?(?:[^0-9.].*)?");

    /** Slices hold counters and devices together up to this version, and never from the next one on. */
    private static final int LAST_COMBINED = 34;

    /** From here on the scheduler takes slices in the order of their names. */
    private static final int FIRST_ORDERED = 36;

    /** First patch of 1.36 without the two defects of the scheduler's counters. */
    private static final int COUNTERS_MENDED = 3;

    /** Refuses what has no {@code resource.k8s.io/v1}. */
    public DraServer {
        if (minor < LAST_COMBINED) {
            throw new IllegalArgumentException("Kubernetes 1." + minor
                    + ": has no resource.k8s.io/v1; partitionable devices by that version need 1.34 or later");
        }
    }

    /** How the objects of a pool are cut. */
    public enum Layout {
        /** 1.34: each slice has the counters and the devices of one GPU. */
        COMBINED,
        /** 1.35 and later: slices with counters, at most eight sets each, and one slice with devices for each GPU. */
        SEPARATE
    }

    /**
     * A defect of a version that whoever runs slices on it should know.
     *
     * @param reference where it is told of
     * @param symptom what happens
     * @param consequence what SRO does about it, or what a user has to
     */
    public record Defect(String reference, String symptom, String consequence) {}

    /**
     * Reads the {@code gitVersion} of a server, such as {@code v1.36.2} or {@code v1.36.2-eks-1}; without a patch, 0.
     *
     * @throws IllegalArgumentException if it is not one of 1.34 or later
     */
    public static DraServer of(String gitVersion) {
        Matcher matcher = VERSION.matcher(gitVersion.trim());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "Kubernetes version \"" + gitVersion + "\": is not one such as v1.36.2 or 1.36");
        }
        int patch = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
        return new DraServer(Integer.parseInt(matcher.group(1)), patch);
    }

    /** How the objects of a pool are cut for this version. */
    public Layout layout() {
        return minor <= LAST_COMBINED ? Layout.COMBINED : Layout.SEPARATE;
    }

    /**
     * Whether the scheduler goes through slices by name, and so through GPUs in an order of ours. Devices within a slice are tried as they are
     * listed in every version.
     */
    public boolean takesSlicesByName() {
        return minor >= FIRST_ORDERED;
    }

    /** Whether plain pods get devices by the {@code extendedResourceName} of a class without a feature gate. */
    public boolean extendedResources() {
        return minor >= FIRST_ORDERED;
    }

    /** Whether taints of devices are kept, and heeded by the scheduler, without a feature gate. */
    public boolean taintsDevices() {
        return minor >= FIRST_ORDERED;
    }

    /** Whether a candidate that a taint rules out gives its counters back; before, a taint makes other claims fail. */
    public boolean taintsSafe() {
        return minor > FIRST_ORDERED || (minor == FIRST_ORDERED && patch >= COUNTERS_MENDED);
    }

    /** The defects of this version that matter to slices; they are told of, as nothing can be done on a node. */
    public List<Defect> defects() {
        List<Defect> defects = new ArrayList<>();
        if (!taintsSafe()) {
            defects.add(new Defect(
                    "kubernetes/kubernetes#140434",
                    "counters are cached by the name of the pool alone, whatever the driver",
                    "the name of the pool ends in that of the driver"));
            defects.add(new Defect(
                    "kubernetes/kubernetes#140436",
                    "in kube-scheduler a candidate that a taint or matchAttribute rules out keeps its counters, so"
                            + " that claims wait in vain",
                    "GPUs are closed by their counters, not by taints; claims for several slices of one GPU may wait"
                            + " in vain until kube-scheduler, and not the API server alone, is 1.36.3 or later"));
        }
        if (minor == 35 || minor == FIRST_ORDERED) {
            defects.add(new Defect(
                    "kubernetes/kubernetes#138917",
                    "counters of all nodes are gathered for each node: some 3 pods a second in large clusters",
                    "one slice of counters for up to eight GPUs; expect it to be slow above some dozens of nodes"));
        }
        if (minor < FIRST_ORDERED || (minor == FIRST_ORDERED && patch <= 1)) {
            defects.add(new Defect(
                    "kubernetes/kubernetes#139034",
                    "devices that several claims share are forgotten when counters are counted anew",
                    "no device can be had by several claims"));
        }
        defects.add(new Defect(
                "kubernetes/kubernetes#140802",
                "an allocated device that is missing in its slice frees its counters, and its place is given away twice",
                "an allocated device is never left out or changed"));
        return List.copyOf(defects);
    }

    /**
     * What an older scheduler does beside this server; empty where none that is allowed does. The version is that of the API server, and while a
     * control plane is upgraded its scheduler may be one minor version older: its defects are then those of a version that nobody can ask for.
     */
    public Optional<String> skew() {
        return !taintsSafe() || minor > FIRST_ORDERED + 1
                ? Optional.empty()
                : Optional.of("Kubernetes " + this + " is the version of the API server: a kube-scheduler before 1."
                        + FIRST_ORDERED + "." + COUNTERS_MENDED
                        + ", as there may be while a control plane is upgraded (one minor version older is allowed),"
                        + " keeps the counters of a candidate that a taint rules out (kubernetes/kubernetes#140436):"
                        + " while a GPU is ill, claims may wait in vain until the scheduler is upgraded, too");
    }

    /** A sentence for each defect, and one for an older scheduler. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        defects()
                .forEach(defect -> warnings.add("Kubernetes " + this + ": " + defect.symptom() + " ("
                        + defect.reference() + "): " + defect.consequence()));
        skew().ifPresent(warnings::add);
        return List.copyOf(warnings);
    }

    @Override
    public String toString() {
        return "1." + minor + "." + patch;
    }
}
