package dev.sro.testkit.server;

import dev.sro.testkit.schema.TypeFault;

/** A body that cannot be read as an object of its type. */
final class BodyFaultException extends ApiException {
    private static final long serialVersionUID = 1;

    private final transient TypeFault fault;

    BodyFaultException(ResourceType type, TypeFault fault) {
        super(
                400,
                "BadRequest",
                type.kind() + " in version \"" + type.gvr().version() + "\" cannot be handled as a " + type.kind()
                        + ": " + fault.text());
        this.fault = fault;
    }

    /** What is wrong, without the type. */
    TypeFault fault() {
        return fault;
    }
}
