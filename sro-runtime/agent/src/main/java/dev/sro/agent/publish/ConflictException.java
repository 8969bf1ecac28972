package dev.sro.agent.publish;

import java.io.IOException;

/** What was to be written is not any more as it was read: read again and decide anew. */
final class ConflictException extends IOException {
    private static final long serialVersionUID = 1L;

    /** With what the API server said. */
    ConflictException(String message) {
        super(message);
    }
}
