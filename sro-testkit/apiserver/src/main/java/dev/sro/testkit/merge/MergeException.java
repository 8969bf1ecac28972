package dev.sro.testkit.merge;

import java.util.List;

/**
 * A patch or an apply that the API server refuses. Carries what its {@code Status} object says; {@link #reason()} is empty where
 * the real server gives none. Immutable, without a stack trace.
 */
public final class MergeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * One entry of {@code details.causes}.
     *
     * @param reason for instance {@code FieldManagerConflict}
     * @param message for people
     * @param field path of the field, empty if there is none
     */
    public record Cause(String reason, String message, String field) {}

    private final int code;
    private final String reason;
    private final transient List<Cause> causes;

    public MergeException(int code, String reason, String message, List<Cause> causes) {
        super(message, null, false, false);
        this.code = code;
        this.reason = reason;
        this.causes = List.copyOf(causes);
    }

    static MergeException badRequest(String message) {
        return new MergeException(400, "BadRequest", message, List.of());
    }

    /** An error that the real server does not classify: code 500 without a reason. */
    static MergeException internal(String message) {
        return new MergeException(500, "", message, List.of());
    }

    /** The HTTP status code. */
    public int code() {
        return code;
    }

    /** The machine-readable reason, for instance {@code Conflict}; may be empty. */
    public String reason() {
        return reason;
    }

    /** Entries of {@code details.causes}; empty if there are none. */
    public List<Cause> causes() {
        return causes;
    }

    @Override
    public String getMessage() {
        String message = super.getMessage();
        return message == null ? "" : message;
    }
}
