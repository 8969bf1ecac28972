package dev.sro.testkit.operator;

import dev.sro.api.resource.OutcomeKind;
import dev.sro.api.resource.OutcomeSample;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceStatus;
import dev.sro.api.resource.StateStatus;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The status of a special resource as lines that somebody reads whose test has failed. Stateless. */
final class SandboxStatus {

    private SandboxStatus() {}

    static String text(String name, Optional<SpecialResource> resource) {
        if (resource.isEmpty()) {
            return "there is no special resource " + name;
        }
        SpecialResourceStatus status = resource.get().getStatus();
        if (status == null) {
            return name + " has no status: no operator has looked at it";
        }
        String samples = status.getSamples().stream().map(SandboxStatus::line).collect(Collectors.joining());
        return name + ": " + status.getState()
                + status.getStates().stream().map(SandboxStatus::line).collect(Collectors.joining())
                + (samples.isEmpty() ? "" : "\nfor example" + samples);
    }

    private static String line(StateStatus state) {
        return "\n  " + state.getName() + ": " + said(state.getOutcome(), state.getReason(), state.getMessage());
    }

    private static String line(OutcomeSample sample) {
        String where = Stream.of("pool " + sample.getPool(), "node " + sample.getNode())
                .filter(part -> !part.endsWith(" null"))
                .collect(Collectors.joining(", "));
        return "\n  " + sample.getState() + (where.isEmpty() ? "" : ", " + where) + ": "
                + said(sample.getOutcome(), sample.getReason(), sample.getMessage());
    }

    private static String said(@Nullable OutcomeKind outcome, @Nullable String reason, @Nullable String message) {
        return Stream.of(String.valueOf(outcome).toLowerCase(Locale.ROOT), reason, message)
                .filter(Objects::nonNull)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }
}
