package dev.sro.core.plugin;

import java.util.Objects;

/**
 * Why a plugin was not loaded. Immutable.
 *
 * @param file name of the file inside the plugin directory; for a plugin of the class path, where it was found
 * @param code one of {@link PluginRejectionCodes}
 * @param message for a person: names the file, the reason and the fix
 */
public record PluginRejection(String file, String code, String message) {

    /** What to do about a class that is missing, when the plugin is loaded or later. */
    public static final String CLASS_MISSING_FIX = "put every library that the plugin needs into the jar, or"
            + " into lib/ of a zip, and build it against an sro-api that this SRO is compatible with";

    /** Checks that nothing is missing. */
    public PluginRejection {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(message, "message");
    }

    static PluginRejection of(String file, String code, String reason, String fix) {
        return new PluginRejection(file, code, file + ": " + reason + ". Fix: " + fix + ".");
    }

    /** The same, with one more sentence. */
    PluginRejection with(String sentence) {
        return new PluginRejection(file, code, message + " " + sentence);
    }
}
