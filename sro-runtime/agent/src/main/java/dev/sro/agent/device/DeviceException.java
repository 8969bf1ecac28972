package dev.sro.agent.device;

/** A driver that did not do what it was asked to. The kind says what may be done about it. */
public final class DeviceException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What the caller can tell apart. */
    public enum Kind {
        /** Somebody holds it open; try again later. */
        IN_USE,
        /** The place or an engine is taken. */
        INSUFFICIENT_RESOURCES,
        /** It is not there. */
        NOT_FOUND,
        /** This driver or GPU cannot do that. */
        NOT_SUPPORTED,
        /** The process may not do that. */
        NO_PERMISSION,
        /** The GPU has to be reset first. */
        RESET_REQUIRED,
        /** The GPU does not answer any more. */
        GPU_IS_LOST,
        /** No driver is there to be asked. */
        NO_DRIVER,
        /** It took too long; whether it was done is not known. */
        TIMEOUT,
        /** The call was wrong: a defect of the adapter, or a driver that changed. */
        INVALID,
        /** Anything else. */
        OTHER
    }

    private final Kind kind;

    /** With what was asked of which device, and what the driver said. */
    public DeviceException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** What can be done about it. */
    public Kind kind() {
        return kind;
    }
}
