package dev.sro.runtime.status;

import dev.sro.api.resource.NodeCounts;
import dev.sro.api.resource.OutcomeSample;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.api.resource.StateStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Draws special resources as trees of states, pools and nodes. Stateless. */
public final class StatusText {

    private StatusText() {}

    /** Whether it is ready as it is written now. */
    public static boolean isReady(SpecialResource resource) {
        SpecialResourceStatus status = resource.getStatus();
        return status != null
                && isCurrent(resource)
                && status.getConditions().stream()
                        .anyMatch(condition ->
                                "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }

    /** Whether the operator has looked at it since it was changed. */
    public static boolean isCurrent(SpecialResource resource) {
        SpecialResourceStatus status = resource.getStatus();
        return status != null
                && resource.getMetadata().getGeneration() != null
                && resource.getMetadata().getGeneration().equals(status.getObservedGeneration());
    }

    /** The tree of one. */
    public static String write(SpecialResource resource, Instant now) {
        StringBuilder text = new StringBuilder(resource.getMetadata().getName());
        SpecialResourceStatus status = resource.getStatus();
        if (status == null) {
            return text.append("  not looked at yet; is the operator running?\n")
                    .toString();
        }
        boolean deleting = resource.getMetadata().getDeletionTimestamp() != null;
        text.append(deleting ? "  going away" : isReady(resource) ? "  ready" : "  NOT READY");
        NodeCounts nodes = status.getNodes();
        if (nodes != null) {
            text.append("  ")
                    .append(nodes.getReady())
                    .append('/')
                    .append(nodes.getSelected())
                    .append(" nodes");
        }
        Integer pools = status.getPoolCount();
        if (pools != null) {
            text.append("  ").append(pools).append(pools == 1 ? " pool" : " pools");
        }
        text.append('\n');
        if (!isCurrent(resource)) {
            text.append("  not looked at since it was changed; what follows is older\n");
        }
        if (!isReady(resource) && status.getState() != null) {
            text.append("  ").append(status.getState()).append('\n');
        }
        if (status.getUpgrade() != null) {
            text.append(UpgradeText.write(status.getUpgrade(), "  ", now));
        }
        states(text, status, now);
        return text.toString();
    }

    private static void states(StringBuilder text, SpecialResourceStatus status, Instant now) {
        List<StateStatus> states = status.getStates();
        int width = states.stream()
                .mapToInt(state -> state.getName().length())
                .max()
                .orElse(0);
        for (int i = 0; i < states.size(); i++) {
            StateStatus state = states.get(i);
            boolean last = i == states.size() - 1;
            text.append(last ? "└ " : "├ ")
                    .append(state.getName())
                    .append(" ".repeat(width - state.getName().length()))
                    .append("  ")
                    .append(line(state, now))
                    .append('\n');
            for (OutcomeSample sample : status.getSamples()) {
                if (state.getName().equals(sample.getState())) {
                    text.append(last ? "    " : "│   ").append(line(sample)).append('\n');
                }
            }
        }
    }

    private static String line(StateStatus state, Instant now) {
        StringBuilder line = new StringBuilder(word(state.getOutcome()));
        line.append("  ")
                .append(state.getReadyPools())
                .append('/')
                .append(state.getPools())
                .append(" pools");
        if (state.getNodes() > 0) {
            line.append("  ")
                    .append(state.getReadyNodes())
                    .append('/')
                    .append(state.getNodes())
                    .append(" nodes");
        }
        if (state.getReason() != null) {
            line.append("  ").append(state.getReason()).append(since(state.getSince(), now));
        }
        return line.toString();
    }

    private static String line(OutcomeSample sample) {
        StringBuilder line = new StringBuilder();
        if (sample.getNode() != null) {
            line.append("node ").append(sample.getNode());
        }
        // A state that is made once for all pools and reached node by node has none.
        if (sample.getPool() != null && !sample.getPool().isEmpty()) {
            line.append(line.isEmpty() ? "pool " : " of pool ").append(sample.getPool());
        }
        line.append(line.isEmpty() ? "" : ": ").append(word(sample.getOutcome()));
        line.append(", ").append(sample.getReason()).append(": ").append(sample.getMessage());
        if (sample.getOwner() != null) {
            line.append(" (").append(sample.getOwner()).append("'s turn)");
        }
        return line.toString();
    }

    private static String word(@Nullable Enum<?> outcome) {
        return outcome == null ? "unknown" : outcome.name().toLowerCase(Locale.ROOT);
    }

    /** {@code  for 4m}; empty when the time cannot be read. */
    static String since(@Nullable String time, Instant now) {
        if (time == null) {
            return "";
        }
        try {
            Duration age = Duration.between(Instant.parse(time), now);
            long seconds = Math.max(0, age.toSeconds());
            String text = seconds < 120
                    ? seconds + "s"
                    : seconds < 7_200
                            ? seconds / 60 + "m"
                            : seconds < 172_800 ? seconds / 3_600 + "h" : seconds / 86_400 + "d";
            return " for " + text;
        } catch (DateTimeParseException e) {
            return "";
        }
    }
}
