package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A time in which nodes may be begun.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class UpgradeWindow extends ResourceValue {
    @JsonPropertyDescription(
            "Days of the week on which it begins: Mon, Tue, Wed, Thu, Fri, Sat, Sun. Absent: every day.")
    private @Nullable List<String> days;

    @JsonPropertyDescription("When it begins, HH:MM.")
    @Required
    @Pattern("^([01][0-9]|2[0-3]):[0-5][0-9]$") private @Nullable String start;

    @JsonPropertyDescription("How long it lasts.")
    @Required
    @Min(1) @Max(10080) private @Nullable Integer durationMinutes;

    @JsonPropertyDescription("IANA name of the time zone; absent: UTC.")
    private @Nullable String timeZone;

    @JsonPropertyDescription("Labels of the nodes that it is for; absent: all.")
    private @Nullable Map<String, String> nodeSelector;

    /** Creates an object with no field set. */
    public UpgradeWindow() {}

    /** Returns the days of the week on which it begins; empty when absent. */
    public List<String> getDays() {
        return orEmpty(days);
    }

    /** Sets it; null removes it. */
    public void setDays(@Nullable List<String> days) {
        this.days = days;
    }

    /** Returns when it begins; null when absent. */
    public @Nullable String getStart() {
        return start;
    }

    /** Sets it; null removes it. */
    public void setStart(@Nullable String start) {
        this.start = start;
    }

    /** Returns how long it lasts, in minutes; null when absent. */
    public @Nullable Integer getDurationMinutes() {
        return durationMinutes;
    }

    /** Sets it; null removes it. */
    public void setDurationMinutes(@Nullable Integer durationMinutes) {
        this.durationMinutes = durationMinutes;
    }

    /** Returns the IANA name of the time zone; null when absent. */
    public @Nullable String getTimeZone() {
        return timeZone;
    }

    /** Sets it; null removes it. */
    public void setTimeZone(@Nullable String timeZone) {
        this.timeZone = timeZone;
    }

    /** Returns the labels of the nodes that it is for; empty when absent. */
    public Map<String, String> getNodeSelector() {
        return orEmpty(nodeSelector);
    }

    /** Sets it; null removes it. */
    public void setNodeSelector(@Nullable Map<String, String> nodeSelector) {
        this.nodeSelector = nodeSelector;
    }
}
