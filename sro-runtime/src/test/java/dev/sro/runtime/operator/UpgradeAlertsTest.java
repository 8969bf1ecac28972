package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.VerificationStatus;
import dev.sro.core.plan.Plan;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UpgradeAlertsTest {

    private static final String ALERT = "sro_upgrade_alert{cr=\"gpu\"} ";

    private static final Plan PLAN = Plan.builder().done(true).build();

    @Test
    void isSetWhilePreflightsSayThatADriverIsMissingAndClearedWhenTheyAreGone() {
        try (OperatorMetrics metrics = new OperatorMetrics("1")) {
            metrics.reconciled("gpu", PLAN, 0, 0, Duration.ZERO);
            assertThat(metrics.scrape()).contains(ALERT + 0);

            metrics.preflight("next", Map.of("gpu", VerificationStatus.FALSE, "nic", VerificationStatus.TRUE));
            assertThat(metrics.scrape()).contains(ALERT + 1);
            metrics.preflight("other", Map.of("gpu", VerificationStatus.TRUE));
            assertThat(metrics.scrape()).contains(ALERT + 1);
            metrics.preflight("next", Map.of());
            assertThat(metrics.scrape()).contains(ALERT + 0);
        }
    }

    @Test
    void whatWasSaidCountsWhileItIsCheckedAgain() {
        UpgradeAlerts alerts = new UpgradeAlerts();
        alerts.judged("next", Map.of("gpu", VerificationStatus.UNKNOWN));
        assertThat(alerts.isSet("gpu")).isFalse();
        alerts.judged("next", Map.of("gpu", VerificationStatus.ERROR));
        alerts.judged("next", Map.of("gpu", VerificationStatus.UNKNOWN));
        assertThat(alerts.isSet("gpu")).isTrue();
        alerts.judged("next", Map.of("gpu", VerificationStatus.TRUE));
        alerts.judged("next", Map.of("gpu", VerificationStatus.UNKNOWN));
        assertThat(alerts.isSet("gpu")).isFalse();
    }

    @Test
    void onlySpecialResourcesThatThereAreHaveTheMetric() {
        try (OperatorMetrics metrics = new OperatorMetrics("1")) {
            metrics.preflight("next", Map.of("misspelt", VerificationStatus.ERROR));
            assertThat(metrics.scrape()).doesNotContain("misspelt");
            metrics.reconciled("gpu", PLAN, 0, 0, Duration.ZERO);
            metrics.gone("gpu");
            assertThat(metrics.scrape()).doesNotContain(ALERT);
        }
    }
}
