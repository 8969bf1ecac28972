package dev.sro.runtime.operator;

import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.PluginSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks whether plugins came, changed or went, and has all special resources looked at again when some did. One at a time. */
final class PluginReload implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(PluginReload.class);

    private final PluginHost plugins;
    private final Runnable changed;

    /** @param changed told after other plugins are in use */
    PluginReload(PluginHost plugins, Runnable changed) {
        this.plugins = plugins;
        this.changed = changed;
    }

    @Override
    public void run() {
        try {
            PluginSet before = plugins.current();
            if (plugins.rescan() != before) {
                LOG.atInfo().log("plugins now: {}", plugins.names());
                changed.run();
            }
        } catch (RuntimeException | Error e) {
            // The next look comes; what is loaded stays.
            LOG.atError().setCause(e).log("cannot look at the folders of plugins");
        }
    }
}
