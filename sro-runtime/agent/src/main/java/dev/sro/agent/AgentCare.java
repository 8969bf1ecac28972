package dev.sro.agent;

import dev.sro.agent.device.PciAddress;
import dev.sro.agent.health.HealthKeeper;
import dev.sro.agent.metrics.AgentMetrics;
import dev.sro.agent.mode.ModeKeeper;
import dev.sro.agent.node.ApiNode;
import dev.sro.agent.publish.GpuCare;
import dev.sro.agent.slice.SliceKeeper;
import dev.sro.core.dra.NodeMarks;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Health, modes and marks of the Node, together. Called by one thread at a time. */
final class AgentCare implements GpuCare {
    private static final Duration WHILE_OTHERS = Duration.ofSeconds(15);
    private static final Duration AFTER_REFUSAL = Duration.ofMinutes(1);

    private final HealthKeeper health;
    private final ModeKeeper modes;
    private final SliceKeeper keeper;
    private final DevicePluginUse old;
    private final OfferSwitch offers;
    private final AgentMetrics metrics;
    private final ApiNode node;
    private final Consumer<String> log;
    private Instant notBefore = Instant.MIN;

    AgentCare(
            HealthKeeper health,
            ModeKeeper modes,
            SliceKeeper keeper,
            DevicePluginUse old,
            OfferSwitch offers,
            AgentMetrics metrics,
            ApiNode node,
            Consumer<String> log) {
        this.health = health;
        this.modes = modes;
        this.keeper = keeper;
        this.old = old;
        this.offers = offers;
        this.metrics = metrics;
        this.node = node;
        this.log = log;
    }

    @Override
    public Map<String, String> faults(PciAddress gpu) {
        return health.faults(gpu);
    }

    @Override
    public Map<PciAddress, String> elsewhere() {
        old.refresh();
        Map<PciAddress, String> gpus = new TreeMap<>(offers.notForClaims());
        gpus.putAll(old.gpus());
        return gpus;
    }

    @Override
    public boolean closedLong(PciAddress gpu, Instant now) {
        return modes.closedLong(gpu, now);
    }

    @Override
    public Optional<Instant> published(Instant now, Published state) {
        keeper.dynamic(state.facts().mode().equals(Optional.of(NodeMarks.Mode.DYNAMIC)));
        offers.published(state);
        Set<PciAddress> had = new TreeSet<>(state.had());
        had.addAll(old.gpus().keySet());
        ModeKeeper.Result result = modes.apply(now, state, had, health.needReset());
        Map<String, String> marks = new TreeMap<>(result.annotations());
        if (!state.facts()
                .annotations()
                .getOrDefault(NodeMarks.DEVICE_PLUGIN_PODS, "")
                .equals(old.text())) {
            marks.put(NodeMarks.DEVICE_PLUGIN_PODS, old.text());
        }
        annotate(now, marks);
        measure(state);
        Optional<Instant> again = result.changed() ? Optional.of(now) : result.again();
        // Nobody tells when those pods go.
        Instant later = now.plus(WHILE_OTHERS);
        return old.gpus().isEmpty()
                        || again.filter(time -> time.isBefore(later)).isPresent()
                ? again
                : Optional.of(later);
    }

    private void measure(Published state) {
        Map<String, Double> places = new TreeMap<>();
        state.free()
                .places()
                .forEach((profile, count) -> places.put(AgentMetrics.label("profile", profile), count.doubleValue()));
        metrics.set("sro_agent_free_places", places);
        metrics.set("sro_agent_free_units", state.free().units());
        metrics.set("sro_agent_fragmentation_ratio", state.free().fragmentation());
        metrics.set("sro_agent_gpus_ill", health.all().size());
        metrics.set("sro_agent_quarantined", keeper.quarantined().size());
    }

    private void annotate(Instant now, Map<String, String> annotations) {
        if (annotations.isEmpty() || now.isBefore(notBefore)) {
            return;
        }
        try {
            node.annotate(annotations);
        } catch (IOException e) {
            notBefore = now.plus(AFTER_REFUSAL);
            log.accept("not said on the Node: " + annotations + ": " + e.getMessage());
        }
    }
}
