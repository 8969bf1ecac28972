package dev.sro.api;

/**
 * The proxies through which the cluster's workloads get out of it. Immutable; everything may be empty.
 *
 * @param httpProxy address for plain HTTP
 * @param httpsProxy address for HTTPS
 * @param noProxy hosts, domains and networks that are reached directly, separated by commas
 * @param trustedCa name of the ConfigMap with the certificates that the proxy is trusted by
 * @since 0.1.0
 */
public record ProxySettings(String httpProxy, String httpsProxy, String noProxy, String trustedCa) {

    /** No proxy. */
    public static final ProxySettings NONE = new ProxySettings("", "", "", "");
}
