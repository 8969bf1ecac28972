package dev.sro.agent.kubelet;

import java.io.IOException;
import java.util.List;

/** What a device plugin answers for one resource. Called by several threads at a time. */
public interface PluginHandler {
    /** Which of the available devices are to be taken, the must-haves among them. */
    List<String> preferred(List<String> available, List<String> must, int size);

    /**
     * Gives devices to a container of a pod that kubelet admits.
     *
     * @return names of CDI devices
     * @throws IOException if one cannot be had; the message is what people read on the pod
     */
    List<String> allocate(List<String> devices) throws IOException;

    /**
     * Has devices ready: before each start of a container that was given them, also after a restart of kubelet or the node.
     *
     * @throws IOException if one cannot be made; kubelet tries to start the container again
     */
    void start(List<String> devices) throws IOException;
}
