package dev.sro.testkit.sim;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The pull of one container's image: tries, what went wrong, and when the next one is due. Not thread-safe; used by its container only. */
final class ImagePull {
    private final ContainerEnv env;
    private final Behavior.Target target;
    /** Whether the last try was refused by a rule of the test, which may end, not by a registry without the image, which tells when it comes. */
    private boolean byRule;

    private int failures;
    private Instant retry = Instant.EPOCH;
    private String error = "";

    ImagePull(ContainerEnv env, Behavior.Target target) {
        this.env = env;
        this.target = target;
    }

    /** Tries once; whether the image is there. */
    boolean succeeds(Instant at) {
        Behavior wrong = env.behaviors().useForPull(target);
        if (wrong == null && env.registry().exists(target.image())) {
            failures = 0;
            return true;
        }
        byRule = wrong != null;
        failures++;
        retry = at.plus(backoff());
        if (isFirst()) {
            error = wrong != null ? wrong.message : missing(target.image());
        }
        return false;
    }

    /** In the words of containerd 2 and of the kubelet that asks it. */
    private static String missing(String image) {
        return "rpc error: code = NotFound desc = failed to pull and unpack image \"" + image
                + "\": failed to resolve image: " + image + ": not found";
    }

    /** Whether the last try was the first that failed. */
    boolean isFirst() {
        return failures == 1;
    }

    /** What was wrong with the first try. */
    String error() {
        return error;
    }

    /** With the error of the last try behind it, as kubelets have it since 1.32. */
    String backingOff() {
        return "Back-off pulling image \"" + target.image() + "\": ErrImagePull: " + error;
    }

    /** When it is tried again; null while nothing but the image's arrival helps. */
    @Nullable Instant due() {
        return byRule ? retry : null;
    }

    /** The image has come: the attempt that finds it is the next of the back-off series. */
    Instant arrived(Instant now) {
        while (retry.isBefore(now)) {
            failures++;
            retry = retry.plus(backoff());
        }
        return retry;
    }

    private Duration backoff() {
        return SimTimings.backoff(env.timings().pullBackoff(), env.timings().pullBackoffMax(), failures);
    }
}
