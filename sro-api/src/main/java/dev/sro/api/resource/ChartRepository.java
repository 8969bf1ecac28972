package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * Where a Helm chart comes from.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class ChartRepository extends ResourceValue {
    @JsonPropertyDescription("Name under which the repository is known.")
    @Required
    private @Nullable String name;

    @JsonPropertyDescription(
            "Address of the repository: http, https, oci, file or cm (a ConfigMap, cm://NAMESPACE/NAME).")
    @Required
    private @Nullable String url;

    @JsonPropertyDescription(
            "Secret with the keys username, password, ca.crt, tls.crt, tls.key, as far as needed; they go before the fields beside it.")
    private @Nullable CredentialsSecret credentialsSecret;

    @JsonPropertyDescription("User name for basic authentication.")
    private @Nullable String username;

    @JsonPropertyDescription("Password for basic authentication, in plain text; better put it into credentialsSecret.")
    private @Nullable String password;

    @JsonPropertyDescription("Path in the operator container of the client certificate.")
    private @Nullable String certFile;

    @JsonPropertyDescription("Path in the operator container of the key of the client certificate.")
    private @Nullable String keyFile;

    @JsonPropertyDescription("Path in the operator container of the certificates that the server is checked against.")
    private @Nullable String caFile;

    @JsonPropertyDescription("Whether the certificate of the server is left unchecked.")
    @JsonProperty("insecure_skip_tls_verify")
    @Default("false")
    private @Nullable Boolean insecureSkipTlsVerify;

    /** Creates an object with no field set. */
    public ChartRepository() {}

    /** Returns the name under which the repository is known; empty when absent. */
    public String getName() {
        return orEmpty(name);
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** Returns the address of the repository: http, https, oci, file or cm ({@code cm://NAMESPACE/NAME}, a ConfigMap); empty when absent. */
    public String getUrl() {
        return orEmpty(url);
    }

    /** Sets it; null removes it. */
    public void setUrl(@Nullable String url) {
        this.url = url;
    }

    /** Returns the Secret with what the repository wants to see; null when absent. */
    public @Nullable CredentialsSecret getCredentialsSecret() {
        return credentialsSecret;
    }

    /** Sets it; null removes it. */
    public void setCredentialsSecret(@Nullable CredentialsSecret credentialsSecret) {
        this.credentialsSecret = credentialsSecret;
    }

    /** Returns the user name for basic authentication; null when absent. */
    public @Nullable String getUsername() {
        return username;
    }

    /** Sets it; null removes it. */
    public void setUsername(@Nullable String username) {
        this.username = username;
    }

    /** Returns the password for basic authentication, in plain text; null when absent. */
    public @Nullable String getPassword() {
        return password;
    }

    /** Sets it; null removes it. */
    public void setPassword(@Nullable String password) {
        this.password = password;
    }

    /** Returns the path in the operator container of the client certificate; null when absent. */
    public @Nullable String getCertFile() {
        return certFile;
    }

    /** Sets it; null removes it. */
    public void setCertFile(@Nullable String certFile) {
        this.certFile = certFile;
    }

    /** Returns the path in the operator container of the key of the client certificate; null when absent. */
    public @Nullable String getKeyFile() {
        return keyFile;
    }

    /** Sets it; null removes it. */
    public void setKeyFile(@Nullable String keyFile) {
        this.keyFile = keyFile;
    }

    /** Returns the path in the operator container of the certificates that the server is checked against; null when absent. */
    public @Nullable String getCaFile() {
        return caFile;
    }

    /** Sets it; null removes it. */
    public void setCaFile(@Nullable String caFile) {
        this.caFile = caFile;
    }

    /** Returns whether the certificate of the server is left unchecked; null when absent. */
    public @Nullable Boolean getInsecureSkipTlsVerify() {
        return insecureSkipTlsVerify;
    }

    /** Sets it; null removes it. */
    public void setInsecureSkipTlsVerify(@Nullable Boolean insecureSkipTlsVerify) {
        this.insecureSkipTlsVerify = insecureSkipTlsVerify;
    }

    /** The password stays out: this text ends up in logs. */
    @Override
    public String toString() {
        return "ChartRepository[" + name + ", " + url + "]";
    }
}
