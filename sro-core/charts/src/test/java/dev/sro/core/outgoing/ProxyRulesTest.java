package dev.sro.core.outgoing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyRulesTest {

    private static String proxy(ProxyRules rules, String uri) {
        return rules.proxyFor(URI.create(uri)).map(ProxyRules.Proxy::toString).orElse("direct");
    }

    /** By the rules of golang.org/x/net/http/httpproxy. */
    @ParameterizedTest
    @CsvSource({
        "'', https://quay.io, false",
        "'*', https://quay.io, true",
        "'quay.io', https://quay.io, true",
        "'quay.io', https://cdn.quay.io, true",
        "'quay.io', https://badquay.io, false",
        "'.quay.io', https://quay.io, false",
        "'.quay.io', https://cdn.quay.io, true",
        "'*.quay.io', https://quay.io, false",
        "'*.quay.io', https://cdn.quay.io, true",
        "'QUAY.io', https://Quay.IO, true",
        "' a.example , quay.io ', https://quay.io, true",
        "'quay.io:443', https://quay.io, true",
        "'quay.io:443', https://quay.io:8443, false",
        "'quay.io:80', https://quay.io, false",
        "'10.0.0.0/8', https://10.1.2.3, true",
        "'10.0.0.0/8', https://11.1.2.3, false",
        "'10.0.0.0/8', https://ten.example, false",
        "'10.1.2.3', https://10.1.2.3, true",
        "'10.1.2.3:8443', https://10.1.2.3:8443, true",
        "'10.1.2.3:8443', https://10.1.2.3, false",
        "'fd00::/8', 'https://[fd12::1]', true",
        "'fd12::1', 'https://[fd12::1]:5000', true",
        "'[fd12::1]:5000', 'https://[fd12::1]:5000', true",
        "'10.0.0.0/99', https://10.0.0.1, false",
        "'.cluster.local,.svc', https://registry.infra.svc, true",
        "'', https://localhost, true",
        "'', https://127.0.0.9, true",
        "'', 'https://[::1]', true"
    })
    void knowsWhatIsAskedDirectly(String noProxy, String uri, boolean direct) {
        assertThat(proxy(ProxyRules.of("", "http://proxy.example:3128", noProxy), uri))
                .isEqualTo(direct ? "direct" : "proxy.example:3128");
    }

    @Test
    void eachSchemeHasItsProxy() {
        ProxyRules rules = ProxyRules.of("one.example:81", "https://two.example", "");
        assertThat(proxy(rules, "http://quay.io")).isEqualTo("one.example:81");
        assertThat(proxy(rules, "https://quay.io")).isEqualTo("two.example:443");
        assertThat(proxy(ProxyRules.of("one.example", "", ""), "https://quay.io"))
                .isEqualTo("direct");
    }

    @Test
    void variablesInCapitalsCountFirst() {
        Map<String, String> both =
                Map.of("https_proxy", "small.example", "HTTPS_PROXY", "large.example", "no_proxy", "quay.io");
        assertThat(proxy(ProxyRules.ofEnvironment(both), "https://a.example")).isEqualTo("large.example:80");
        assertThat(proxy(ProxyRules.ofEnvironment(both), "https://quay.io")).isEqualTo("direct");
        assertThat(ProxyRules.ofEnvironment(Map.of("PATH", "/bin")).isEmpty()).isTrue();
    }

    @Test
    void aLoginIsSentAndNotShown() {
        ProxyRules.Proxy proxy = ProxyRules.of("", "http://user:p%40ss@proxy.example:3128", "")
                .proxyFor(URI.create("https://quay.io"))
                .orElseThrow();
        assertThat(proxy.authorization()).isEqualTo("Basic dXNlcjpwQHNz");
        assertThat(proxy.toString()).isEqualTo("proxy.example:3128");
    }

    @ParameterizedTest
    @ValueSource(strings = {"socks5://user:geheim@proxy.example", "http://user:geheim@", "http://user:geheim@a b"})
    void aProxyThatCannotBeUsedIsNamedWithoutItsLogin(String value) {
        assertThatThrownBy(() -> ProxyRules.of("", value, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("HTTPS_PROXY: ")
                .hasMessageContaining("http://proxy.example.com:3128")
                .hasMessageNotContaining("geheim");
    }
}
