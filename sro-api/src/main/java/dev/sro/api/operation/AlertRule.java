package dev.sro.api.operation;

import dev.sro.api.Checks;
import java.time.Duration;
import java.util.Optional;
import org.immutables.value.Value;

/** A rule that raises an alert. Immutable. */
@Value.Immutable
@ValueStyle
public abstract class AlertRule {

    AlertRule() {}

    /** How bad it is, as alerting in Kubernetes has it by custom. */
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

    /** How long the expression has to hold. */
    @Value.Default
    public Duration holdsFor() {
        return Duration.ofMinutes(5);
    }

    /** How bad it is. */
    @Value.Default
    public Severity severity() {
        return Severity.WARNING;
    }

    /** One sentence for whoever is called. */
    public abstract String summary();

    /** Where to read what to do. */
    public abstract Optional<String> runbook();

    @Value.Check
    void check() {
        Checks.require(
                name().matches("[A-Z][A-Za-z0-9]*"), "AlertRule.name", "\"" + name() + "\" must be one CamelCase word");
        Checks.notBlank("AlertRule.expression of " + name(), expression());
        Checks.notBlank("AlertRule.summary of " + name(), summary());
        Checks.require(!holdsFor().isNegative(), "AlertRule.holdsFor of " + name(), "must not be negative");
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
