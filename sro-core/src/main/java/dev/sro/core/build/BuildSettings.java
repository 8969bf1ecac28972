package dev.sro.core.build;

import dev.sro.api.Checks;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.SignPlan;
import dev.sro.core.driver.BuildRequest;
import dev.sro.core.model.ValueStyle;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/** How an operator builds, for all special resources. Immutable. */
@Value.Immutable
@ValueStyle
public abstract class BuildSettings {

    /** What holds unless something else is said. */
    public static final BuildSettings DEFAULTS = builder().build();

    private static final int KEPT_IMAGES = 5;
    private static final int SHORTEST_CHECK = 60;

    BuildSettings() {}

    /** What builds in a Job. */
    public enum Tool {
        /** BuildKit without root and without a daemon beside it. */
        BUILDKIT,
        /** kaniko, which nobody has maintained since June 2025: root in its container, but neither privileged nor with namespaces of its own. */
        KANIKO
    }

    /** What builds where neither special resource nor plugin says it; {@code ANY} for what the cluster has. */
    @Value.Default
    public BuildPlan.Method method() {
        return BuildPlan.Method.ANY;
    }

    /** Name of the Secret in the operand namespace to push with where nothing else names one. */
    public abstract Optional<String> pushSecret();

    /** What builds in a Job. */
    @Value.Default
    public Tool tool() {
        return Tool.BUILDKIT;
    }

    /** The image of that; unless set, of a version for which the arguments were written. */
    @Value.Default
    public String builderImage() {
        return tool() == Tool.BUILDKIT
                ? "docker.io/moby/buildkit:v0.23.2-rootless"
                : "gcr.io/kaniko-project/executor:v1.24.0";
    }

    /** The same with the tag of a plan; that is one of kaniko. */
    final String builderImage(Optional<String> tag) {
        String image = builderImage();
        int at = image.indexOf('@');
        String name = at < 0 ? image : image.substring(0, at);
        int colon = name.indexOf(':', name.lastIndexOf('/') + 1);
        return tag.filter(unused -> tool() == Tool.KANIKO)
                .map(word -> (colon < 0 ? name : name.substring(0, colon)) + ":" + word)
                .orElse(image);
    }

    /** Image that signs where neither the special resource nor a driver toolkit has one. */
    public abstract Optional<String> signImage();

    /** What a build may use at most, by resource. */
    @Value.Default
    public Map<String, String> limits() {
        return Map.of("memory", "4Gi");
    }

    /** What a build needs at least, by resource. */
    @Value.Default
    public Map<String, String> requests() {
        return Map.of("cpu", "500m", "memory", "512Mi");
    }

    /** How long a build may take. */
    @Value.Default
    public Duration timeout() {
        return Duration.ofHours(1);
    }

    /**
     * How often the registry is asked whether the tag of a base image has moved, or that of an unsigned one; zero for never.
     * BuildConfigs do not need it: OpenShift looks itself.
     */
    @Value.Default
    public Duration baseImageCheck() {
        return Duration.ofHours(1);
    }

    /** Which images that SRO built are deleted when nobody needs them; by default old ones of OpenShift's own registry. */
    @Value.Default
    public ImageGarbage.Policy garbage() {
        return new ImageGarbage.Policy(ImageGarbage.Reach.OPENSHIFT, KEPT_IMAGES, Duration.ofDays(30));
    }

    /** Builds of one special resource that may run at a time. */
    @Value.Default
    public int perResource() {
        return 3;
    }

    /** Builds of all special resources that may run at a time. */
    @Value.Default
    public int overall() {
        return 10;
    }

    /** How long after the first failure a build is tried again; doubled each time. */
    @Value.Default
    public Duration firstRetry() {
        return Duration.ofMinutes(1);
    }

    /** The longest such time. */
    @Value.Default
    public Duration lastRetry() {
        return Duration.ofHours(1);
    }

    /**
     * When to try again after this many failures.
     *
     * @param failures one or more
     */
    public final Duration retryAfter(int failures) {
        Duration wait = firstRetry();
        for (int i = 1; i < failures && wait.compareTo(lastRetry()) < 0; i++) {
            wait = wait.multipliedBy(2);
        }
        return wait.compareTo(lastRetry()) > 0 ? lastRetry() : wait;
    }

    /** The plan with what these settings say and it does not. */
    final BuildPlan completed(BuildPlan plan) {
        boolean login = plan.pushSecret().isEmpty() && !plan.pushTo().startsWith(StreamTag.OPENSHIFT_REGISTRY);
        BuildPlan.Builder complete = BuildPlan.builder().from(plan);
        if (plan.method() == BuildPlan.Method.ANY) {
            complete.method(method());
        }
        return login ? complete.pushSecret(pushSecret()).build() : complete.build();
    }

    /** The same for a signature. */
    final SignPlan completed(SignPlan plan) {
        boolean login = plan.pushSecret().isEmpty() && !plan.signedImage().startsWith(StreamTag.OPENSHIFT_REGISTRY);
        return login ? SignPlan.builder().from(plan).pushSecret(pushSecret()).build() : plan;
    }

    /** The request with what these settings say and its plans do not. */
    public final BuildRequest completed(BuildRequest request) {
        return new BuildRequest(
                request.target(),
                request.build().map(this::completed),
                request.sign().map(this::completed),
                request.missing(),
                request.begun());
    }

    @Value.Check
    void check() {
        Checks.image("BuildSettings.builderImage", builderImage());
        signImage().ifPresent(image -> Checks.image("BuildSettings.signImage", image));
        pushSecret().ifPresent(name -> Checks.dnsSubdomain("BuildSettings.pushSecret", name));
        limits().forEach((name, value) -> Checks.quantity("BuildSettings.limits[" + name + "]", value));
        requests().forEach((name, value) -> Checks.quantity("BuildSettings.requests[" + name + "]", value));
        if (perResource() < 1 || overall() < 1) {
            throw new IllegalArgumentException("BuildSettings: at least one build has to be allowed at a time, not "
                    + Math.min(perResource(), overall()));
        }
        if (baseImageCheck().isNegative()
                || (!baseImageCheck().isZero() && baseImageCheck().toSeconds() < SHORTEST_CHECK)) {
            throw new IllegalArgumentException("BuildSettings: baseImageCheck " + baseImageCheck()
                    + " is too often for a registry; " + SHORTEST_CHECK + " seconds or more, or zero");
        }
        if (timeout().toSeconds() < 1 || firstRetry().isZero() || firstRetry().isNegative()) {
            throw new IllegalArgumentException("BuildSettings: timeout and firstRetry must be positive");
        }
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link BuildSettings}. Not thread-safe. */
    public static final class Builder extends ImmutableBuildSettings.Builder {
        Builder() {}
    }
}
