package dev.sro.core.yaml;

import java.io.Serial;

/** A text is not what it should be; the message names it, the place, and what to do. */
public final class YamlException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    YamlException(String message) {
        super(message);
    }

    YamlException(String message, Throwable cause) {
        super(message, cause);
    }
}
