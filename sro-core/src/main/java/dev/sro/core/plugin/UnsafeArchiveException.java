package dev.sro.core.plugin;

import java.io.IOException;

/** An archive that would harm when unpacked. The message says how. */
final class UnsafeArchiveException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String reason;

    UnsafeArchiveException(String reason) {
        super(reason);
        this.reason = reason;
    }

    @Override
    public String getMessage() {
        return reason;
    }
}
