package dev.sro.core.embed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.ProxySettings;
import dev.sro.core.outgoing.ProxyRules;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperatorProxiesTest {

    private ProxySettings cluster = ProxySettings.NONE;

    private OperatorProxies proxies(Map<String, String> environment) {
        OperatorProxies proxies = new OperatorProxies(environment);
        proxies.cluster(() -> cluster);
        return proxies;
    }

    @Test
    void openShiftsProxyCountsFromWhenItIsSeen() {
        OperatorProxies proxies = proxies(Map.of());
        assertThat(proxies.current().isEmpty()).isTrue();
        cluster = new ProxySettings("", "http://proxy.example:3128", ".svc", "");
        ProxyRules seen = proxies.current();
        assertThat(seen.isEmpty()).isFalse();
        assertThat(proxies.current()).as("read once").isSameAs(seen);
        cluster = ProxySettings.NONE;
        assertThat(proxies.current().isEmpty()).isTrue();
    }

    @Test
    void theEnvironmentGoesBeforeIt() {
        cluster = new ProxySettings("", "http://proxy.example:3128", "", "");
        OperatorProxies proxies = proxies(Map.of("HTTPS_PROXY", "http://own.example:1"));
        ProxyRules own = proxies.current();
        cluster = ProxySettings.NONE;
        assertThat(proxies.current()).isSameAs(own);
    }

    @Test
    void aProxyThatCannotBeUsedStopsNobodyButAtTheStart() {
        cluster = new ProxySettings("", "socks5://proxy.example", "", "");
        assertThat(proxies(Map.of()).current().isEmpty()).isTrue();
        assertThatThrownBy(() -> proxies(Map.of("HTTPS_PROXY", "socks5://x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("HTTPS_PROXY");
    }
}
