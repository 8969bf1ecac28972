package dev.sro.api.operation;

import dev.sro.api.Checks;
import java.util.List;
import java.util.Map;
import org.immutables.value.Value;

/** What helps to find a fault. Immutable. */
@Value.Immutable
@ValueStyle
public abstract class DiagnosticsPlan {

    DiagnosticsPlan() {}

    /** Commands to run in operands. */
    public abstract List<DiagnosticCommand> commands();

    /** Kinds to collect beside the operands, {@code group/version/Kind} or {@code v1/Kind}. */
    public abstract List<String> kinds();

    /** Regular expressions in RE2 syntax; what they match is replaced before anything is stored. */
    public abstract List<String> redactions();

    /** What a problem code of the vendor's means and how it is mended, by code. */
    public abstract Map<String, String> explanations();

    @Value.Check
    void check() {
        Checks.noDuplicates(
                "DiagnosticsPlan.commands",
                commands().stream().map(DiagnosticCommand::file).toList());
        kinds().forEach(kind -> Checks.require(
                kind.matches("([a-z0-9.-]+/)?v[a-z0-9]+/[A-Z][A-Za-z0-9]+"),
                "DiagnosticsPlan.kinds",
                "\"" + kind + "\" must be group/version/Kind, or v1/Kind"));
        redactions().forEach(pattern -> Checks.notBlank("DiagnosticsPlan.redactions", pattern));
        explanations().forEach((code, text) -> Checks.notBlank("DiagnosticsPlan.explanations[" + code + "]", text));
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link DiagnosticsPlan}. Not thread-safe. */
    public static final class Builder extends ImmutableDiagnosticsPlan.Builder {
        Builder() {}
    }
}
