package dev.sro.core.apply;

import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API server did not do what was asked. */
public final class WriteException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /** What kind of refusal it was, as far as the engine treats them differently. */
    public enum Kind {
        /** 409: somebody else changed or holds it. */
        CONFLICT,
        /** 401 or 403. */
        FORBIDDEN,
        /** 403 of a write by the rights of a {@link dev.sro.core.model.RecipeAccount}. */
        FORBIDDEN_TO_RECIPE,
        /** 400 or 422: the object is wrong. */
        INVALID,
        /** 5xx, by the server's mistake: the object has a field that its schema has not. */
        UNDECLARED,
        /** 404: the object, its namespace or its kind is not there. */
        NOT_FOUND,
        /** It is there, and it is not ours. */
        NOT_OWNED,
        /** 429 of an eviction: a disruption budget does not let the pod go now. */
        BLOCKED,
        /** 429: come back later. */
        THROTTLED,
        /** 5xx, no answer, no connection; whether the write happened is not known. */
        UNAVAILABLE
    }

    private final Kind kind;
    private final transient Optional<Duration> retryAfter;

    /** A refusal. */
    public WriteException(Kind kind, String message) {
        this(kind, message, Optional.empty(), null);
    }

    /** A refusal with the server's wish when to come back. */
    public WriteException(Kind kind, String message, Optional<Duration> retryAfter, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    /** What kind of refusal it was. */
    public Kind kind() {
        return kind;
    }

    /** When the server wants to be asked again. */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
