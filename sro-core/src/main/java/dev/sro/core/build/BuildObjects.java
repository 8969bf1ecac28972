package dev.sro.core.build;

import dev.sro.api.ProxySettings;
import dev.sro.core.model.KubeObject;
import java.util.List;
import java.util.Set;

/** The objects that make one step run. Pure and stateless. */
public final class BuildObjects {

    /** Kinds ({@code group/version/Kind}) of objects that say how far a step is. */
    static final Set<String> RUNNERS =
            Set.of("build.openshift.io/v1/BuildConfig", "batch/v1/Job", "shipwright.io/v1beta1/BuildRun");

    private BuildObjects() {}

    /**
     * The objects, those first that others need. They have no owner and no label of SRO's yet.
     *
     * @param step with its method
     * @param attempt from 1
     * @param proxy by which builds get out of the cluster
     */
    public static List<KubeObject> render(BuildStep step, int attempt, BuildSettings settings, ProxySettings proxy) {
        return switch (step.method()) {
            case BUILD_CONFIG -> BuildConfigs.render(step, attempt, settings, proxy);
            case SHIPWRIGHT -> ShipwrightBuilds.render(step, attempt, settings, proxy);
            case JOB -> Jobs.render(step, attempt, settings, proxy);
            case ANY -> throw new IllegalArgumentException(step.describe() + " has no method yet");
        };
    }
}
