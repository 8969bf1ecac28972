package dev.sro.runtime.demo;

import java.io.Serial;

/** The demo did not get where it has to. */
final class DemoFailedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    DemoFailedException(String message) {
        super(message);
    }
}
