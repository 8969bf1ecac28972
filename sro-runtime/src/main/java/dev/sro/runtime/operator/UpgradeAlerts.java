package dev.sro.runtime.operator;

import dev.sro.api.resource.VerificationStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which special resources a preflight found not ready for the kernel to come, or could not check. While one is checked again, what was
 * said of it before counts. Thread-safe.
 */
final class UpgradeAlerts {

    private final Map<String, Set<String>> byPreflight = new ConcurrentHashMap<>();

    /** What a preflight says now; nothing once it is gone. */
    void judged(String preflight, Map<String, VerificationStatus> verdicts) {
        Map<String, VerificationStatus> said = new HashMap<>(verdicts);
        byPreflight.compute(preflight, (unused, before) -> {
            Set<String> alerts = new TreeSet<>();
            said.forEach((name, verdict) -> {
                boolean bad = verdict == VerificationStatus.FALSE || verdict == VerificationStatus.ERROR;
                boolean still = verdict == VerificationStatus.UNKNOWN && before != null && before.contains(name);
                if (bad || still) {
                    alerts.add(name);
                }
            });
            return alerts.isEmpty() ? null : alerts;
        });
    }

    boolean isSet(String specialResource) {
        return byPreflight.values().stream().anyMatch(alerts -> alerts.contains(specialResource));
    }
}
