package dev.sro.runtime.status;

import dev.sro.api.resource.UpgradeNodeStatus;
import dev.sro.api.resource.UpgradeStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Draws the upgrade of a driver. Stateless. */
public final class UpgradeText {

    private UpgradeText() {}

    /** Some lines, each with this before it. */
    public static String write(UpgradeStatus status, String indent, Instant now) {
        StringBuilder text = new StringBuilder();
        String state = status.getState();
        text.append(indent)
                .append("upgrade ")
                .append(state == null ? "unknown" : state)
                .append(StatusText.since(status.getSince(), now))
                .append("  ")
                .append(count(status.getUpdated()))
                .append('/')
                .append(count(status.getNodes()))
                .append(" nodes have driver ")
                .append(status.getTarget());
        if (!Objects.equals(status.getTarget(), status.getWanted())) {
            text.append(" (").append(status.getWanted()).append(" is rolled back)");
        }
        if (status.getWave() != null) {
            text.append(", wave ").append(status.getWave());
        }
        text.append('\n');
        if (status.getMessage() != null) {
            text.append(indent).append("  ").append(status.getMessage()).append('\n');
        }
        List<String> phases = new ArrayList<>();
        status.getPhases().forEach((phase, nodes) -> {
            if (!phase.equals("upgrade-done")) {
                phases.add(nodes + " " + phase);
            }
        });
        if (!phases.isEmpty()) {
            text.append(indent).append("  ").append(String.join(", ", phases)).append('\n');
        }
        for (UpgradeNodeStatus node : status.getStuck()) {
            text.append(indent)
                    .append("  node ")
                    .append(node.getNode())
                    .append(": ")
                    .append(node.getPhase())
                    .append(StatusText.since(node.getSince(), now))
                    .append(", ")
                    .append(node.getReason())
                    .append(": ")
                    .append(node.getMessage())
                    .append('\n');
        }
        return text.toString();
    }

    private static int count(@Nullable Integer number) {
        return number == null ? 0 : number;
    }
}
