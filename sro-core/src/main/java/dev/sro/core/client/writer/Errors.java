package dev.sro.core.client.writer;

import dev.sro.core.apply.WriteException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** fabric8's one exception type, told apart by HTTP status. Stateless. */
final class Errors {
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int THROTTLED = 429;
    private static final int BAD_REQUEST = 400;
    private static final int UNPROCESSABLE = 422;

    private Errors() {}

    /** Of the API server: {@code apiserver/pkg/storage/interfaces.go}, when an object has not the uid of the precondition. */
    private static final String OTHER_UID = "UID in precondition";

    /** A request. */
    interface Call<T> {
        T run() throws WriteException;
    }

    /**
     * What the API server says with the code of its own errors, and which the object alone is the reason for ({@code
     * k8s.io/apimachinery/pkg/util/managedfields}).
     */
    private static final List<String> NEVER =
            List.of("failed to create typed patch object", "failed to convert new object");

    /** Makes the request; what fabric8 throws becomes what the engine tells apart. */
    static <T> T translate(Call<T> call) throws WriteException {
        try {
            return call.run();
        } catch (KubernetesClientException e) {
            String budget = budget(e);
            if (!budget.isEmpty()) {
                throw new WriteException(WriteException.Kind.BLOCKED, budget, retryAfter(e), e);
            }
            WriteException.Kind kind = message(e).contains("field not declared in schema")
                    ? WriteException.Kind.UNDECLARED
                    : NEVER.stream().anyMatch(message(e)::contains) ? WriteException.Kind.INVALID : kind(e.getCode());
            throw new WriteException(kind, message(e), retryAfter(e), e);
        }
    }

    /**
     * Whether the object of a deletion or an eviction with a uid is not there any more: there is none of that name, or already another.
     * Any other conflict says nothing of the kind.
     */
    static boolean isGone(WriteException e) {
        return e.kind() == WriteException.Kind.NOT_FOUND
                || (e.kind() == WriteException.Kind.CONFLICT
                        && String.valueOf(e.getMessage()).contains(OTHER_UID));
    }

    /** What the API server says of the disruption budget that refuses an eviction; empty for any other error. */
    private static String budget(KubernetesClientException e) {
        if (e.getCode() != THROTTLED || e.getStatus() == null || e.getStatus().getDetails() == null) {
            return "";
        }
        return e.getStatus().getDetails().getCauses().stream()
                .filter(cause -> "DisruptionBudget".equals(cause.getReason()))
                .map(cause -> String.valueOf(cause.getMessage()))
                .findFirst()
                .orElse("");
    }

    private static WriteException.Kind kind(int code) {
        return switch (code) {
            case UNAUTHORIZED, FORBIDDEN -> WriteException.Kind.FORBIDDEN;
            case NOT_FOUND -> WriteException.Kind.NOT_FOUND;
            case CONFLICT -> WriteException.Kind.CONFLICT;
            case THROTTLED -> WriteException.Kind.THROTTLED;
            case BAD_REQUEST, UNPROCESSABLE -> WriteException.Kind.INVALID;
            default -> WriteException.Kind.UNAVAILABLE;
        };
    }

    private static String message(KubernetesClientException e) {
        String message = e.getStatus() == null ? null : e.getStatus().getMessage();
        return message == null ? String.valueOf(e.getMessage()) : message;
    }

    private static Optional<Duration> retryAfter(KubernetesClientException e) {
        Integer seconds = e.getStatus() == null || e.getStatus().getDetails() == null
                ? null
                : e.getStatus().getDetails().getRetryAfterSeconds();
        return seconds == null || seconds <= 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(seconds));
    }
}
