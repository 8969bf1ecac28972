package dev.sro.api.driver;

/**
 * Who loads the modules of a {@link LoadPlan} on the nodes.
 *
 * @since 0.1.0
 */
public enum LoadExecutor {
    /** A privileged DaemonSet that holds the modules as long as it runs. */
    DRIVER_DAEMON_SET,
    /** A pod per node that loads, ends, and comes back to unload. */
    WORKER_POD,
    /** A Module of Kernel Module Management, which does the work. */
    KMM_MODULE,
    /** Nobody: the operating system brings the driver, and SRO only checks that it is there. */
    HOST_PROVIDED,
    /** The manifests of the plugin's own states. */
    OWN_STATES
}
