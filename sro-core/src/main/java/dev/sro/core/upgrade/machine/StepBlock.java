package dev.sro.core.upgrade.machine;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Why a node does not go on. Immutable.
 *
 * @param code stable CamelCase word, documented in docs/reference/upgrades.md
 * @param message for people; names pod, node or field
 * @param since when
 * @param pods those that are in the way; at most {@value #MAX_PODS}
 */
public record StepBlock(String code, String message, Instant since, List<BlockingPod> pods) {

    /** More pods than these are not listed. */
    public static final int MAX_PODS = 5;

    /** Checks and copies. */
    public StepBlock {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(since, "since");
        pods = List.copyOf(pods.subList(0, Math.min(pods.size(), MAX_PODS)));
    }
}
