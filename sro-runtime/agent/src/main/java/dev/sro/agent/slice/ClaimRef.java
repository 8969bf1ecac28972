package dev.sro.agent.slice;

/**
 * A ResourceClaim, or a device that kubelet gave by a device plugin. Two with the same name are different ones if their UIDs differ. Immutable.
 *
 * @param uid by which it is known here
 * @param namespace for messages, and to ask the API server for it
 * @param name likewise
 */
public record ClaimRef(String uid, String namespace, String name) {
    /** No UID of the API begins so: those are hexadecimal. */
    private static final String PLUGIN = "plugin-";

    private static final String PLUGIN_NAMESPACE = "device-plugin";

    /**
     * What has a device that kubelet gave by a device plugin. It is the same after a reboot, as kubelet remembers what it told containers.
     *
     * @param device its name
     */
    public static ClaimRef ofPlugin(String device) {
        return new ClaimRef(PLUGIN + device, PLUGIN_NAMESPACE, device);
    }

    /** Whether it is a device that kubelet gave by a device plugin. */
    public boolean isOfPlugin() {
        return uid.startsWith(PLUGIN);
    }

    /** As people know it: {@code namespace/name}. */
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
