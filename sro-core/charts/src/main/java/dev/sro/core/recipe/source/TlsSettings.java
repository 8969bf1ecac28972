package dev.sro.core.recipe.source;

/**
 * How a server is checked, and what it is shown. Immutable.
 *
 * @param authorities certificates (PEM) that the server's must come from; empty for those of the Java platform
 * @param certificate of the client (PEM); empty for none
 * @param key to the certificate (PEM); empty for none
 * @param unchecked whether any certificate will do
 * @param platformToo whether those of the Java platform will do beside the authorities
 */
record TlsSettings(String authorities, String certificate, String key, boolean unchecked, boolean platformToo) {

    TlsSettings(String authorities, String certificate, String key, boolean unchecked) {
        this(authorities, certificate, key, unchecked, false);
    }

    static final TlsSettings DEFAULT = new TlsSettings("", "", "", false);

    /** Without anything that is secret. */
    @Override
    public String toString() {
        return "TlsSettings[authorities: " + !authorities.isEmpty() + ", certificate: " + !certificate.isEmpty()
                + ", unchecked: " + unchecked + "]";
    }
}
