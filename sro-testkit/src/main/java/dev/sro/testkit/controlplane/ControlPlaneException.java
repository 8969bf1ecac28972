package dev.sro.testkit.controlplane;

/** A control plane does not start, stop or answer. The message ends with what the process wrote last. */
public final class ControlPlaneException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ControlPlaneException(String message) {
        super(message);
    }

    ControlPlaneException(String message, Throwable cause) {
        super(message, cause);
    }
}
