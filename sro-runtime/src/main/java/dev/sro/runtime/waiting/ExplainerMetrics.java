package dev.sro.runtime.waiting;

import dev.sro.core.claim.PodExplanation.State;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** What {@code sro slices explainer} measures, in the text format of Prometheus. The names are a contract: docs/reference/metrics.md. Thread-safe. */
public final class ExplainerMetrics {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MultiGauge waiting = MultiGauge.builder("sro.explainer.waiting.pods")
            .description("Pods that a scheduler has no place for and that ask for slices, by what was found last")
            .register(registry);

    /**
     * With no values yet.
     *
     * @param leads whether this replica does
     */
    public ExplainerMetrics(BooleanSupplier leads) {
        Gauge.builder("sro.explainer.leader", () -> leads.getAsBoolean() ? 1 : 0)
                .description("1 while this replica leads")
                .strongReference(true)
                .register(registry);
    }

    /** A pod was explained. */
    public void explained(State state) {
        Counter.builder("sro.explainer.explanations")
                .description("Explanations that were made, by what they came to")
                .tag("state", ExplanationText.word(state))
                .register(registry)
                .increment();
    }

    /**
     * Something was written.
     *
     * @param what {@code event} or {@code note}
     * @param taken whether the API server took it
     */
    public void wrote(String what, boolean taken) {
        Counter.builder("sro.explainer.writes")
                .description("Events and notes on claims, by whether the API server took them")
                .tag("what", what)
                .tag("result", taken ? "made" : "refused")
                .register(registry)
                .increment();
    }

    /** How many pods wait now, by state. */
    public void waiting(Map<State, Integer> pods) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (State state : State.values()) {
            if (state == State.HAS_ROOM || WaitingReasons.of(state).isPresent()) {
                rows.add(MultiGauge.Row.of(Tags.of("state", ExplanationText.word(state)), pods.getOrDefault(state, 0)));
            }
        }
        waiting.register(rows, true);
    }

    /** All of it. */
    public String text() {
        return registry.scrape();
    }
}
