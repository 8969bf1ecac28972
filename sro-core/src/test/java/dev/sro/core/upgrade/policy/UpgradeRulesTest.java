package dev.sro.core.upgrade.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.operation.UpgradeStrategy;
import dev.sro.api.resource.DriverUpgradePolicy;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

class UpgradeRulesTest {

    private static String text(Optional<PodRemoval> removal) {
        return removal.map(how -> how.force() + " " + how.deleteEmptyDir() + " " + how.timeout())
                .orElse("none");
    }

    private static Map<String, Object> values(RolloutPolicy policy) {
        return Map.ofEntries(
                Map.entry("autoUpgrade", policy.autoUpgrade()),
                Map.entry("maxParallel", policy.maxParallel()),
                Map.entry("maxUnavailable", policy.maxUnavailable()),
                Map.entry("waitForJobs", policy.waitForJobs()),
                Map.entry("jobsTimeout", policy.jobsTimeout()),
                Map.entry("podDeletion", text(policy.podDeletion())),
                Map.entry("driverTimeout", policy.driverTimeout()),
                Map.entry("validationTimeout", policy.validationTimeout()),
                Map.entry("rebootTimeout", policy.rebootTimeout()),
                Map.entry("maintenanceTimeout", policy.maintenanceTimeout()),
                Map.entry("attemptTimeout", policy.attemptTimeout()),
                Map.entry("drain", text(policy.drain())),
                Map.entry("manualCordon", policy.manualCordon()),
                Map.entry("retries", policy.retry().retries()),
                Map.entry("paused", policy.paused()),
                Map.entry(
                        "haltOnFailures",
                        policy.haltOnFailures().map(String::valueOf).orElse("never")),
                Map.entry("automaticRollback", policy.automaticRollback()));
    }

    @ParameterizedTest(name = "{1}")
    @CsvFileSource(resources = "defaults.psv", numLinesToSkip = 1, delimiter = '|')
    void anEmptyPolicyHasTheDefaultsOfOperatorsOfThisKind(String origin, String field, String expected) {
        UpgradeRules rules = UpgradeRules.read(new DriverUpgradePolicy(), Optional.empty());
        assertThat(values(rules.policy("")).get(field)).as(origin).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        -     | -             | -
        -     | example.com/w | example.com/w
        true  | -             | sro.dev/gpu.driver-upgrade.driver-wait-for-safe-load
        true  | example.com/w | example.com/w
        false | example.com/w | -
        """)
    void theKeyOfTheSafeLoadIsThePluginsOrNamedAfterTheState(Boolean safeLoad, String named, String expected) {
        DriverUpgradePolicy policy = new DriverUpgradePolicy();
        policy.setSafeLoad(safeLoad);
        UpgradeStrategy.Builder strategy = UpgradeStrategy.builder();
        if (named != null) {
            strategy.safeLoadAnnotation(named);
        }
        assertThat(UpgradeRules.read(policy, Optional.of(strategy.build())).safeLoad(UpgradeKeys.of("gpu", policy)))
                .isEqualTo(Optional.ofNullable(expected));
    }
}
