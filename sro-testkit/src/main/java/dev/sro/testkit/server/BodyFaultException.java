package dev.sro.testkit.server;

/** A body that cannot be read as an object of its type. */
final class BodyFaultException extends ApiException {
    private static final long serialVersionUID = 1;

    private final String fault;

    BodyFaultException(ResourceType type, String fault) {
        super(
                400,
                "BadRequest",
                type.kind() + " in version \"" + type.gvr().version() + "\" cannot be handled as a " + type.kind()
                        + ": " + fault);
        this.fault = fault;
    }

    /** What is wrong, without the type. */
    String fault() {
        return fault;
    }
}
