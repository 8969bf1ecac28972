package dev.sro.api.operation;

import dev.sro.api.Checks;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * A rule that raises an alert. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class AlertRule {

    AlertRule() {}

    /** Severities, as alerting in Kubernetes has them by custom. */
    public enum Severity {
        /** Somebody has to look at once. */
        CRITICAL,
        /** Somebody has to look. */
        WARNING,
        /** Good to know. */
        INFO
    }

    /** CamelCase, beginning with the vendor's name. */
    public abstract String name();

    /** PromQL. */
    public abstract String expression();

    /** The time for which the expression has to hold. */
    @Value.Default
    public Duration holdsFor() {
        return Duration.ofMinutes(5);
    }

    /**
     * The time for which the alert goes on after the expression ceased to hold, so that what lasted a moment is seen; zero by default.
     */
    @Value.Default
    public Duration keepFiringFor() {
        return Duration.ZERO;
    }

    /** The severity. */
    @Value.Default
    public Severity severity() {
        return Severity.WARNING;
    }

    /** Labels of the alert beside those of the expression; {@code severity} is added by SRO. */
    public abstract Map<String, String> labels();

    /**
     * One sentence for whoever is called. A template of Prometheus, as is {@link #description()}: {@code {{ $labels.node }}} is
     * a label of the expression, {@code {{ $value }}} its value.
     */
    public abstract String summary();

    /** The meaning of the alert and the first remedy, where a sentence does not do. */
    public abstract Optional<String> description();

    /** The runbook: a URL, or a place in the documentation. */
    public abstract Optional<String> runbook();

    @Value.Check
    void check() {
        Checks.require(
                name().matches("[A-Z][A-Za-z0-9]*"), "AlertRule.name", "\"" + name() + "\" must be one CamelCase word");
        Checks.notBlank("AlertRule.expression of " + name(), expression());
        Checks.notBlank("AlertRule.summary of " + name(), summary());
        Checks.require(!holdsFor().isNegative(), "AlertRule.holdsFor of " + name(), "must not be negative");
        Checks.require(!keepFiringFor().isNegative(), "AlertRule.keepFiringFor of " + name(), "must not be negative");
        labels().keySet().forEach(this::label);
    }

    private void label(String label) {
        Checks.require(
                label.matches("[a-zA-Z_][a-zA-Z0-9_]*") && !label.startsWith("__"),
                "AlertRule.labels of " + name(),
                "\"" + label + "\" must be the name of a Prometheus label: letters, digits and '_'");
        Checks.require(
                !label.equals("severity") && !label.equals("alertname"),
                "AlertRule.labels of " + name(),
                "\"" + label + "\" is set by SRO; remove it");
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link AlertRule}. Not thread-safe. */
    public static final class Builder extends ImmutableAlertRule.Builder {
        Builder() {}
    }
}
