package dev.sro.core.plugin;

/** Ends the work on one file and carries the reason. Never leaves this package. */
final class PluginRejectedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient PluginRejection rejection;

    PluginRejectedException(PluginRejection rejection) {
        // No cause: its class may be the plugin's, and would keep the plugin's class loader in memory.
        super(rejection.message());
        this.rejection = rejection;
    }

    PluginRejection rejection() {
        return rejection;
    }
}
