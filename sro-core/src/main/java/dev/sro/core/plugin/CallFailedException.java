package dev.sro.core.plugin;

/** A call into a plugin that threw or hung. Carries text only, so that it keeps no class of the plugin in memory. */
final class CallFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String code;

    CallFailedException(String what, String code, String outcome) {
        super(what + " " + outcome);
        this.code = code;
    }

    /** One of {@link PluginRejectionCodes}. */
    String code() {
        return code;
    }

    String reason() {
        return String.valueOf(getMessage());
    }

    /** The rejection of the file that the code came from. */
    PluginRejection rejection(String file) {
        String fix = switch (code) {
            case PluginRejectionCodes.CLASS_MISSING -> PluginRejection.CLASS_MISSING_FIX;
            case PluginRejectionCodes.TIMED_OUT ->
                "a plugin must not wait for anything while it is created; ask the vendor";
            default -> "ask the vendor for a version that starts, with this message";
        };
        return PluginRejection.of(file, code, reason(), fix);
    }
}
