package dev.sro.api.operation;

/**
 * Actions that a change of the driver asks of a node; each includes what those before it do.
 *
 * @since 0.1.0
 */
public enum UpgradeAction {
    /** Nothing: the change does not touch what runs. */
    NONE,
    /** Pods of operands are restarted, users of the device go on. */
    RESTART_ONLY,
    /** Users of the device go, the driver is unloaded and the new one loaded. */
    FULL,
    /** The node is booted anew. */
    REBOOT
}
