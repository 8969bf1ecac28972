package dev.sro.testkit.podsecurity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A level of the Pod Security Standards, as it is with one version of Kubernetes.
 *
 * @param minor of the version 1.x; {@link #LATEST} for the newest that is known
 */
public record PodStandard(Level level, int minor) {
    /** The newest version. */
    public static final int LATEST = Integer.MAX_VALUE;

    /** The last version that changed a check (kube-apiserver 1.36). Later ones are the same. */
    private static final int LAST_CHANGE = 35;

    private static final Pattern VERSION = Pattern.compile("v1\\.(0|[1-9][0-9]{0,8})");

    static Optional<Integer> minor(String text) {
        if (text.equals("latest")) {
            return Optional.of(LATEST);
        }
        var version = VERSION.matcher(text);
        return version.matches() ? Optional.of(Integer.valueOf(version.group(1))) : Optional.empty();
    }

    /**
     * What a pod does that this standard forbids; empty if it may do all that it does.
     *
     * @param metadata of the pod; only its annotations count
     * @param spec of the pod, with defaults
     */
    public List<Violation> violations(JsonNode metadata, JsonNode spec) {
        if (level == Level.PRIVILEGED) {
            return List.of();
        }
        PodView pod = new PodView(metadata.path("annotations"), spec);
        int version = Math.min(minor, LAST_CHANGE);
        List<Violation> all = new ArrayList<>();
        boolean restricted = level == Level.RESTRICTED;
        new BaselineChecks(pod, version, restricted).run().forEach(all::add);
        if (restricted) {
            new RestrictedChecks(pod, version).run().forEach(all::add);
        }
        return all;
    }

    /** As messages have it: {@code restricted:latest}, {@code baseline:v1.30}. */
    @Override
    public String toString() {
        return level + ":" + (minor == LATEST ? "latest" : "v1." + minor);
    }
}
