package dev.sro.core.slicing;

/** A call that names something that does not exist or cannot be; the allocator is as it was before. */
public final class SliceException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** Reasons why a call is refused. */
    public enum Code {
        /** No device of the allocator has a profile of this name. */
        UNKNOWN_PROFILE,
        /** There is no device of this name. */
        UNKNOWN_DEVICE,
        /** No claim of this name is held. */
        UNKNOWN_CLAIM,
        /** A claim of this name is held already, or named twice in one call. */
        DUPLICATE_CLAIM,
        /** A device of this name is there already. */
        DUPLICATE_DEVICE,
        /** The placement is not legal on that device beside what it carries. */
        ILLEGAL_PLACEMENT,
        /** The device still carries claims. */
        DEVICE_IN_USE,
        /** A plan was made for a state that is no more. */
        STALE_PLAN,
        /** A field of the request is out of range. */
        INVALID_REQUEST
    }

    private final Code code;

    SliceException(Code code, String message) {
        super(message);
        this.code = code;
    }

    /** The reason why the call is refused. */
    public Code code() {
        return code;
    }
}
