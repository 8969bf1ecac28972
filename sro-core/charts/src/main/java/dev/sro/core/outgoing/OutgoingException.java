package dev.sro.core.outgoing;

import java.io.IOException;
import java.io.Serial;

/** There is no connection, by rule or by circumstance; the message can be shown to whoever wrote the address. */
public final class OutgoingException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final boolean refused;

    OutgoingException(String message, boolean refused) {
        super(message);
        this.refused = refused;
    }

    /** Whether it is a rule that forbids it, so that it is of no use to try again. */
    public boolean isRefused() {
        return refused;
    }
}
