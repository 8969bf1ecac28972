package dev.sro.core.embed;

import dev.sro.api.ProxySettings;
import dev.sro.core.outgoing.ProxyRules;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Through which proxies an operator asks: those of its environment, and where that has none, those of OpenShift. Thread-safe. */
final class OperatorProxies {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorProxies.class);

    private final ProxyRules own;
    private volatile Supplier<ProxySettings> cluster = () -> ProxySettings.NONE;
    private ProxySettings known = ProxySettings.NONE;
    private ProxyRules rules = ProxyRules.NONE;

    /** @throws IllegalArgumentException if the environment names a proxy that cannot be used */
    OperatorProxies(Map<String, String> environment) {
        this.own = ProxyRules.ofEnvironment(environment);
    }

    /** @param given what the cluster says, asked for each request */
    void cluster(Supplier<ProxySettings> given) {
        cluster = given;
    }

    ProxyRules current() {
        return own.isEmpty() ? parsed(cluster.get()) : own;
    }

    private synchronized ProxyRules parsed(ProxySettings settings) {
        if (!settings.equals(known)) {
            known = settings;
            rules = read(settings);
        }
        return rules;
    }

    private static ProxyRules read(ProxySettings settings) {
        try {
            return ProxyRules.of(settings.httpProxy(), settings.httpsProxy(), settings.noProxy());
        } catch (IllegalArgumentException e) {
            LOG.atWarn().log("Proxy cluster: {}; everything is asked directly", e.getMessage());
            return ProxyRules.NONE;
        }
    }
}
