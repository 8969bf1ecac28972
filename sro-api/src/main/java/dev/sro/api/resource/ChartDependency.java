package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A chart that must be in place before the chart of the special resource.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class ChartDependency extends ResourceValue {
    @JsonPropertyDescription("Chart that must be ready first.")
    private @Nullable ChartReference chart;

    @JsonPropertyDescription(
            "Values for the chart. Kubernetes wants apiVersion and kind in it; by custom these are sro.openshift.io/v1beta1 and Values.")
    @PreserveUnknownFields
    private @Nullable Map<String, Object> set;

    /** Creates an object with no field set. */
    public ChartDependency() {}

    /** Returns the chart that must be ready first; null when absent. */
    public @Nullable ChartReference getChart() {
        return chart;
    }

    /** Sets it; null removes it. */
    public void setChart(@Nullable ChartReference chart) {
        this.chart = chart;
    }

    /** Returns the values for the chart; empty when absent. */
    public Map<String, Object> getSet() {
        return orEmpty(set);
    }

    /** Sets it; null removes it. */
    public void setSet(@Nullable Map<String, Object> set) {
        this.set = set;
    }
}
