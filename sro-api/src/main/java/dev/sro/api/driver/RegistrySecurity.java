package dev.sro.api.driver;

/**
 * The security that a connection to a registry must have.
 *
 * @since 0.1.0
 */
public enum RegistrySecurity {
    /** TLS with a certificate that is trusted. */
    CHECKED,
    /** TLS with any certificate. */
    UNCHECKED,
    /** TLS with any certificate, or plain HTTP where the registry has no TLS. */
    PLAIN
}
