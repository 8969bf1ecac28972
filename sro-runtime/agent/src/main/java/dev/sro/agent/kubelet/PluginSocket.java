package dev.sro.agent.kubelet;

import java.io.IOException;
import java.util.List;

/** A device plugin of one resource, on the other end of which kubelet is. Thread-safe. */
public interface PluginSocket extends AutoCloseable {
    /** Name of the resource. */
    String resource();

    /** Tells kubelet all devices, if they are others than before. */
    void devices(List<PluginDevice> now);

    /**
     * Sees to it that kubelet knows the plugin.
     *
     * @return whether it was registered now
     * @throws IOException if kubelet is not there or refuses; come again
     */
    boolean keep() throws IOException;

    @Override
    void close() throws IOException;
}
