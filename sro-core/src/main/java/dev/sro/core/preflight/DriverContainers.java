package dev.sro.core.preflight;

import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.resource.PreflightEvidence;
import dev.sro.api.resource.VerificationStatus;
import dev.sro.core.image.ToolkitRelease;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The verdict on rendered objects, by the rules of the Special Resource Operator: a driver container that can be built in the
 * cluster is as good as there; of any other the image has to say that it is for the kernel to come.
 */
final class DriverContainers {

    private static final String STATE = "specialresource.openshift.io/state";
    private static final String DRIVER_CONTAINER = "driver-container";

    /** OpenShift's builds, and Shipwright's. */
    private static final Set<String> BUILDS = Set.of("BuildConfig", "Build", "BuildRun");

    private final ImageInspection inspection;
    private final Pool pool;
    private final Optional<String> settled;
    private final Map<String, KubeObject> builds = new HashMap<>();
    private final List<KubeObject> drivers = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();

    /**
     * @param states rendered for the pool
     * @param pool the one to come
     * @param settled an image of which all is said elsewhere: driver containers with it do not count here
     */
    DriverContainers(List<DesiredState> states, Pool pool, ImageInspection inspection, Optional<String> settled) {
        this.settled = settled;
        this.inspection = inspection;
        this.pool = pool;
        for (DesiredState state : states) {
            problems.addAll(state.problems().values());
            for (Desired desired : state.forPool(pool.name())) {
                sort(desired.object());
            }
        }
    }

    private void sort(KubeObject object) {
        Optional<String> vendor = object.annotation(MetadataKeys.VENDOR).filter(word -> !word.isEmpty());
        if (BUILDS.contains(object.ref().kind())) {
            vendor.ifPresent(word -> builds.putIfAbsent(word, object));
        } else if (object.ref().kind().equals("DaemonSet")
                && (vendor.isPresent() || object.annotation(STATE).orElse("").equals(DRIVER_CONTAINER))
                && !hasSettled(object)) {
            drivers.add(object);
        }
    }

    private boolean hasSettled(KubeObject driver) {
        return settled.isPresent()
                && containers(driver).stream()
                        .anyMatch(
                                container -> ValueTrees.text(container, "image").equals(settled.get()));
    }

    /** Whether there is nothing to say: no driver container, and nothing wrong. */
    boolean isEmpty() {
        return drivers.isEmpty() && problems.isEmpty();
    }

    Verdict verdict() {
        if (!problems.isEmpty()) {
            return Verdict.error(problems.get(0).message());
        }
        if (drivers.isEmpty()) {
            return new Verdict(
                    VerificationStatus.TRUE,
                    "there is no driver container, so nothing depends on the kernel",
                    List.of());
        }
        Verdict all = null;
        for (KubeObject driver : drivers) {
            Verdict one = verdict(driver);
            all = all == null ? one : all.and(one);
        }
        return all == null ? Verdict.error("there is no driver container") : all;
    }

    private Verdict verdict(KubeObject driver) {
        Optional<KubeObject> build = driver.annotation(MetadataKeys.VENDOR).map(builds::get);
        if (build.isPresent()) {
            return new Verdict(
                    VerificationStatus.TRUE,
                    build.get().ref() + " builds the image of " + driver.ref() + " for " + pool.kernel()
                            + " in the cluster",
                    List.of());
        }
        List<PreflightEvidence> evidence = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        for (Map<String, Object> container : containers(driver)) {
            String image = ValueTrees.text(container, "image");
            ImageInspection.Finding finding = inspection.of(image, pool.architecture());
            evidence.add(evidence(driver, ValueTrees.text(container, "name"), image, finding));
            String reason = reason(image, finding);
            if (reason.isEmpty()) {
                return new Verdict(VerificationStatus.TRUE, image + " is for " + pool.kernel(), evidence);
            }
            reasons.add(reason);
        }
        String why = reasons.isEmpty() ? "it has no container" : String.join("; ", reasons);
        return new Verdict(VerificationStatus.FALSE, driver.ref() + ": " + why, evidence);
    }

    private static List<Map<String, Object>> containers(KubeObject driver) {
        List<Map<String, Object>> containers = new ArrayList<>(driver.maps("spec", "template", "spec", "containers"));
        containers.addAll(driver.maps("spec", "template", "spec", "initContainers"));
        return containers;
    }

    /** Why the image is not good; empty if it is. */
    private String reason(String image, ImageInspection.Finding finding) {
        if (finding.release().isEmpty()) {
            return finding.message();
        }
        ToolkitRelease release = finding.release().get();
        String wanted = ToolkitRelease.whole(pool.kernel().raw(), pool.architecture());
        String is = Target.isRealTime(wanted) ? release.realTimeKernel() : release.kernel();
        return is.equals(wanted)
                ? ""
                : image + " is for kernel " + (is.isEmpty() ? release.kernel() : is) + " and not for " + pool.kernel();
    }

    private PreflightEvidence evidence(
            KubeObject driver, String container, String image, ImageInspection.Finding finding) {
        PreflightEvidence evidence = new PreflightEvidence();
        evidence.setObject(driver.ref().toString());
        evidence.setContainer(container);
        evidence.setImage(image);
        evidence.setArchitecture(pool.architecture());
        evidence.setWantedKernel(pool.kernel().raw());
        if (!finding.digest().isEmpty()) {
            evidence.setSource(finding.source());
            evidence.setDigest(finding.digest());
        }
        finding.release().ifPresent(release -> {
            evidence.setLayer(finding.layer());
            evidence.setFile("/" + ToolkitRelease.PATH);
            evidence.setKernelVersion(
                    Target.isRealTime(pool.kernel().raw()) ? release.realTimeKernel() : release.kernel());
        });
        if (!finding.message().isEmpty()) {
            evidence.setMessage(finding.message());
        }
        return evidence;
    }
}
