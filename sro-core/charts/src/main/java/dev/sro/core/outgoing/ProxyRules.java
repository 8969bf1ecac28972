package dev.sro.core.outgoing;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Through which proxy an address is asked: {@code HTTP_PROXY}, {@code HTTPS_PROXY} and {@code NO_PROXY} as Go's programs, and with
 * them all of Kubernetes, read them (golang.org/x/net/http/httpproxy). Immutable.
 */
public final class ProxyRules {

    /** Everything is asked directly. */
    public static final ProxyRules NONE = new ProxyRules(Optional.empty(), Optional.empty(), List.of());

    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    /**
     * One proxy.
     *
     * @param tls whether it is spoken to with TLS
     * @param authorization value of the header Proxy-Authorization; empty for none
     */
    record Proxy(boolean tls, String host, int port, String authorization) {
        /** Without the login. */
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /** One entry of NO_PROXY. */
    @FunctionalInterface
    private interface Direct {
        boolean matches(String host, Optional<byte[]> address, int port);
    }

    private final Optional<Proxy> http;
    private final Optional<Proxy> https;
    private final List<Direct> direct;

    private ProxyRules(Optional<Proxy> http, Optional<Proxy> https, List<Direct> direct) {
        this.http = http;
        this.https = https;
        this.direct = direct;
    }

    /**
     * The rules of three settings, each of which may be empty.
     *
     * @throws IllegalArgumentException if a proxy is no address that can be used; the message has no login in it
     */
    public static ProxyRules of(String httpProxy, String httpsProxy, String noProxy) {
        List<Direct> direct = new ArrayList<>();
        for (String part : noProxy.split(",")) {
            String entry = part.strip().toLowerCase(Locale.ROOT);
            if (!entry.isEmpty()) {
                direct.add(direct(entry));
            }
        }
        return new ProxyRules(proxy("HTTP_PROXY", httpProxy), proxy("HTTPS_PROXY", httpsProxy), direct);
    }

    /**
     * Those of a process; the variables in capitals count before those in small letters.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    public static ProxyRules ofEnvironment(Map<String, String> environment) {
        return of(
                variable(environment, "HTTP_PROXY"),
                variable(environment, "HTTPS_PROXY"),
                variable(environment, "NO_PROXY"));
    }

    private static String variable(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "");
        return value.isBlank() ? environment.getOrDefault(name.toLowerCase(Locale.ROOT), "") : value;
    }

    /** Whether everything is asked directly. */
    public boolean isEmpty() {
        return http.isEmpty() && https.isEmpty();
    }

    /** The proxy for the address; empty if it is asked directly. */
    Optional<Proxy> proxyFor(URI uri) {
        boolean secure = "https".equalsIgnoreCase(uri.getScheme());
        Optional<Proxy> proxy = secure ? https : http;
        String host = uri.getHost().toLowerCase(Locale.ROOT);
        Optional<byte[]> address = Network.literal(host);
        boolean here = host.equals("localhost")
                || address.filter(bytes -> Network.of("127.0.0.0/8").contains(bytes)
                                || Network.of("::1").contains(bytes))
                        .isPresent();
        int port = uri.getPort() >= 0 ? uri.getPort() : secure ? HTTPS : HTTP;
        return proxy.filter(unused ->
                !here && direct.stream().noneMatch(entry -> entry.matches(bare(host), address, port)));
    }

    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static Direct direct(String entry) {
        if (entry.equals("*")) {
            return (host, address, port) -> true;
        }
        if (entry.indexOf('/') >= 0) {
            Optional<Network> network = Network.parse(entry);
            return (host, address, port) -> network.isPresent()
                    && address.filter(network.get()::contains).isPresent();
        }
        Optional<byte[]> whole = Network.literal(entry);
        int colon = entry.lastIndexOf(':');
        boolean ported =
                whole.isEmpty() && colon >= 0 && entry.substring(colon + 1).matches("\\d{1,5}");
        int only = ported ? Integer.parseInt(entry.substring(colon + 1)) : -1;
        String name = ported ? entry.substring(0, colon) : entry;
        Optional<byte[]> literal = Network.literal(name);
        if (literal.isPresent()) {
            return (host, address, port) ->
                    address.filter(bytes -> Arrays.equals(bytes, literal.get())).isPresent()
                            && (only < 0 || only == port);
        }
        String suffix = name.startsWith("*.") ? name.substring(1) : name;
        boolean itself = !suffix.startsWith(".");
        String domain = itself ? "." + suffix : suffix;
        return (host, address, port) -> (host.endsWith(domain) || (itself && host.equals(suffix)))
                && !suffix.isEmpty()
                && (only < 0 || only == port);
    }

    private static Optional<Proxy> proxy(String variable, String value) {
        String text = value.strip();
        if (text.isEmpty()) {
            return Optional.empty();
        }
        URI uri;
        try {
            uri = URI.create(text.contains("://") ? text : "http://" + text);
        } catch (IllegalArgumentException e) {
            throw invalid(variable, "it is no URL");
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw invalid(variable, "SRO speaks to proxies by http or https, not by " + scheme);
        }
        if (uri.getHost() == null) {
            throw invalid(variable, "it has no host");
        }
        boolean tls = scheme.equals("https");
        int port = uri.getPort() >= 0 ? uri.getPort() : tls ? HTTPS : HTTP;
        String login = uri.getUserInfo();
        String authorization = login == null
                ? ""
                : "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
        return Optional.of(new Proxy(tls, bare(uri.getHost()), port, authorization));
    }

    private static IllegalArgumentException invalid(String variable, String why) {
        return new IllegalArgumentException(variable + ": " + why + "; it looks like http://proxy.example.com:3128");
    }
}
